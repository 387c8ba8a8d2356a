"""Standing orders that would run now, but that the rules reject or warn of."""

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.spared_faults import spare
from referee.letters.outgoing.notices import NO_DOUBTS, OrderResult, StandingDoubts
from referee.rules.ruleset import RulingKind, Seat
from referee.store.models import SeatRow


def standing_doubts(table: LoadedGame, row: SeatRow) -> StandingDoubts:
    """Return the standing orders that would be rejected or warned of if they ran now.

    A seat that need not send orders has none. If the check itself fails, none are returned: it
    must not stop a report, and the next acknowledgement reports the fault.
    """
    if not row.standing or not table.awaits(row):
        return NO_DOUBTS
    return spare(lambda: _ruled(table, row), lambda _: NO_DOUBTS)


def _ruled(table: LoadedGame, row: SeatRow) -> StandingDoubts:
    seat, ruleset = Seat(row.number), table.ruleset
    orders = ruleset.defaults(table.state, seat, table.read(row.standing))
    rulings = ruleset.validate(table.state, seat, orders)
    results: dict[RulingKind, list[OrderResult]] = {kind: [] for kind in RulingKind}
    for text, ruling in zip(table.render(orders), rulings, strict=True):
        results[ruling.kind].append(OrderResult(text, ruling.reason))
    return StandingDoubts(tuple(results[RulingKind.REJECTED]), tuple(results[RulingKind.WARNED]))
