"""Checks of the unit in a booted Debian, run by ``tests.support.installing``.

A program for that Debian's root, with the Python of the installation. The game of the page
continues: while the service is killed, stopped, hung, backed up and restored, no turn is lost or
doubled.
"""

import logging
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

PATIENCE: Final = 60.0
UNIT: Final = Path("/etc/systemd/system/referee.service")
SETTINGS: Final = Path("/etc/referee/referee.toml")
HOLD: Final = Path("/var/lib/referee/hold")
REACHED: Final = Path("/var/lib/referee/hold.reached")
HANGING: Final = Path(__file__).with_name("hanging.py")
ARCHIVE: Final = Path("/var/backups/referee/game.tar.gz")
SEATS: Final = {"alice": "CERES", "bob": "MARS"}
PASSWORD: Final = "correct horse"
LOADED: Final = [
    f"--property=LoadCredential={name}.password:referee.{name}.password"
    for name in ("imap", "smtp")
]


def say(words: str) -> None:
    """Print a progress message."""
    sys.stdout.write(f"--- {words}\n")
    sys.stdout.flush()


def run(*command: str, text: str | None = None) -> str:
    """Run a command that must succeed, and return its output."""
    done = subprocess.run(
        command,
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}"
    return done.stdout


def referee(*command: str) -> str:
    """Run a command of the referee as its own user."""
    return run("sudo", "-u", "referee", "referee", *command)


def until(what: str, truth: Callable[[], bool]) -> None:
    """Wait until a condition is met."""
    end = time.monotonic() + PATIENCE
    while not truth():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.1)


def shown(name: str) -> str:
    """Return what systemd says about the unit."""
    return run("systemctl", "show", "--property", name, "--value", "referee").strip()


def journal(*choice: str) -> str:
    """Return the journal of the unit."""
    return run("journalctl", "--unit=referee", "--no-pager", "--output=cat", *choice)


def main_process() -> int:
    """Return the process id of the daemon."""
    return int(shown("MainPID"))


def is_replaced(daemon: int) -> bool:
    """Return whether another daemon than this one is ready."""
    return shown("SubState") == "running" and main_process() != daemon


def workers() -> list[int]:
    """Return the process ids of the daemon's workers."""
    children = Path("/proc").glob("[0-9]*/cmdline")
    return [int(file.parent.name) for file in children if b"spawn_main" in _words(file)]


def _words(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def write(sender: str, to: str, body: str) -> None:
    """Send a letter as a user of this machine."""
    head = f"From: {sender}@localhost\nTo: {to}\nSubject: from {sender}\n\n"
    run("sendmail", "-f", f"{sender}@localhost", to, text=f"{head}{body}\n")


def mailbox(name: str) -> str:
    """Return the mailbox of a user."""
    return Path(f"/var/mail/{name}").read_text(encoding="utf-8")


def reports(name: str, turn: int) -> int:
    """Return the number of reports of a turn that a user has received."""
    subject = rf"^Subject: .*\[SW-1 T{turn} {SEATS[name]}\].* report(?:,|$)"
    return len(re.findall(subject, mailbox(name), re.M))


def turn_now() -> int:
    """Return the current turn of the game."""
    (row,) = re.findall(r"^SW-1 +starweb +running +(\d+)", referee("status"), re.M)
    return int(row)


def finish(turn: int) -> None:
    """Make both players reply FINAL to their report of a turn."""
    for name in SEATS:
        to = re.findall(rf"^ <(games\+s\d+-\d+-report{turn}-.*)>$", mailbox(name), re.M)[-1]
        write(name, to, "FINAL")


def see_turn(turn: int, times: int = 1) -> None:
    """Wait for a turn's reports; in the end each player must have *times* of them."""
    until(f"turn {turn} is here", lambda: all(reports(name, turn) >= times for name in SEATS))
    until("nothing waits to go", lambda: "0 waiting" in referee("status").partition("out:")[2])
    assert {name: reports(name, turn) for name in SEATS} == dict.fromkeys(SEATS, times)


def drop_in(*lines: str) -> None:
    """Change the unit like ``systemctl edit``, and restart it."""
    file = UNIT.with_name("referee.service.d") / "trial.conf"
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join(("[Service]", *lines, "")))
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", "referee")


