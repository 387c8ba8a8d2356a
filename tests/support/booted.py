"""Checks of the unit in a booted Debian, run by ``tests.support.installing``.

A program for that Debian's root, with the Python of the package. The game of the page continues:
while the service is killed, stopped, hung, backed up and restored, no turn is lost or doubled.
"""

import gzip
import logging
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from referee.daemon.worker import NICE

PATIENCE: Final = 120.0
UNIT: Final = Path("/lib/systemd/system/referee.service")
DROP_IN: Final = Path("/etc/systemd/system/referee.service.d/trial.conf")
SETTINGS: Final = Path("/etc/referee/referee.toml")
SOCKET: Final = Path("/run/referee/lmtp")
HANGING: Final = Path(__file__).with_name("hanging.py")
ARCHIVE: Final = Path("/var/backups/referee/game.tar.gz")
KEPT: Final = Path(__file__).parents[1] / "store" / "kept"
DISK: Final = Path("/dev/state")
STATE: Final = Path("/var/lib/referee")
HOLD: Final = STATE / "hold"
REACHED: Final = STATE / "hold.reached"
SEATS: Final = {"alice": "CERES", "bob": "MARS"}
PEOPLE: Final = {
    "gm": "you@example.org",
    "alice": "frodo@shire.example",
    "bob": "sam@shire.example",
}
"""The people of the kept site, by the users who get their mail here."""
_REPLIES: Final = r"^Reply-To: .*\s+<(games\+.*@games\.example\.org)>$"
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


def until_delivered(what: str, truth: Callable[[], bool]) -> None:
    """Wait until a condition is met that needs letters for the referee.

    If Postfix has found it stopped, it would wait for minutes before it tries again.
    """

    def is_met() -> bool:
        if truth():
            return True
        run("postqueue", "-f")
        time.sleep(1)
        return False

    until(what, is_met)


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


def priority(process: int) -> int:
    """Return the nice value of a process."""
    return os.getpriority(os.PRIO_PROCESS, process)


