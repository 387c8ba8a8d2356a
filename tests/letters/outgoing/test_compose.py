"""Outgoing letters: their words, their width, their headers, and that we can read them."""

import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from email import policy
from email.parser import BytesParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import resources
from referee.letters.incoming.decode import decode
from referee.letters.incoming.letter import MailAddress
from referee.letters.incoming.screening import Screening, screen
from referee.letters.outgoing.compose import Automatic, Composer, Envelope
from referee.letters.outgoing.local_time import Deadline, Moment
from referee.letters.outgoing.notices import (
    LineError,
    Notice,
)
from referee.letters.outgoing.pairs import Drawn
from referee.letters.outgoing.unread_notices import Quarantined
from tests.letters.notices import GOLDEN, LETTERS, printed, written
from tests.support.examples import examples
from tests.support.seen import own_text

COMPOSER = Composer("games@referee.example", "The Referee")
ENVELOPE = Envelope(
    address="frodo@shire.example",
    name="Frodo Baggins",
    tag="[SW-7 T11 CERES]",
    message_id="<s1-1-ack3041-sig@referee.example>",
    reply_to="games+s1-1-ack3041-sig@referee.example",
    in_reply_to="m1@shire.example",
    references=("<thread.sw-7.p1@referee.example>", "m1@shire.example"),
    list_id="sw-7.referee.example",
    automatic=Automatic.REPLIED,
    date=datetime(2026, 9, 18, 4, 4, tzinfo=UTC),
    loop_token="f00d",
)
FIELDS = (
    "From To Reply-To Date Subject Message-ID In-Reply-To References List-Id Auto-Submitted"
    " X-Auto-Response-Suppress X-Referee-Loop MIME-Version Content-Type Content-Transfer-Encoding"
)
KINDS = sorted({type(notice) for notice in LETTERS.values()}, key=lambda kind: kind.__name__)
UNHURRIED = examples(25, unchecked=True)

for kind in (Moment, Deadline):
    st.register_type_strategy(
        kind,
        st.builds(
            kind,
            st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - with timezones
            st.sampled_from(["UTC", "America/Phoenix", "Asia/Kathmandu", "Europe/Berlin"]),
        ),
    )
ANYTHING = st.text(max_size=120)
ANSWERED = sorted(set(LETTERS) - {"checked", "operator_alert"})
"""The letters to players."""
st.register_type_strategy(Drawn, ANYTHING.map(printed))


def test_letters_are_identical_to_their_golden_files() -> None:
    for name in LETTERS:
        assert written(name) == (GOLDEN / f"{name}.txt").read_text("utf-8"), name


