"""Letters with HTML besides their text: to whom they go, and what waits for a letter of several."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from referee.daemon import Daemon
from referee.desk.base.desk import Site
from referee.letters.incoming.html_text import text_of_markup
from referee.plugins import installed_rulesets
from referee.rules.ruleset import Ruleset
from referee.testing.conversation import Conversation
from tests.support.hourly import NOON, SETTINGS, begin, installed

FRODO = "frodo@shire.example"
CREATED = """\
=== gm@example.org writes
CREATE STARWEB SEATS 2 DEADLINE "5 days"

=== gm@example.org gets
Subject: [SW-1]

=== frodo@shire.example writes
JOIN SW-1 FRODO AS Empire Builder

=== frodo@shire.example gets
Subject: [SW-1 FRODO]
"""
STARTED = """
=== sam@shire.example writes
JOIN SW-1 SAM AS Empire Builder

=== sam@shire.example gets
Subject: [SW-1 SAM]

=== gm@example.org gets mail

=== frodo@shire.example gets
Subject: [SW-1 T1 FRODO]

=== sam@shire.example gets
Subject: [SW-1 T1 SAM]
"""


@pytest.fixture
def talk() -> Iterator[Conversation]:
    """Yield a referee at noon with a game that one player has joined."""
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run(CREATED)
        yield conversation


def last(talk: Conversation, to: str = FRODO) -> EmailMessage:
    """Return the last letter to an address."""
    raw = [letter.raw for letter in talk.mailed if letter.recipient == to][-1]
    return BytesParser(policy=default).parsebytes(raw)


def body(message: EmailMessage, form: str) -> str:
    """Return the text or the HTML of a letter, or ""."""
    part = message.get_body((form,))
    return part.get_content().replace("\r\n", "\n") if part is not None else ""


def words(text: str) -> list[str]:
    return [word for word in text.split() if any(map(str.isalnum, word))]


@pytest.mark.slow
def test_no_letter_of_a_site_without_html_has_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    Path("referee.toml").write_text(SETTINGS.replace("[site]", "[site]\nhtml = false"), "utf-8")
    with installed() as app:
        begin(app)
        Daemon(app).send(NOON)
    letters = [
        *map(
            BytesParser(policy=default).parsebytes,
            map(Path.read_bytes, Path("sent", "new").iterdir()),
        )
    ]
    assert {each.get_content_type() for each in letters} == {"text/plain"}
    assert any("first report" in each["Subject"] for each in letters)


class WithoutHtml(Conversation):
    """A conversation with a site whose letters have no HTML unless their reader wants it."""

    def _site(self, rulesets: Mapping[str, Ruleset[Any, Any]]) -> Site:
        return replace(super()._site(rulesets), html=False)


def test_a_site_without_html_sends_it_to_those_who_want_it() -> None:
    with closing(WithoutHtml(installed_rulesets())) as talk:
        talk.run(CREATED)
        assert last(talk).get_content_type() == "text/plain"
        talk.run(f"=== {FRODO} replies\nSET HTML ON\n\n=== {FRODO} gets\nheadings and tables\n")
        talk.run(STARTED)
        assert last(talk).get_content_type() == "multipart/alternative"
        assert last(talk, "sam@shire.example").get_content_type() == "text/plain"


def test_a_letter_has_html_until_its_reader_wants_none(talk: Conversation) -> None:
    assert words(text_of_markup(body(last(talk), "html"))) == words(body(last(talk), "plain"))
    talk.run(f"=== {FRODO} replies\nSET HTML OFF\n\n=== {FRODO} gets\nplain text only\n")
    assert last(talk).get_content_type() == "text/plain"
    talk.run(f"=== {FRODO} replies\nSET HTML ON\n\n=== {FRODO} gets\nheadings and tables\n")
    assert last(talk).get_content_type() == "multipart/alternative"


def test_the_report_shows_the_map_to_those_who_want_it(talk: Conversation) -> None:
    talk.run(
        f"=== {FRODO} replies\nSET ATTACHMENTS PNG MAP\n\n=== {FRODO} gets\nmap.png\n{STARTED}"
    )
    report = last(talk)
    assert report.get_content_type() == "multipart/mixed"
    assert [file.get_filename() for file in report.iter_attachments()] == ["map.svg"]
    assert '<img src="cid:map.png"' in body(report, "html")
    assert [part["Content-ID"] for part in report.walk() if part["Content-ID"]] == ["<map.png>"]


def test_a_daily_digest_keeps_the_html_of_its_notices(talk: Conversation) -> None:
    talk.run(f"=== {FRODO} replies\nSET DIGEST ON\n\n=== {FRODO} gets\none email a day\n{STARTED}")
    talk.run(
        "=== gm@example.org writes\nGM SW-1\nHOLD\n\n=== gm@example.org gets mail\n"
        "=== sam@shire.example gets\nSubject: the GM put the game on hold\n"
        f"\n=== it is 2026-09-01 18:00 UTC\n=== {FRODO} gets\nSubject: daily digest\n"
    )
    digest = last(talk)
    assert "<h2>THE GM PUT THE GAME ON HOLD</h2>" in body(digest, "html")
    assert body(digest, "html").count('class="marker"') == 1
    assert words(text_of_markup(body(digest, "html"))) == words(body(digest, "plain"))
