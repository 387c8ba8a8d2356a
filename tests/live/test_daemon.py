"""The whole referee between real servers: a Dovecot for its mailbox, and a Postfix."""

import re
import signal
import threading

import pytest

from referee.store.games import games
from tests.live.playing import SEATS, House, in_time

pytestmark = pytest.mark.live


@pytest.mark.slow
def test_a_game_is_played_to_its_deadline_and_checked(house: House) -> None:
    with house.installation.running() as referee:
        house.begin("15 seconds")
        orders = house.order(1)
        house.until_quiet()
        shown = house.command("status")
        assert re.search(r"SW-1 +starweb +running +1 +2 of 2 +2 of 2 ", shown.output), shown.output
        reports = {seat: house.report(seat, 2) for seat in SEATS}
        log = referee.stop()
    assert "level=error" not in log
    assert 'event="referee stopped"' in log
    house.check_mailboxes(turns=2)
    assert house.done() == (0, sum(len(person.wrote) for person in house.people))
    assert house.sheets(1) == orders
    for seat in SEATS:
        assert f"Game SW-1, Turn 2, [{seat}]" in reports[seat].text
    with house.store() as store, store.read() as session:
        turn = games.turn_of(session, house.game(session), 1)
    assert turn.resolved_at is not None
    assert turn.deadline_at is not None
    assert turn.resolved_at >= turn.deadline_at
    _check_commands(house, orders["FRODO"])


def _check_commands(house: House, orders: list[str]) -> None:
    """Check the played game with every command of an operator."""
    # On a busy machine, the next deadline passes before the referee is stopped.
    replayed = house.command("replay", "SW-1").output
    assert re.fullmatch(r"SW-1: \d turns? resolved again, identical\n", replayed), replayed
    shown = house.command("status").output
    assert re.search(r"SW-1 +starweb +running +\d +2 of 2 +0 of 2 ", shown)
    assert re.search(r"Emails in: +0 waiting, 5 read, 0 held, 0 ignored, 0 quarantined", shown)
    assert re.search(r"Emails out: +\d waiting, \d+ sent, 0 failed", shown)
    listed = house.command("mail", "list").output.splitlines()
    assert [line.split()[0] for line in listed] == ["number", "5", "4", "3", "2", "1"]
    assert all(re.search(r" read\b", line) for line in listed[1:]), listed
    assert "Acknowledgement" in house.command("mail", "list", "outbox").output
    checked = house.command("check", "-", "--game", "SW-1", "--seat", "FRODO", stdin="F999TX\n")
    assert (checked.exit_code, checked.stderr) == (1, "")
    assert "REJECTED (1)" in checked.output
    folder = house.installation.folder
    assert house.command("game", "export", "SW-1", folder / "1.json", "--turn", "1").exit_code == 0
    (folder / "FRODO.txt").write_text("\n".join(orders))
    resolved = house.command("resolve", folder / "1.json", folder / "FRODO.txt", "--out", folder)
    assert (resolved.exit_code, resolved.stderr) == (0, "")
    assert "Turn 2, [FRODO]" in (folder / "FRODO.txt").read_text()


@pytest.mark.release
def test_a_signal_ends_it_cleanly_while_letters_are_coming_in(house: House) -> None:
    ended = threading.Event()

    def write() -> None:
        while not ended.wait(0.02):
            house.gm.write(house.address, "HELP\n")

    writing = threading.Thread(target=write)
    with house.installation.running() as referee:
        writing.start()
        try:
            in_time("some letters are answered", lambda: len(house.gm.letters()) > 3)
            referee.program.send_signal(signal.SIGTERM)
            log = referee.ended(20)
        finally:
            ended.set()
            writing.join()
    assert 'event="referee stopped"' in log
    assert "level=error" not in log
    with house.installation.running():
        house.until_read()
    # Not all of so many letters from one sender are answered, but none is answered twice.
    assert set(house.gm.answers().values()) <= {0, 1}
    assert house.taken() == len(house.gm.wrote)