def begin_hanging_turn() -> int:
    """Make a due turn hang in a worker while a file exists, and return its number."""
    turn = turn_now()
    REACHED.unlink(missing_ok=True)
    HOLD.touch()
    finish(turn)
    until("a worker is at the turn", REACHED.exists)
    return turn


def try_the_sandbox() -> None:
    """Check that daemon and worker have no privileges, and print the exposure of the unit."""
    assert shown("ActiveState") == "active"
    for number in (main_process(), *workers()):
        status = Path(f"/proc/{number}/status").read_text(encoding="ascii")
        for line in ("NoNewPrivs:\t1", "Seccomp:\t2", "CapBnd:\t0000000000000000"):
            assert line in status, f"{line} is not true of {number}"
    assert [os.getpriority(os.PRIO_PROCESS, worker) for worker in workers()] == [5], "no worker"
    told = run("systemd-analyze", "security", "--offline=true", "--no-pager", str(UNIT))
    (level,) = re.findall(r"Overall exposure level for referee.service: ([0-9.]+)", told)
    say(f"exposure {level}, a worker next to the daemon, no privileges")
    assert float(level) <= 1.5


def try_the_watchdog() -> None:
    """Check that the watchdog gets signals, and that a daemon that hangs is replaced."""
    drop_in("WatchdogSec=2", "RestartSec=1")
    before = main_process()
    time.sleep(7)
    assert main_process() == before
    os.kill(before, signal.SIGSTOP)
    until("it is replaced", lambda: is_replaced(before))
    assert "Watchdog timeout" in journal()
    say("the watchdog was heard for seven seconds, and replaced a daemon that hung")


def try_a_worker_that_dies() -> None:
    """Check that the turn of a dead worker is resolved by another one."""
    turn = begin_hanging_turn()
    (worker,) = workers()
    os.kill(worker, signal.SIGKILL)
    HOLD.unlink()
    see_turn(turn + 1)
    assert worker not in workers()
    say(f"a worker was killed over turn {turn}, which came once")


def try_to_stop_in_a_turn() -> None:
    """Check that a stop is quick and leaves no process, and that the turn is resolved later."""
    turn = begin_hanging_turn()
    begun = time.monotonic()
    run("systemctl", "stop", "referee")
    took = time.monotonic() - begun
    assert (shown("Result"), workers()) == ("success", [])
    assert took < 10, f"it took {took:.1f} seconds"
    HOLD.unlink()
    assert turn_now() == turn
    run("systemctl", "start", "referee")
    see_turn(turn + 1)
    say(f"stopped in {took:.1f} seconds while turn {turn} hung, which came once")


def try_to_kill_it() -> None:
    """Check that a kill during a turn, with letters in transit, loses and doubles nothing."""
    turn = begin_hanging_turn()
    daemon = main_process()
    before = mailbox("gm").count("In-Reply-To: ")
    for _ in range(5):
        write("gm", "games@games.example.org", "LIST")
    os.kill(daemon, signal.SIGKILL)
    HOLD.unlink()
    until("it is back", lambda: is_replaced(daemon))
    assert "code=killed, status=9/KILL" in journal()
    run("postqueue", "-f")
    see_turn(turn + 1)
    until("all letters are answered", lambda: mailbox("gm").count("In-Reply-To: ") >= before + 5)
    run("systemctl", "restart", "referee")
    assert mailbox("gm").count("In-Reply-To: ") == before + 5
    say(f"the daemon was killed over turn {turn} and five letters; all came once")


