"""What an operator is asked for on the telephone: emails, players and games are found."""

from pathlib import Path

import pytest

from referee.store.mail import inbox
from tests.support.hourly import HOUR, NOON, installed, play, run, write


@pytest.fixture(autouse=True)
def folder(site: Path) -> Path:
    """Return a site whose game is before the orders of turn 4."""
    with installed() as app:
        write(app, ("frodo@shire.example", "STATUS"))
        play(app, hours=0, since=NOON + 3 * HOUR)
    return site


def rows(*arguments: str) -> list[list[str]]:
    """Return the words of each row that a command lists, without the headings."""
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    return [line.split() for line in done.output.splitlines()[1:]]


@pytest.mark.slow
def test_emails_in_are_found_by_address_game_seat_and_day() -> None:
    newest, joined = rows("mail", "list", "--address", "FRODO")
    assert joined[4:7] == ["frodo@shire.example", "-", "-"]
    assert newest[0] == "4"
    assert newest[4:8] == ["frodo@shire.example", "SW-1", "FRODO", "#1"]
    assert [row[0] for row in rows("mail", "list", "--game", "sw-1", "--seat", "frodo")] == ["4"]
    assert run("mail", "list", "--game", "SW-1", "--seat", "SAM").output == "No emails.\n"
    assert [row[0] for row in rows("mail", "list", "--day", "2026-09-01")] == ["4", "3", "2", "1"]
    assert run("mail", "list", "--day", "2026-09-02").output == "No emails.\n"
    assert (
        "23.11.2026 is not a day. Write it like 2026-09-18."
        in run("mail", "list", "--day", "23.11.2026").output
    )
    assert run("mail", "list", "--address", "%").output == "No emails.\n"
    assert run("mail", "list", "--seat", "SAM").exit_code == 2


@pytest.mark.slow
def test_emails_out_are_found_by_address_game_seat_and_day() -> None:
    every = run("mail", "list", "outbox", "--address", "frodo@", "--limit", "100").output
    assert "sam@shire.example" not in every
    assert "SW-1  FRODO" in every
    assert "Report" in every
    seat = run("mail", "list", "outbox", "--game", "SW-1", "--seat", "FRODO").stdout
    assert seat.splitlines()[-1] in every
    assert run("mail", "list", "outbox", "--day", "2020-01-01").output == "No emails.\n"


@pytest.mark.slow
def test_a_long_subject_is_cut() -> None:
    with installed() as app:
        write(app, ("pippin@shire.example", "HELP"))
        with app.store.write() as session:
            letter = inbox.by_id(session, 5)
            assert letter is not None
            letter.raw = b"Subject: " + b"x" * 60 + b"\r\n\r\nHELP\r\n"
    (row,) = rows("mail", "list", "--address", "pippin")
    assert "x" * 37 + "..." in row


@pytest.mark.slow
def test_the_games_and_their_seats_are_listed() -> None:
    (row,) = rows("games")
    assert " ".join(row) == "SW-1 starweb running 4 2 of 2 2026-09-01 16:00 UTC you@example.org"
    shown = run("games", "sw-1").output
    assert "SW-1: starweb, running, turn 4\n" in shown
    assert "GMs:      you@example.org\n" in shown
    assert shown.splitlines()[-2].split()[:3] == ["1", "FRODO", "frodo@shire.example"]
    assert run("games", "SW-9").exit_code == 1


def test_players_are_found_by_name_address_and_game() -> None:
    listed = rows("players", "--game", "SW-1")
    assert [row[0] for row in listed] == [
        "frodo@shire.example",
        "sam@shire.example",
        "you@example.org",
    ]
    (frodo,) = rows("players", "FRODO")
    assert frodo[3:] == ["SW-1", "FRODO", "2026-09-01", "12:00", "UTC", "0"]
    (gm,) = rows("players", "you@")
    assert gm[3:5] == ["SW-1", "GM"]
    assert run("players", "nobody").output == "No players.\n"
