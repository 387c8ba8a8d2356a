"""A real Postfix, set up by the snippets: with a socket, and with a full disk."""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee import resources
from referee.app import build_accept
from referee.desk.base.desk import Site
from referee.domain.mail_transfer import Delivery, IncomingMail
from referee.letters.outgoing.compose import Composer
from referee.mail.security import Login, Security
from referee.mail.smtp import SmtpSender
from referee.mail.smtpd import MailProtocol, Receiver
from referee.opening import open_store
from referee.settings import load
from referee.store import Store
from referee.store.mail import inbox, outbox
from referee.store.models import InboxLetter
from referee.testing.correspondents import MAIL_SERVER, signed
from tests.live import dovecot as dovecot_server
from tests.live import postfix as postfix_server
from tests.live.dovecot import PASSWORD, Dovecot
from tests.live.playing import in_time
from tests.live.postfix import Postfix
from tests.live.servers import until
from tests.mail.samples import RAW, client_context, letter
from tests.support.processes import Installation

pytestmark = [pytest.mark.live, pytest.mark.slow]

DEPLOY = resources.folder("deploy")
SOCKET = "/run/referee/lmtp"
HOUSE = "games@games.example.org"
GM = "gm@example.org"
FRODO = "frodo@shire.example"


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    with dovecot_server.running() as server:
        yield server


@pytest.fixture(scope="module")
def submission(dovecot: Dovecot) -> Iterator[Postfix]:
    """Return a Postfix with the submission service of the snippet, with logins by Dovecot."""
    service = (DEPLOY / "postfix-submission.cf").read_text()
    with postfix_server.running() as server:
        # Dovecot has no privileges here and cannot create a socket in Postfix's queue, so use a
        # port.
        service = service.replace("private/auth", f"inet:127.0.0.1:{dovecot.sasl_port}")
        service = service.replace("submission inet", f"127.0.0.1:{server.submission_port} inet")
        server.add(services=service)
        server.route("*", dovecot.lmtp_port, "lmtp")
        yield server


def submitting(server: Postfix, password: str, login: Login = Login.PASSWORD) -> SmtpSender:
    return SmtpSender(
        "localhost",
        server.submission_port,
        Security.STARTTLS,
        "referee",
        lambda: password,
        login=login,
        timeout_seconds=20,
        context=client_context(),
    )


def test_letters_are_submitted_with_a_password_in_one_session(
    submission: Postfix, dovecot: Dovecot
) -> None:
    before = len(submission.log())
    attempts = list(submitting(submission, PASSWORD).send([letter(n, FRODO) for n in range(20)]))
    assert [attempt.delivery for attempt in attempts] == [Delivery.SENT] * 20
    until("all are delivered", lambda: len(dovecot.letters("frodo")) == 20)
    log = submission.log()[before:]
    assert len(re.findall(r"postfix/submission/smtpd.*: connect from", log)) == 1
    assert len(re.findall(r"sasl_method=PLAIN, sasl_username=referee", log)) == 20


def test_letters_are_submitted_with_a_token(submission: Postfix, dovecot: Dovecot) -> None:
    sender = submitting(submission, dovecot.token(), Login.TOKEN)
    (attempt,) = sender.send([letter(1, "sam@shire.example")])
    assert attempt.delivery is Delivery.SENT
    until("it is delivered", lambda: len(dovecot.letters("sam")) == 1)
    assert "sasl_method=XOAUTH2, sasl_username=referee" in submission.log()


@pytest.mark.parametrize("login", Login)
def test_a_wrong_login_sends_nothing_and_is_reported(submission: Postfix, login: Login) -> None:
    (attempt,) = submitting(submission, "wrong", login).send([letter(1, FRODO)])
    assert attempt.delivery is Delivery.DEFERRED
    assert attempt.reason.startswith("535 5.7.8 Error: authentication failed")


class Desk:
    """A receiver on a Unix socket behind Postfix, with its letters."""

    def __init__(self, path: Path, size_limit: int) -> None:
        self.arrivals: list[IncomingMail] = []
        self.receiver = Receiver(
            self.arrivals.append,
            clock=lambda: datetime.now(UTC),
            recipients=lambda address: True,
            protocol=MailProtocol.LMTP,
            path=path,
            size_limit=size_limit,
        )


