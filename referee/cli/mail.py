"""``referee mail``: management of emails by the operator."""

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import BinaryIO, Final, TypeVar

import click

from referee.app import build_accept, build_site
from referee.cli.common import game_named, moment, open_database, seat_named, settings_of, table
from referee.cli.help_format import HelpGroup
from referee.cli.terminal import printable, tell
from referee.clock import now
from referee.daemon import claim_owners
from referee.desk.reception.intake import IntakeRegistration
from referee.domain.mail_transfer import IncomingMail
from referee.errors import Finding, NotFound, RefereeError
from referee.letters.incoming.decode import decode
from referee.letters.incoming.letter import decode_words, first, split_head
from referee.letters.incoming.phrases import GESTURES
from referee.mail.letter_buffer import LetterBuffer
from referee.rules.wording import counted
from referee.store import Session
from referee.store.games import games
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import circuit_breaker, inbox, outbox, search
from referee.store.mail.search import MailSearch
from referee.store.models import InboxLetter, OutboxLetter

_LONGEST: Final = 40
"""The longest subject that is shown, in characters."""

E = TypeVar("E", InboxState, OutboxState)


def _day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> date | None:
    """Return a day of the calendar. Raises click.BadParameter."""
    try:
        return None if value is None else date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value} is not a day. Write it like 2026-09-18.") from None


@click.command("list")
@click.argument(
    "box",
    type=click.Choice(["inbox", "outbox", "quarantine"]),
    default="inbox",
    required=False,
    metavar="[BOX]",
)
@click.option(
    "--state", metavar="STATE", help="Only emails in this state, such as waiting or failed."
)
@click.option(
    "--address", metavar="PART", help="Only emails from (outbox: to) an address with this part."
)
@click.option("--game", metavar="GAME", help="Only emails of this game, such as SW-1.")
@click.option(
    "--seat", metavar="SEAT", help="Only emails of this seat, by name or number; needs --game."
)
@click.option(
    "--day",
    callback=_day,
    metavar="DAY",
    help="Only emails of this day, in UTC, such as 2026-09-18.",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="How many emails are listed.",
)
@click.pass_context
def list_letters(
    ctx: click.Context,
    box: str,
    state: str | None,
    address: str | None,
    game: str | None,
    seat: str | None,
    day: date | None,
    limit: int,
) -> None:
    """List the newest emails of BOX: inbox, outbox or quarantine."""
    if seat is not None and game is None:
        raise click.UsageError("--seat needs --game")
    with open_database(settings_of(ctx)) as store, store.read() as session:
        found = None if game is None else game_named(session, game)
        wanted = MailSearch(
            address,
            None if found is None else found.id,
            None if found is None or seat is None else seat_named(found, seat).number,
            day,
        )
        if box == "outbox":
            _list_outgoing(session, wanted, _state(OutboxState, state), limit)
        else:
            chosen = "quarantined" if box == "quarantine" else state
            _list_incoming(session, wanted, _state(InboxState, chosen), limit)


def _list_incoming(
    session: Session, wanted: MailSearch, state: InboxState | None, limit: int
) -> None:
    columns = ("number", "arrived", "from", "game", "seat", "receipt", "state", "subject", "note")
    rows = [
        (
            row.id,
            moment(row.arrived_at),
            row.writer or row.envelope_sender or "-",
            *_place(session, row),
            "-" if row.receipt is None else f"#{row.receipt}",
            row.state.value,
            _subject(row),
            row.note,
        )
        for row in search.incoming(session, wanted, state, limit)
    ]
    _print_table(columns, rows)


def _list_outgoing(
    session: Session, wanted: MailSearch, state: OutboxState | None, limit: int
) -> None:
    columns = ["number", "written", "to", "game", "seat", "state", "due or sent", "subject"]
    columns += ["kind", "tries", "error"]
    rows = [
        (
            row.id,
            moment(row.created_at),
            row.recipient,
            *_place(session, row),
            row.state.value,
            moment(row.sent_at or row.due_at),
            _subject(row),
            row.kind,
            row.attempts,
            row.error,
        )
        for row in search.outgoing(session, wanted, state, limit)
    ]
    _print_table(columns, rows)


def _print_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    if rows:
        table(columns, rows)
    else:
        click.echo("No emails.")


def _place(session: Session, letter: InboxLetter | OutboxLetter) -> tuple[str, str]:
    """Return the names of the letter's game and seat, or dashes."""
    game = None if letter.game_id is None else games.by_id(session, letter.game_id)
    if game is None:
        return "-", "-"
    names = (seat.name for seat in game.seats if seat.number == letter.seat_number)
    return game.name, next(names, "-")


def _subject(letter: InboxLetter | OutboxLetter) -> str:
    """Return the beginning of the subject; a dash if there is none or it was deleted."""
    fields, _ = split_head(letter.raw)
    subject = decode_words(first(fields, "subject")).strip()
    if len(subject) > _LONGEST:
        subject = f"{subject[: _LONGEST - 3]}..."
    return subject or "-"


def _state(states: type[E], word: str | None) -> E | None:
    if word is None:
        return None
    try:
        return states(word)
    except ValueError as error:
        known = ", ".join(state.value for state in states)
        raise click.BadParameter(f"{word!r} is not one of {known}", param_hint="--state") from error


