"""Missing orders: an email to the GMs at the time before a deadline that they chose."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, clock_of, mailbox, post
from referee.desk.games import gm_actions, missing_orders, seat_notes
from referee.desk.orders.gm_authority import plays
from referee.domain.house_rules import gm_watch
from referee.domain.schedules import roughly
from referee.domain.trust import GmToken
from referee.letters.outgoing.gm_notices import OrdersMissing, WatchedGame
from referee.letters.outgoing.local_time import Moment
from referee.store.games import games
from referee.store.models import Game, Person, SeatRow


def notify_gms(desk: Desk, game: Game) -> list[datetime]:
    """Notify each GM of missing orders, if it is time; return the moments that lie ahead.

    Games of a GM with the same moment share a letter. Idempotent, by its Message-ID.
    """
    ahead: list[datetime] = []
    for gm in game.gms:
        moment = _moment(desk, game, gm.person)
        if moment is None:
            continue
        if moment > desk.now:
            ahead.append(moment)
        else:
            _write(desk, gm.person, game, moment)
    return ahead


def _moment(desk: Desk, game: Game, gm: Person) -> datetime | None:
    """Return when to notify the GM of missing orders; None if never, or no longer."""
    span, due = gm_watch(game.options_of_house), game.due_at
    if not span or due is None or due <= desk.now:
        return None
    moment = clock_of(gm).reminder(due, span)
    # A short turn leaves no time for it, and after half of the time it is too late.
    if (
        moment <= missing_orders.turn_began(desk.session, game)
        or desk.now > due - (due - moment) / 2
    ):
        return None
    return moment


def _write(desk: Desk, gm: Person, game: Game, moment: datetime) -> None:
    led = sorted(games.led_by(desk.session, gm), key=lambda each: each.id)
    together = [each for each in led if _moment(desk, each, gm) == moment]
    watched = [
        _watched(desk, each, gm, rows) for each in together if (rows := _missing(desk, each, gm))
    ]
    if not watched:
        return
    addressing = Addressing(mailbox(gm), f"watch{int(moment.timestamp())}")
    if len(together) == 1:
        addressing = Addressing(addressing.to, addressing.serial, game=game, turn=game.turn)
    else:
        token = GmToken(gm.id, gm.moves, addressing.serial)
        addressing = Addressing(addressing.to, addressing.serial, token=token)
    post(desk, OrdersMissing(tuple(watched), len(together) > 1), addressing)


def _missing(desk: Desk, game: Game, gm: Person) -> list[SeatRow]:
    """Return the seats without orders that the GM may know of.

    A GM who plays does not learn who has orders to send: SHEETS shows them who sent none.
    """
    if not plays(game, gm):
        return missing_orders.owing(desk.session, desk.site, game)
    rows = (row for row in game.seats if not row.eliminated)
    return [row for row in rows if missing_orders.lacks_sheet(desk.session, game, row)]


def _watched(desk: Desk, game: Game, gm: Person, rows: Sequence[SeatRow]) -> WatchedGame:
    assert game.deadline_at is not None
    return WatchedGame(
        game=game.name,
        turn=game.turn,
        left=roughly(game.deadline_at - desk.now),
        deadline=Moment(game.deadline_at, gm.zone),
        missing=tuple(
            ": ".join(filter(None, (row.name, ", ".join(_notes(desk, row, gm))))) for row in rows
        ),
        actions=tuple(gm_actions.lines(desk, game)),
    )


def _notes(desk: Desk, row: SeatRow, gm: Person) -> Iterator[str]:
    if row.standing:
        yield "standing orders run"
    if row.missed:
        yield seat_notes.missed(row)
    yield from seat_notes.of_seat(desk, row, gm)