def try_the_backup() -> None:
    """Check that a backup from a running referee can be restored, checked and continued."""
    turn = turn_now()
    referee("backup", str(ARCHIVE))
    finish(turn)
    see_turn(turn + 1)
    run("systemctl", "stop", "referee")
    say(referee("restore", "--force", str(ARCHIVE)).strip())
    assert turn_now() == turn
    run("systemctl", "start", "referee")
    told = referee("replay", "SW-1").strip()
    assert told == f"SW-1: {turn - 1} turns resolved again, identical"
    say(told)
    # Events after the backup are lost, so the players get that report again.
    finish(turn)
    see_turn(turn + 1, times=2)


class Asking:
    """A mail server that requires a password."""

    def __init__(self) -> None:
        self.taken: list[str] = []

    async def handle_DATA(self, _server: Any, session: Any, envelope: Any) -> str:
        """Accept a letter from an authenticated user."""
        if not session.authenticated:
            return "530 log in first"
        self.taken.extend(envelope.rcpt_tos)
        return "250 taken"


def _knows(_server: Any, _session: Any, _envelope: Any, _way: str, login: Any) -> AuthResult:
    known = isinstance(login, LoginPassword) and login.password == PASSWORD.encode()
    return AuthResult(success=known)


@contextmanager
def asking_server(port: int) -> Iterator[Asking]:
    """Run a mail server that requires a password."""
    asking = Asking()
    server = Controller(
        asking,
        hostname="127.0.0.1",
        port=port,
        authenticator=_knows,
        auth_require_tls=False,
    )
    server.start()
    yield asking
    server.stop()


def try_the_passwords() -> None:
    """Check that a password that only root can read reaches the daemon through systemd."""
    settings = SETTINGS.read_text(encoding="utf-8")
    login = 'port = 2525\nuser = "games"\npassword_file = "smtp.password"'
    SETTINGS.write_text(settings.replace("port = 25\n", f"{login}\n"), encoding="utf-8")
    run("install", "-d", "-m", "700", "/etc/credstore")
    place = "/etc/credstore/referee.smtp.password"
    run("install", "-m", "600", "/dev/stdin", place, text=f"{PASSWORD}\n")
    with asking_server(2525) as asking:
        run("systemctl", "restart", "referee")
        write("gm", "games@games.example.org", "LIST")
        until("a letter went out", lambda: "gm@localhost" in asking.taken)
        program = ("/opt/referee/bin/referee", "--settings", str(SETTINGS), "doctor", "smtp")
        run("systemd-run", "--pipe", "--wait", "--quiet", "--uid=referee", *LOADED, *program)
    SETTINGS.write_text(settings, encoding="utf-8")
    run("systemctl", "restart", "referee")
    say("the mail server was shown the password of /etc/credstore")


def try_the_journal() -> None:
    """Check that log lines are readable, with priorities and without addresses."""
    lines = [line for line in journal().splitlines() if line.startswith("level=")]
    assert all(re.match(r'level=\w+ from=[\w.]+ event="[^"]+"', line) for line in lines)
    assert not [line for line in lines if "localhost" in line or "games+" in line]
    assert "level=info" not in journal("--priority=err")
    say("the journal:\n" + "\n".join(lines[-8:]))


def main() -> None:
    """Run all checks; leave the referee running with the original unit."""
    logging.disable()
    try_the_sandbox()
    try_the_watchdog()
    hanging = f"/opt/referee/bin/python {HANGING} {SETTINGS} {HOLD}"
    drop_in("RestartSec=1", "ExecStart=", f"ExecStart={hanging}")
    try_a_worker_that_dies()
    try_to_stop_in_a_turn()
    try_to_kill_it()
    drop_in()
    try_the_backup()
    try_the_passwords()
    try_the_journal()
    say(run("systemctl", "status", "--no-pager", "referee"))


if __name__ == "__main__":
    main()