def test_a_socket_works_and_too_large_letters_bounce(submission: Postfix) -> None:
    postfix, before = submission, len(submission.log())
    with _open_folder() as folder:
        desk = Desk(folder / "lmtp", 20_000)
        desk.receiver.start()
        # Here Postfix is not in our group, so the socket gets the group of Postfix.
        shutil.chown(folder / "lmtp", group="postfix")
        try:
            postfix.route_to("referee.example", f"lmtp:unix:{folder}/lmtp")
            sender = SmtpSender("127.0.0.1", postfix.port, Security.NONE, timeout_seconds=20)
            large = RAW + b"x" * 70 + b"\r\n" + (b"x" * 70 + b"\r\n") * 1000
            (attempt,) = sender.send([letter(1, "games@referee.example")])
            until("the small one is taken", lambda: len(desk.arrivals) == 1)
            (attempt,) = sender.send([letter(2, "games@referee.example", large)])
            assert attempt.delivery is Delivery.SENT
            until("its sender is notified", lambda: len(desk.arrivals) == 2)
        finally:
            desk.receiver.stop()
    assert desk.arrivals[0].raw.endswith(RAW.partition(b"\r\n\r\n")[2])
    assert desk.arrivals[1].sender == "<>"
    assert re.search(r"status=bounced .*(552|message size)", postfix.log()[before:])