_STATES: Final[Mapping[InboxState, str]] = {
    InboxState.WAITING: "It waits to be read by `referee run`.",
    InboxState.READ: "It was read, and everything its trust allows was done.",
    InboxState.HELD: "It, or a part of it, waits for a confirmation by the primary address.",
    InboxState.IGNORED: "Nothing in it was done.",
    InboxState.UNASKED: (
        "It, or a part of it, was not done, and its sender could not be asked. "
        "`referee mail release` carries it out as if it were confirmed."
    ),
    InboxState.QUARANTINED: (
        "It failed three times. Look for its reference in the log; `referee mail release` has it "
        "read again."
    ),
}
_TRUST: Final[Mapping[str, str]] = {
    "elsewhere": "it came to the reply address of another person, who was asked about it",
    "none": "nothing proves its sender",
    "mailbox": "its domain signed it, but we do not know its sender",
    "address": "it is from an address of the player, which anyone can forge",
    "accepted": "it is from the primary address, which the game accepts as proof",
    "code": "it is from an address of the player, with the security code",
    "aligned": "it is from an address of the player, signed by its domain",
    "token": "it is a reply to an email of ours",
    "confirmed": "the primary address confirmed it, or `referee mail release` carried it out",
}
_REASONS: Final[tuple[tuple[str, str], ...]] = (
    ("machine", "Its header shows a program: no return path, Precedence, an X- field, no-reply."),
    ("automatic", "It has Auto-Submitted; of such emails, only replies with orders are read."),
    ("vacation note", "Its subject is that of a vacation note, and it has no orders."),
    *((each.name, "A person clicked on something and typed nothing for us.") for each in GESTURES),
    ("bounce", "A mail server reports that an email of ours could not be delivered."),
    ("complaint", "A mail server reports that an email of ours was reported as spam."),
    ("loop", "It is an email of ours that came back."),
    ("mailing", "It has List-Unsubscribe, we do not know its sender, and no command begins it."),
    ("list", "A mailing list forwarded it; an answer would go to everybody on it."),
    ("too big", "It is bigger than any order sheet."),
    ("not confirmed in time", "Nobody confirmed it within retention.unproven_days."),
    ("a copy of", "The same email came before and was read."),
)


@click.command("explain")
@click.argument("number", type=int)
@click.pass_context
def explain(ctx: click.Context, number: int) -> None:
    """Explain the fate of email NUMBER, without its text."""
    with open_database(settings_of(ctx)) as store, store.read() as session:
        letter = inbox.by_id(session, number)
        if letter is None:
            what = f"email #{number}: not found"
            raise NotFound(Finding(what, "choose one from `referee mail list`"))
        for line in _explained(session, letter):
            tell(line)


def _explained(session: Session, letter: InboxLetter) -> Iterable[str]:
    yield f"Email {letter.id} arrived on {moment(letter.arrived_at)} from {letter.source}."
    if letter.receipt is not None:
        yield f"Receipt: #{letter.receipt}, which counts the emails of its seat."
    yield f"State: {letter.state.value}. {_STATES[letter.state]}"
    if letter.emptied_at is not None:
        day = f"{letter.emptied_at:%Y-%m-%d}"
        yield f"Its text was deleted on {day} by [retention], so it cannot be read again."
    if letter.note:
        yield f"Note: {letter.note}"
    for start, reason in _REASONS:
        if letter.state is InboxState.IGNORED and letter.note.startswith(start):
            yield f"Why: {reason}"
    if letter.trust is not None:
        yield f"Trust: {letter.trust}; {_TRUST.get(letter.trust, 'unknown')}."
    if letter.attempts > 1:
        yield f"It was tried {letter.attempts} times."
    yield from _answers(session, letter)


def _answers(session: Session, letter: InboxLetter) -> Iterable[str]:
    answers = outbox.answers_to(session, letter)
    for answer in answers:
        remedy = ""
        if answer.state is OutboxState.FAILED:
            remedy = f": {answer.error}; `referee mail retry {answer.id}` sends it again"
        yield f"Answer: outgoing {answer.id}, {answer.kind}, {answer.state.value}{remedy}."
    if not answers and letter.state is not InboxState.WAITING:
        yield "No answer was sent."


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
@click.option("--yes", is_flag=True, help="Carry out emails that were not done without asking.")
@click.pass_context
def release(ctx: click.Context, numbers: tuple[int, ...], *, yes: bool) -> None:
    """Release emails from quarantine, to be read as if for the first time.

    An email that was not done, because nobody could be asked about it, is carried out as if its
    sender had confirmed it. The command shows its text and asks first.
    """
    with open_database(settings_of(ctx)) as store:
        with store.read() as session:
            rows = [row for number in numbers if (row := inbox.by_id(session, number)) is not None]
            for row in rows if not yes else ():
                if row.state is InboxState.UNASKED:
                    click.echo(printable(decode(row.raw).text))
                    asked = f"Carry out email #{row.id} as if its sender had confirmed it?"
                    click.confirm(asked, abort=True)
        with store.write() as session:
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
            keep = build_accept(store, site, check=taking.check)
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
