"""``referee mail list``: emails in and out, found by address, game, seat, day and state."""

from collections.abc import Sequence
from datetime import date
from typing import Final, TypeVar

import click

from referee.cli.common import game_named, moment, open_database, seat_named, settings_of, table
from referee.letters.incoming.headers import decode_words, first, split_head
from referee.store import Session
from referee.store.games import games
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import search
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
    _show(columns, rows)


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
    _show(columns, rows)


def _show(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
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