def _words(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def write(sender: str, to: str, body: str) -> None:
    """Send a letter as a user of this machine, or from an address."""
    address = sender if "@" in sender else f"{sender}@localhost"
    head = f"From: {address}\nTo: {to}\nSubject: from {sender}\n\n"
    run("sendmail", "-f", address, to, text=f"{head}{body}\n")


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
    for name, seat in SEATS.items():
        letters = re.split(r"^From ", mailbox(name), flags=re.M)
        (report, *_) = [each for each in letters[::-1] if f"[SW-1 T{turn} {seat}] report," in each]
        (to,) = re.findall(r"^Reply-To:[^<]*<([^>]+)>", report, re.M)[:1]
        write(name, to, "FINAL")


def see_turn(turn: int, times: int = 1) -> None:
    """Wait for a turn's reports; in the end each player must have *times* of them."""
    until_delivered(
        f"turn {turn} is here", lambda: all(reports(name, turn) >= times for name in SEATS)
    )
    until("nothing waits to go", lambda: "0 waiting" in referee("status").partition("out:")[2])
    assert {name: reports(name, turn) for name in SEATS} == dict.fromkeys(SEATS, times)


def drop_in(*lines: str) -> None:
    """Change the unit like ``systemctl edit``, and restart it."""
    DROP_IN.parent.mkdir(exist_ok=True)
    DROP_IN.write_text("\n".join(("[Service]", *lines, "")))
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
    # The unit must allow a worker to yield: SystemCallFilter=setpriority.
    yields = {min(priority(main_process()) + NICE, 19)}
    until(f"workers have nice {yields}", lambda: {priority(each) for each in workers()} == yields)
    for number in (main_process(), *workers()):
        status = Path(f"/proc/{number}/status").read_text(encoding="ascii")
        for line in ("NoNewPrivs:\t1", "Seccomp:\t2", "CapBnd:\t0000000000000000"):
            assert line in status, f"{line} is not true of {number}"
    told = run("systemd-analyze", "security", "--offline=true", "--no-pager", str(UNIT))
    (level,) = re.findall(r"Overall exposure level for referee.service: ([0-9.]+)", told)
    say(f"exposure {level}, a worker next to the daemon, no privileges")
    assert float(level) <= 1.5


def try_another_user() -> None:
    """Check that a user of this machine gets no email meant for the referee, and can send none.

    The mail server cannot read the settings.
    """
    connect = f"import socket; socket.socket(socket.AF_UNIX).connect('{SOCKET}')"
    bind = f"import socket; socket.socket(socket.AF_UNIX).bind('{SOCKET}')"
    assert "PermissionError" in refused("alice", "python3", "-c", connect)
    before = answers()
    run("systemctl", "stop", "referee")
    assert not SOCKET.exists()
    assert "PermissionError" in refused("alice", "python3", "-c", bind)
    assert "Permission denied" in refused("postfix", "cat", "/etc/referee/referee.toml")
    write("gm", "games@games.example.org", "LIST")
    until("the letter waits outside", lambda: "(connect to " in run("postqueue", "-p"))
    assert "not allowed" in refused("alice", "mailq")
    run("systemctl", "start", "referee")
    until_delivered("it is answered", lambda: answers() > before)
    say("another user of the machine cannot use the socket; the letter waited for it, and came")


def refused(user: str, *command: str) -> str:
    """Run a command as a user of this machine, which must fail, and return what it says."""
    done = subprocess.run(
        ("sudo", "-u", user, *command), capture_output=True, text=True, check=False
    )
    assert done.returncode != 0, done.stdout
    return done.stderr


def try_the_watchdog() -> None:
    """Check that the watchdog gets signals, and that a daemon that hangs is replaced."""
    drop_in("WatchdogSec=5", "RestartSec=1")
    before = main_process()
    time.sleep(11)
    assert main_process() == before
    os.kill(before, signal.SIGSTOP)
    until("it is replaced", lambda: is_replaced(before))
    assert "Watchdog timeout" in journal()
    say("the watchdog was heard for eleven seconds, and replaced a daemon that hung")


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
    # Ten seconds, and what a busy machine adds; then systemd would have killed it.
    assert took < 15, f"it took {took:.1f} seconds"
    HOLD.unlink()
    assert turn_now() == turn
    run("systemctl", "start", "referee")
    see_turn(turn + 1)
    say(f"stopped in {took:.1f} seconds while turn {turn} hung, which came once")


def answers() -> int:
    """Return how many answers the GM has got; the letters after each turn are none.

    A letter that was just being sent when the daemon was killed can come twice, as the guide for
    operators says: it has the same Message-ID, and counts once.
    """
    letters = re.split(r"^From ", mailbox("gm"), flags=re.M)
    replies = [each for each in letters if "Auto-Submitted: auto-replied" in each]
    return len(
        {found for each in replies for found in re.findall(r"^Message-ID:\s+(\S+)", each, re.M)}
    )


def try_to_kill_it() -> None:
    """Check that a kill during a turn, with letters in transit, loses and doubles nothing."""
    turn = begin_hanging_turn()
    daemon = main_process()
    before = answers()
    for _ in range(5):
        write("gm", "games@games.example.org", "LIST")
    os.kill(daemon, signal.SIGKILL)
    HOLD.unlink()
    until("it is back", lambda: is_replaced(daemon))
    assert "code=killed, status=9/KILL" in journal()
    see_turn(turn + 1)
    until_delivered("all letters are answered", lambda: answers() >= before + 5)
    run("systemctl", "restart", "referee")
    assert answers() == before + 5
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
        program = ("/usr/bin/referee", "--settings", str(SETTINGS), "doctor", "smtp")
        run("systemd-run", "--pipe", "--wait", "--quiet", "--uid=referee", *LOADED, *program)
    SETTINGS.write_text(settings, encoding="utf-8")
    run("systemctl", "restart", "referee")
    say("the mail server was shown the password of /etc/credstore")


def try_a_read_only_disk() -> None:
    """Check that nothing is lost while the disk of the state is read-only after an error."""
    if not DISK.exists():
        say("no disk here can be made read-only: that is NOT tried")
        return
    _move_to_the_disk()
    turn, daemon = turn_now(), main_process()
    before = answers()
    run("sync")
    # This is what the system does after an error of the disk.
    run("mount", "-o", "remount,abort", str(STATE))
    write("gm", "games@games.example.org", "LIST")
    until("the letter waits outside", lambda: "said: 4" in run("postqueue", "-p"))
    told = subprocess.run(
        ("sudo", "-u", "referee", "referee", "doctor", "state", "disk", "database"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, "read-only" in told.stdout) == (1, True), told.stdout
    assert turn_now() == turn
    assert main_process() == daemon
    say(f"on a read-only disk the daemon goes on, and the doctor says:\n{told.stdout}")
    run("systemctl", "stop", "referee")
    run("umount", str(STATE))
    repaired = subprocess.run(("fsck.ext4", "-y", str(DISK)), capture_output=True, check=False)
    assert repaired.returncode <= 1, repaired.stdout
    run("mount", str(DISK), str(STATE))
    run("systemctl", "start", "referee")
    until_delivered("it is answered", lambda: answers() > before)
    finish(turn)
    see_turn(turn + 1)
    assert answers() == before + 1
    say(f"the disk was repaired; the letter came once, and turn {turn}, too")


def _move_to_the_disk() -> None:
    """Move the state to a disk of its own, and restart the referee on it."""
    run("systemctl", "stop", "referee")
    run("mount", str(DISK), "/mnt")
    run("cp", "-a", f"{STATE}/.", "/mnt")
    run("umount", "/mnt")
    run("mount", "-o", "errors=remount-ro", str(DISK), str(STATE))
    run("systemctl", "start", "referee")


def try_an_upgrade(database: Path) -> None:
    """Check that the site of an earlier release is opened, and that its game is played on."""
    # Their mail comes to the users of this machine.
    run("postconf", "-e", "virtual_alias_domains = shire.example")
    users = ", ".join(f"{{{address} = {user}@localhost}}" for user, address in PEOPLE.items())
    run("postconf", "-e", f"virtual_alias_maps = inline:{{{users}}}")
    run("systemctl", "restart", "postfix")
    run("systemctl", "stop", "referee")
    for folder in (STATE, Path("/var/mail")):
        run("find", str(folder), "-mindepth", "1", "-delete")
    secret = database.with_name(f"{database.name.partition('.')[0]}.secret").read_text()
    owned = ("install", "-o", "referee", "-g", "referee", "-m", "600", "/dev/stdin")
    run(*owned, str(STATE / "secret"), text=secret)
    run(*owned, str(STATE / "referee.db"), text="")
    (STATE / "referee.db").write_bytes(gzip.decompress(database.read_bytes()))
    with closing(sqlite3.connect(STATE / "referee.db")) as kept, kept:
        # Their mail servers signed their emails, and nothing does here.
        kept.execute("UPDATE people SET signs = NULL")
    run("systemctl", "start", "referee")
    turn = turn_now()
    say(f"{database.name}: {referee('replay', 'SW-1').strip()}")
    play_on(turn)
    told = referee("replay", "SW-1").strip()
    assert told == f"SW-1: {turn} turns resolved again, identical"
    say(f"{database.name}: turn {turn} was played; {told}")


def play_on(turn: int) -> None:
    """Make the people of the kept site play its current turn, and wait for the reports."""
    boxes = ("alice", "bob")
    answers = {box: mailbox(box).count("done: FINAL") for box in boxes}
    for user in boxes:
        write(PEOPLE[user], reply_address(user), "FINAL")
    # What the GM is shown changes with each FINAL, and a change is asked about again.
    until_delivered(
        "both are answered",
        lambda: all(mailbox(box).count("done: FINAL") > answers[box] for box in boxes),
    )
    to = reply_address("gm")
    questions = mailbox("gm").count("confirm: RESOLVE")
    write(PEOPLE["gm"], to, "SW-1\nRESOLVE")
    until_delivered("it asks", lambda: mailbox("gm").count("confirm: RESOLVE") > questions)
    write(PEOPLE["gm"], reply_address("gm"), "CONFIRM")
    report = re.compile(rf"^Subject: .*\[SW-1 T{turn + 1} ", re.M)
    until_delivered(
        "the next turn is here", lambda: all(report.search(mailbox(box)) for box in boxes)
    )


def reply_address(user: str) -> str:
    """Wait for a user's letter about a game, and return where replies to the newest one go."""
    file = Path(f"/var/mail/{user}")
    until(
        f"{user} has a letter about a game",
        lambda: file.exists() and re.search(_REPLIES, mailbox(user), re.M) is not None,
    )
    return str(re.findall(_REPLIES, mailbox(user), re.M)[-1])


def try_the_journal() -> None:
    """Check that log lines are readable, with priorities and without addresses."""
    lines = [line for line in journal().splitlines() if line.startswith("level=")]
    form = re.compile(r'level=\w+ from=[\w.]+ event="[^"]+"')
    assert [line for line in lines if not form.match(line)] == []
    assert not [line for line in lines if "localhost" in line or "games+" in line]
    assert "level=info" not in journal("--priority=err")
    say("the journal:\n" + "\n".join(lines[-8:]))


def main() -> None:
    """Run all checks; leave the referee running with the original unit."""
    logging.disable()
    try_the_sandbox()
    try_another_user()
    try_the_watchdog()
    hanging = f"/usr/lib/referee/bin/python {HANGING} {SETTINGS} {HOLD}"
    drop_in("RestartSec=1", "ExecStart=", f"ExecStart={hanging}")
    try_a_worker_that_dies()
    try_to_stop_in_a_turn()
    try_to_kill_it()
    drop_in()
    try_the_backup()
    try_the_passwords()
    try_the_journal()
    try_a_read_only_disk()
    for database in sorted(KEPT.glob("*.db.gz")):
        try_an_upgrade(database)
    say(run("systemctl", "status", "--no-pager", "referee"))


if __name__ == "__main__":
    main()