def test_templates_stay_those_that_the_program_began_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(resources.folder("mailtemplates"), tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(resources, "folder", lambda _: tmp_path)
    composer = Composer("referee@example.org")
    before = composer.words(Quarantined("abcd"))
    (tmp_path / "quarantined.txt.j2").write_text("another version\n{{ missing }}", "utf-8")
    assert composer.words(Quarantined("abcd")) == before


@pytest.mark.parametrize("name", [name for name in LETTERS if name.startswith("joined")])
def test_a_welcome_has_at_most_32_lines(name: str) -> None:
    assert len(written(name).splitlines()[2:]) <= 32


def test_every_kind_of_letter_has_a_golden_file_and_every_file_a_letter() -> None:
    first = Notice.__subclasses__()
    kinds = {*first, *(kind for each in first for kind in each.__subclasses__())}
    parents = {parent.__name__ for kind in kinds for parent in kind.__bases__}
    assert {kind.__name__ for kind in KINDS} == {kind.__name__ for kind in kinds} - parents
    assert {path.stem for path in GOLDEN.iterdir()} == set(LETTERS)


@pytest.mark.parametrize("kind", KINDS)
def test_any_values_fit_in_the_width_and_add_no_header(kind: type[Notice]) -> None:
    @UNHURRIED
    @given(st.builds(kind), ANYTHING, ANYTHING, ANYTHING)
    def check(notice: Notice, name: str, tag: str, reference: str) -> None:
        envelope = replace(ENVELOPE, name=name, tag=tag, in_reply_to=reference, list_id=tag)
        raw = COMPOSER.compose(notice, envelope)
        head, _, body = raw.partition(b"\r\n\r\n")
        names = re.findall(rb"(?m)^([A-Za-z-]+):", head)
        assert set(FIELDS.split()) - {n.decode() for n in names} <= {"In-Reply-To", "List-Id"}
        assert len(names) == len(set(names))
        assert all(line[:1] in b" \t" or b":" in line for line in head.split(b"\r\n"))
        assert max(len(line) for line in body.split(b"\r\n")) <= 78
        letter = decode(raw)
        assert max(map(len, letter.text.split("\n"))) <= 78
        said = COMPOSER.words(notice).text.rstrip("\n")
        assert letter.text == (said if said.strip() else "")
        assert raw == COMPOSER.compose(notice, envelope)

    check()


def test_headers_are_those_of_an_automatic_answer() -> None:
    raw = COMPOSER.compose(Quarantined("Q-1"), ENVELOPE)
    head = raw.partition(b"\r\n\r\n")[0].decode()
    assert head.split("\r\n") == [
        "From: The Referee <games@referee.example>",
        "To: Frodo Baggins <frodo@shire.example>",
        "Reply-To: The Referee <games+s1-1-ack3041-sig@referee.example>",
        "Date: Fri, 18 Sep 2026 04:04:00 +0000",
        "Subject: Re: [SW-7 T11 CERES] we could not process your email",
        "Message-ID: <s1-1-ack3041-sig@referee.example>",
        "In-Reply-To: <m1@shire.example>",
        "References: <thread.sw-7.p1@referee.example> <m1@shire.example>",
        "List-Id: <sw-7.referee.example>",
        "Auto-Submitted: auto-replied",
        "X-Auto-Response-Suppress: All",
        "X-Referee-Loop: f00d",
        "MIME-Version: 1.0",
        'Content-Type: text/plain; charset="utf-8"',
        "Content-Transfer-Encoding: 7bit",
    ]


def test_a_report_is_generated_and_answers_nothing() -> None:
    envelope = replace(
        ENVELOPE, automatic=Automatic.GENERATED, in_reply_to="", references=(), name=""
    )
    letter = decode(COMPOSER.compose(LETTERS["report"], envelope))
    assert letter.subject == "[SW-7 T11 CERES] report, orders due Fri 18 Sep 18:00 MST"
    assert letter.header("Auto-Submitted") == "auto-generated"
    assert letter.header("To") == "frodo@shire.example"
    assert letter.references == ()


def test_names_that_are_not_ascii_come_through() -> None:
    envelope = replace(ENVELOPE, name='Jörg "the \r\nBcc: x@y" Müller', tag="[SÜ-1]")
    notice = Quarantined("Grüße — 12€")
    raw = COMPOSER.compose(notice, envelope)
    parsed = BytesParser(policy=policy.default).parsebytes(raw)
    assert raw.isascii()
    assert parsed["Bcc"] is None
    assert str(parsed["To"]) == '"Jörg \\"the Bcc: x@y\\" Müller" <frodo@shire.example>'
    assert str(parsed["Subject"]).startswith("Re: [SÜ-1] we could not")
    assert parsed.get_content().replace("\r\n", "\n") == COMPOSER.words(notice).text + "\n"


def test_our_own_letter_is_known_when_it_comes_back() -> None:
    raw = COMPOSER.compose(LETTERS["report"], ENVELOPE)
    assert screen(decode(raw), raw, "", "f00d") is Screening.LOOP
    assert screen(decode(raw), raw, "", "another house") is Screening.MACHINE


@pytest.mark.sampled
@pytest.mark.parametrize("marks", ["", "> "])
def test_only_the_typed_lines_of_a_reply_are_the_players(marks: str) -> None:
    attribution = "On Fri, 18 Sep 2026 at 04:04, The Referee <games@referee.example> wrote:"
    for name in ANSWERED:
        letter = decode(COMPOSER.compose(LETTERS[name], ENVELOPE))
        quoted = "\n".join(marks + line for line in letter.text.split("\n"))
        reply = f"F3W5\n\n{attribution}\n\n{quoted}\n"
        assert [line.text for line in own_text(reply).lines if line.text] == ["F3W5"], name


def test_no_line_below_our_marker_is_the_players() -> None:
    for name in ANSWERED:
        text = decode(COMPOSER.compose(LETTERS[name], ENVELOPE)).text
        opening, _, _ = text.partition("\n\n--- Reply")
        own = "\n".join(line.text for line in own_text(text).lines)
        assert own.rstrip("\n") == opening, name


@pytest.mark.parametrize(
    ("wrong", "drawn"),
    [
        (
            LineError(4, "F3TF7", "How many ships?", "F3T5F7 would move five.", 3),
            ["  Line 4: F3TF7", "    How many ships? F3T5F7 would move five."],
        ),
        (LineError(12, "F3\tT\x07F7", "no."), ["  Line 12: F3 T F7", "    No."]),
        (LineError(0, "", "there is no game SW-9."), ["  There is no game SW-9."]),
        (LineError(7, "PRESS", "no such seat."), ["  Line 7: PRESS", "    No such seat."]),
        (
            LineError(3, "JOIN", "no.", instead=f"JOIN SW-1 {'B' * 59}\nZONE UTC"),
            [
                *("  Line 3: JOIN", "    No.", "    You can send this:"),
                *(f"      JOIN SW-1 {'B' * 59}", "      ZONE UTC"),
            ],
        ),
        (LineError(3, "", "what next?"), ["  Line 3: What next?"]),
        (
            LineError(3, "A" * 50 + "B" * 50 + "C" * 50, "no.", at=99),
            ["  Line 3: ... " + "B" * 26 + "C" * 24 + " ...", "    No."],
        ),
    ],
)
def test_a_mistake_is_below_its_line(wrong: LineError, drawn: list[str]) -> None:
    answer = replace(LETTERS["command_answers_with_faults_alone"], faults=(wrong,))  # type: ignore[call-arg]
    assert COMPOSER.words(answer).text.split("NOT DONE (1)\n")[1].split("\n") == drawn


def test_mailbox_of_the_referee_is_its_own() -> None:
    letter = decode(COMPOSER.compose(LETTERS["reminder"], ENVELOPE))
    assert letter.senders == (MailAddress("The Referee", "games@referee.example"),)
