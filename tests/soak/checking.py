"""The invariants of a soak test, which hold after all failures."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing

from sqlalchemy import func, select

from referee.desk.games.replay import replay
from referee.letters.incoming.decode import text_in
from referee.store import Session
from referee.store.games import games
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import outbox, stale_claims
from referee.store.models import Game, GameStatus, InboxLetter, OutboxLetter, Sheet, TurnRow
from tests.soak.trouble import Condition
from tests.soak.world import World

_ENDED = (GameStatus.RUNNING, GameStatus.ENDED)


def faults(world: World) -> list[str]:
    """Return all errors in words; none after a successful soak test."""
    with world.app.store.read() as session:
        return [
            *_games(session, world),
            *_letters_in(session, world),
            *_letters_out(session, world),
            *_rows(session, world),
            *(fault for game in games.listing(session) for fault in _game(session, world, game)),
            *_operator(session, world),
        ]


def _games(session: Session, world: World) -> Iterator[str]:
    """Check that every game was created."""
    created = sum(games.counts(session).values())
    if created != len(world.tables):
        yield f"{len(world.tables)} games were wanted, and {created} were created"


def _letters_in(session: Session, world: World) -> Iterator[str]:
    """Check that every delivery is a row with a final state and an answer."""
    rows = list(session.scalars(select(InboxLetter)))
    kept = Counter(row.raw for row in rows)
    if kept != world.written:
        yield f"{world.written.total()} letters were delivered, and {kept.total()} are kept"
    for row in rows:
        if row.state is InboxState.WAITING or row.read_at is None:
            yield f"letter {row.id} is {row.state.value}"
        if row.state is InboxState.QUARANTINED and not world.trouble.seen[Condition.TEMPLATE.value]:
            yield f"letter {row.id} is in quarantine, and nothing was wrong with any template"
        # A confirmation is answered by the answer to the pending letter.
        is_answered = b"CONFIRM" in row.raw or outbox.answers_to(session, row)
        if row.state is InboxState.READ and not is_answered:
            yield f"letter {row.id} was read and has no answer"
    done = Counter(row.raw for row in rows if row.state is InboxState.READ)
    yield from (f"a letter was read {n} times" for n in done.values() if n > 1)


def _letters_out(session: Session, world: World) -> Iterator[str]:
    """Check that every letter was sent once, and once more for each unknown result.

    The result is unknown when the mail server stopped responding after a letter, and when the
    program was killed before it had recorded one.
    """
    counts = outbox.counts(session)
    if counts[OutboxState.WAITING] or counts[OutboxState.FAILED]:
        waiting, failed = counts[OutboxState.WAITING], counts[OutboxState.FAILED]
        yield f"{waiting} letters still wait to be sent, {failed} have failed"
    sent = set(session.scalars(select(OutboxLetter.message_id)))
    yield from (f"{name} was written and never came" for name in sorted(sent - world.got.keys()))
    strange = world.got.keys() - sent - world.alerts
    yield from (f"{name} came and was never written" for name in sorted(strange))
    if world.alerts and not world.trouble.seen[Condition.FULL.value]:
        yield "the operator was told of a full disk, and it was not full"
    for name, count in world.got.items():
        if count > 1 + (unsure := world.trouble.unsure[name]):
            yield f"{name} came {count} times, and {unsure} times nobody could know"


def _rows(session: Session, world: World) -> Iterator[str]:
    """Check that every reference of a row exists, and that no row is claimed."""
    if owners := stale_claims.owners(session):
        yield f"rows are held by {', '.join(sorted(owners))}"
    with closing(sqlite3.connect(world.folder / "state" / "referee.db")) as database:
        if broken := database.execute("PRAGMA foreign_key_check").fetchall():
            yield f"{len(broken)} rows point nowhere"
        if (told := database.execute("PRAGMA integrity_check").fetchone()) != ("ok",):
            yield f"the file is damaged: {told}"


def _game(session: Session, world: World, game: Game) -> Iterator[str]:
    if game.status not in _ENDED:
        yield f"{game.name} is {game.status.value}"
    if game.stalls:
        yield f"{game.name} still stalls"
    yield from (
        f"{game.name}: {difference}" for difference in replay(session, world.app.site, game)
    )
    numbers = [turn.number for turn in games.turns_of(session, game)]
    if numbers != list(range(1, game.turn + 1)):
        yield f"{game.name} has the turns {numbers}"
    yield from _reports(session, game)
    yield from _sheets(session, game)


def _reports(session: Session, game: Game) -> Iterator[str]:
    """Check that each seat has one report of each turn, and one more per rollback."""
    begun = select(TurnRow.number + 1, func.count()).where(
        TurnRow.game_id == game.id, TurnRow.resolved_at.is_not(None)
    )
    played = {1: 1, **dict(session.execute(begun.group_by(TurnRow.number)).all())}
    for seat in game.seats:
        letters = select(OutboxLetter.turn, func.count()).where(
            OutboxLetter.game_id == game.id,
            OutboxLetter.seat_number == seat.number,
            OutboxLetter.kind == "Report",
        )
        told = dict(session.execute(letters.group_by(OutboxLetter.turn)).all())
        if told != played:
            yield f"{game.name}: {seat.name} got the reports {told} of the turns {played}"


def _sheets(session: Session, game: Game) -> Iterator[str]:
    """Check that the last sheet filed for a turn is the one that was resolved."""
    for turn in games.turns_of(session, game)[:-1]:
        for seat in game.seats:
            sheet: Sheet | None = games.sheet_of(session, seat, turn.number)
            resolved: Sequence[str] = (turn.sheets or {}).get(str(seat.number), ())
            if sheet is None or sheet.withdrawn:
                continue
            if seat.number in (turn.missed or ()) or list(resolved) != list(sheet.orders):
                yield f"{game.name}: sheet {sheet.id} of {seat.name} was not resolved"


def _operator(session: Session, world: World) -> Iterator[str]:
    """Check that no two letters to the operator report the same failure.

    A rolled-back turn is a new turn.
    """
    query = select(OutboxLetter).where(OutboxLetter.kind == "OperatorAlert")
    told = Counter((_trouble(letter.raw), letter.game_id) for letter in session.scalars(query))
    undone = {game.id: game.rollbacks for game in games.listing(session)}
    for (what, game), number in told.items():
        if number > 1 + undone.get(game or 0, 0):
            yield f"the operator was told {number} times of: {what}"


def _trouble(raw: bytes) -> str:
    """Return the failure that a letter reports: its words up to the first full stop."""
    return " ".join(text_in(raw).split()).partition(". ")[0]
