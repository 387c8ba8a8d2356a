"""``referee mail``: management of emails by the operator."""

import hashlib
import sys
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO, Final

import click

from referee.app import build_accept, build_site
from referee.cli.common import open_database, settings_of
from referee.cli.help_format import HelpGroup
from referee.cli.mail_listing import explain, list_letters
from referee.cli.terminal import printable, tell
from referee.clock import now
from referee.daemon import claim_owners
from referee.desk.reception.intake_leases import IntakeRegistration
from referee.domain.mail_transfer import IncomingMail
from referee.errors import Finding, NotFound, RefereeError
from referee.mail.letter_buffer import LetterBuffer
from referee.rules.wording import counted
from referee.store.mail import circuit_breaker, inbox, outbox

TRY_LATER: Final = 75
"""The exit status that makes a mail server keep an email (EX_TEMPFAIL)."""

_PIECE_OCTETS: Final = 64 * 1024

_outgoing = click.option("--outgoing", is_flag=True, help="NUMBER is that of an outgoing email.")


@click.group("mail", cls=HelpGroup)
def command() -> None:
    """Manage emails.

    NUMBER is the number of an email in the inbox, or with --outgoing of one in the outbox.
    """


command.add_command(list_letters)


@command.command("show")
@click.argument("number", type=int)
@_outgoing
@click.pass_context
def show(ctx: click.Context, number: int, *, outgoing: bool) -> None:
    """Write an email to stdout, and its state to stderr.

    A file or a pipe gets it byte for byte. For a terminal, characters that act on it are written
    out as escapes.
    """
    with open_database(settings_of(ctx)) as store, store.read() as session:
        if outgoing:
            sent = outbox.by_id(session, number)
            if sent is None:
                raise _not_there("outgoing email", number, "referee mail list outbox")
            _show(sent.raw, f"{sent.kind}, {sent.state.value}", sent.error, sent.emptied_at)
        else:
            came = inbox.by_id(session, number)
            if came is None:
                raise _not_there("email", number, "referee mail list")
            state = f"from {came.source}, {came.state.value}"
            _show(came.raw, state, came.note, came.emptied_at)


command.add_command(explain)


@command.command("retry")
@click.argument("numbers", type=int, nargs=-1, required=True)
@click.pass_context
def retry(ctx: click.Context, numbers: tuple[int, ...]) -> None:
    """Send outgoing emails again that have failed."""
    with open_database(settings_of(ctx)) as store, store.write() as session:
        for number in numbers:
            if outbox.retry(session, number, now()) is None:
                place = "referee mail list outbox --state failed"
                raise _not_there("failed outgoing email", number, place)
    click.echo(f"{counted(len(numbers), 'email')} will be sent again.")


@command.command("release")
@click.argument("numbers", type=int, nargs=-1, required=True)
@click.pass_context
def release(ctx: click.Context, numbers: tuple[int, ...]) -> None:
    """Release emails from quarantine, to be read as if for the first time.

    An email that was not done, because nobody could be asked about it, is carried out as if its
    sender had confirmed it. Read it first with `referee mail show`.
    """
    with open_database(settings_of(ctx)) as store, store.write() as session:
        for number in numbers:
            if inbox.release(session, number) is None:
                place = "referee mail list quarantine` or `referee mail list --state unasked"
                raise _not_there("email in quarantine or not done", number, place)
    click.echo(f"{counted(len(numbers), 'email')} will be read again.")


@command.command("resume")
@click.pass_context
def resume(ctx: click.Context) -> None:
    """Resume sending after the limit of emails in an hour has stopped it."""
    with open_database(settings_of(ctx)) as store, store.write() as session:
        if not circuit_breaker.reset(session, now()):
            what = "sending: not stopped"
            raise NotFound(Finding(what, "see the waiting emails in `referee status`"))
    click.echo("Sending was resumed.")


@command.command("in")
@click.option(
    "--sender",
    default="",
    envvar="SENDER",
    metavar="ADDRESS",
    help="The envelope's sender; by default SENDER in the environment.",
)
@click.option(
    "--recipient",
    default="",
    envvar="RECIPIENT",
    metavar="ADDRESS",
    help="The envelope's recipient; by default RECIPIENT in the environment.",
)
@click.pass_context
def take_in(ctx: click.Context, sender: str, recipient: str) -> None:
    """Receive one email from stdin, as the pipe of a mail server.

    The exit status is 75 if the email could not be stored, so that the mail server keeps it. The
    same bytes are the same email. Every user of the machine can read a command line, and the
    recipient is a reply address, so leave it to the environment.
    """
    letter, digest = LetterBuffer(), hashlib.sha256()
    for piece in _pieces(sys.stdin.buffer):
        letter.add(piece)
        digest.update(piece)
    size, raw = letter.size, letter.take()
    if not raw.strip():
        raise click.UsageError("no email on stdin")
    try:
        settings = settings_of(ctx)
        with open_database(settings) as store:
            site = build_site(settings, store, {})
            taking = IntakeRegistration(store, now, claim_owners.own())
            taking.tell(now())
            arrival = IncomingMail(
                source="pipe",
                source_id=digest.hexdigest(),
                raw=raw,
                arrived_at=now(),
                sender=sender,
                recipient=recipient,
                size=size if size > len(raw) else 0,
            )
            keep = build_accept(store, check=taking.check, site=site)
            stored = taking.in_time(keep)(arrival)
            taking.end()
    except RefereeError as error:
        tell(error.told(), err=True)
        ctx.exit(TRY_LATER)
    click.echo(f"email {stored}")


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    while piece := stream.read(_PIECE_OCTETS):
        yield piece


def _show(raw: bytes, state: str, note: str, emptied: datetime | None) -> None:
    tell(": ".join(part for part in (state, note) if part), err=True)
    if emptied is not None:
        click.echo(f"Its text was deleted on {emptied:%Y-%m-%d} by [retention].", err=True)
    if sys.stdout.isatty():
        raw = printable(raw.decode("utf-8", "backslashreplace")).encode("utf-8")
    sys.stdout.buffer.write(raw)
    sys.stdout.buffer.flush()


def _not_there(what: str, number: int, place: str) -> NotFound:
    return NotFound(Finding(f"{what} #{number}: not found", f"choose one from `{place}`"))