@contextmanager
def _open_folder() -> Iterator[Path]:
    """Return a folder that Postfix, another user, can access."""
    with tempfile.TemporaryDirectory(prefix="referee-socket-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a disk of two megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "referee-test", place],
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
    yield place
    subprocess.run(["umount", "-l", place], timeout=10, check=True)


def test_postfix_keeps_a_letter_while_the_disk_is_full(
    submission: Postfix, small_disk: Path
) -> None:
    postfix, before = submission, len(submission.log())
    store = Store(f"sqlite:///{small_disk}/referee.db")
    store.migrate()
    site = Site({}, Composer("games@c.example", "referee"), b"k" * 32, "games@c.example")
    receiver = Receiver(
        build_accept(store, site),
        clock=lambda: datetime.now(UTC),
        recipients=lambda address: True,
        protocol=MailProtocol.LMTP,
    )
    receiver.start()
    try:
        postfix.route("referee.example", receiver.port, "lmtp")
        filler = small_disk / "filler"
        _fill(filler)
        sender = SmtpSender("127.0.0.1", postfix.port, Security.NONE, timeout_seconds=20)
        list(sender.send([letter(1, "games@referee.example", RAW + b"x" * 100_000)]))
        until("Postfix has put it off", lambda: "status=deferred" in postfix.log()[before:])
        assert "451 4.3.0 The email could not be stored" in postfix.log()[before:]
        assert _taken(store) == []
        filler.unlink()
        postfix.flush()
        until("it is taken", lambda: len(_taken(store)) == 1)
        until("the queue is empty", lambda: postfix.queue() == "")
    finally:
        receiver.stop()
        store.close()


def _fill(file: Path) -> None:
    with file.open("wb", buffering=0) as writer:
        try:
            while True:
                writer.write(bytes(4096))
        except OSError:
            return


def _taken(store: Store) -> list[InboxLetter]:
    with store.read() as session:
        return inbox.listing(session, None, 9)


def test_the_snippet_delivers_letters_and_bounces_and_rejects_strangers(
    postfix: Postfix, tmp_path: Path
) -> None:
    with _turning_away() as port, _folder_of_the_group() as runtime:
        installation = _by_the_snippet(postfix, tmp_path, runtime, elsewhere=port)
        _play_into_the_void(postfix, installation)
        _keep_while_stopped(postfix, installation)


@contextmanager
def _folder_of_the_group() -> Iterator[Path]:
    """Yield a folder as the unit makes it, with the group of Postfix, which is in no other here."""
    with _open_folder() as folder:
        shutil.chown(folder, group="postfix")
        folder.chmod(0o2750)
        yield folder


def _keep_while_stopped(postfix: Postfix, installation: Installation) -> None:
    """Send an email while the referee is stopped, which gets it when it is started again."""
    sender = SmtpSender("127.0.0.1", postfix.port, Security.NONE, timeout_seconds=20)
    _write(sender, FRODO, "LIST\n")
    until("Postfix keeps it", lambda: "(connect to " in postfix.queue())
    # The queue shows reply addresses.
    told = postfix.queue_for("nobody")
    assert (told.stdout, "not allowed to view the mail queue" in told.stderr) == ("", True)
    with installation.running():
        until("the queue is empty", lambda: postfix.queue() == "")


def _play_into_the_void(postfix: Postfix, installation: Installation) -> None:
    sender = SmtpSender("127.0.0.1", postfix.port, Security.NONE, timeout_seconds=20)
    (refused,) = sender.send([letter(1, "sauron@games.example.org")])
    assert refused.delivery is Delivery.REJECTED
    assert "5.1.1" in refused.reason
    with installation.running():
        _write(
            sender,
            GM,
            "CREATE STARWEB SEATS 2 DEADLINE '1 hour'\nOPTION worlds=36\n".replace("'", '"'),
        )
        store = open_store(load(installation.file))
        in_time("the game is open", lambda: "GameCreated" in _written(store))
        _write(sender, FRODO, "JOIN SW-1 FRODO\n")
        in_time("a bounce is counted", lambda: "BounceWarning" in _written(store))
        listed = _mail(installation, "list")
        store.close()
    bounce = next(line for line in listed.splitlines() if "mailer-daemon" in line)
    assert " ignored " in bounce
    explained = _mail(installation, "explain", bounce.split()[0])
    assert re.search(r"bounce, counted for account #\d{6}", explained)
    shown = _mail(installation, "show", bounce.split()[0])
    assert "multipart/report" in shown
    assert "550 5.1.1 No such address here" in shown


@contextmanager
def _turning_away() -> Iterator[int]:
    """Return the port of a mail server that rejects all recipients."""
    server = Receiver(
        lambda arrival: None, clock=lambda: datetime.now(UTC), recipients=lambda address: False
    )
    server.start()
    try:
        yield server.port
    finally:
        server.stop()


def _by_the_snippet(postfix: Postfix, folder: Path, runtime: Path, elsewhere: int) -> Installation:
    """Set up Postfix and the referee by the snippet, except for the places where they listen.

    Letters to other domains go to the port *elsewhere*.
    """
    snippet = (DEPLOY / "postfix.cf").read_text()
    here = str(runtime / "lmtp")
    for name, line in re.findall(r"^#     /etc/postfix/(\w+):  (.+)$", snippet, re.M):
        world = f"* smtp:[127.0.0.1]:{elsewhere}\n" if "transport" in name else ""
        postfix.map(name, line.replace(SOCKET, here) + "\n" + world)
    postfix.add(main=snippet)
    shown = re.findall(r"^#     (\[\w+\]|\w+ = .+)$", snippet, re.M)
    settings = "\n".join(shown).replace(SOCKET, here)
    settings = settings.replace("port = 25\n", f"port = {postfix.port}\n")
    people = f'[site]\noperator = "you@example.org"\ncreators = ["{GM}"]\n'
    trust = f'[trust]\nauthserv_ids = ["{MAIL_SERVER}"]\n'
    return Installation(folder, settings.replace("[site]\n", people) + "\n" + trust)


def _write(sender: SmtpSender, author: str, body: str) -> None:
    raw = f"From: {author}\r\nTo: {HOUSE}\r\nMessage-ID: <{hash(body)}@here>\r\n\r\n{body}"
    sent = letter(1, HOUSE, signed(raw.encode()))
    assert [attempt.delivery for attempt in sender.send([sent])] == [Delivery.SENT]


def _written(store: Store) -> list[str]:
    with store.read() as session:
        return [row.kind for row in outbox.listing(session, None, 50)]


def _mail(installation: Installation, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "referee", "--settings", installation.file, "mail", *words],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    return done.stdout
