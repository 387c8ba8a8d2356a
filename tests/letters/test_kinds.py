"""People are answered and machines are not: a corpus of both, in the forms they write."""

import re
from pathlib import Path

import pytest

from referee.letters.incoming.decode import decode
from referee.letters.incoming.screening import Screening, screen

KINDS = Path(__file__).parent / "kinds"
TOKEN = "games+s1-1-report1-aaaaaaaaaaaaaaaaaaaa@referee.example"


def lines_of(name: str) -> list[str]:
    """Return the letters of a corpus, each in its line."""
    lines = (KINDS / f"{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def made(line: str, to: str = "games@referee.example") -> bytes:
    """Return the letter that a line of a corpus describes."""
    written = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), line)
    sender, subject, headers, text = (part.strip() for part in written.split("|", 3))
    # A field can have a semicolon of its own, such as that of a boundary.
    fields = [field for field in re.split(r"; (?=[A-Z][\w-]+: )", headers) if field]
    head = (f"From: {sender}", f"To: {to}", f"Subject: {subject}", *fields)
    return "\n".join((*head, "", *(part.strip() for part in text.split(" / ")), "")).encode()


def kind(line: str, to: str = "games@referee.example") -> Screening:
    raw = made(line, to)
    return screen(decode(raw), raw, "", "token")


def gestures() -> list[tuple[str, str]]:
    """Return the gestures, each with the name of its kind."""
    parts = (KINDS / "gestures.txt").read_text("utf-8").split("# ---- ")[1:]
    named = (part.splitlines() for part in parts)
    return [(name, line) for name, *lines in named for line in lines if line]


MACHINES, PEOPLE = lines_of("machines"), lines_of("people")


@pytest.mark.parametrize("to", ["games@referee.example", TOKEN])
def test_machines_are_recognised(to: str) -> None:
    missed = [line for line in MACHINES if kind(line, to) is Screening.HUMAN]
    # One in a hundred can be missed, but no corpus of ours has such a letter today.
    assert missed == []


def test_gestures_are_known_by_their_kind() -> None:
    assert [(kind(line).value, line) for _, line in gestures()] == gestures()


@pytest.mark.parametrize("to", ["games@referee.example", TOKEN])
def test_no_person_is_called_a_machine(to: str) -> None:
    assert [line for line in PEOPLE if kind(line, to) is not Screening.HUMAN] == []


@pytest.mark.parametrize(
    "text",
    [
        "F4W7",
        "I run the mail server here.",
        "F4W7 / On Monday, Referee <a@b.example> wrote: / > 550",
    ],
)
def test_words_from_the_address_of_a_mail_server_are_no_bounce(text: str) -> None:
    line = f"MAILER-DAEMON@shire.example | Re: [SW-1 T2 FRODO] report | | {text}"
    assert kind(line, TOKEN) is Screening.AUTOMATIC


@pytest.mark.parametrize(
    "text", ["550 5.1.1 no such user", "550 no such user", "<f@x>: / 5.2.2 full"]
)
def test_the_code_of_a_failure_from_a_mail_server_is_a_bounce(text: str) -> None:
    assert kind(f"MAILER-DAEMON@x.example | report | | {text}", TOKEN) is Screening.BOUNCE
