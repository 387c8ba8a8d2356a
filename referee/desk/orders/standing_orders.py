"""Standing orders: saved whole or not at all, shown, and removed."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from referee.desk.base.desk import spare
from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders.command_entries import Deed, Effect, For, command, question
from referee.desk.orders.letter_context import LetterContext
from referee.domain.commands import NoStanding, ShowStanding
from referee.letters.outgoing.layout import labelled
from referee.letters.outgoing.notices import NO_DOUBTS, OrderResult, StandingDoubts
from referee.parsing.items import Parsed, Unparsed
from referee.rules.ruleset import RulingKind, Seat, UserError
from referee.rules.wording import counted
from referee.store.games import undo_log
from referee.store.games.undo_log import UndoKind
from referee.store.models import SeatRow


def keep(context: LetterContext, items: Iterable[Parsed | Unparsed]) -> Deed:
    """Save orders for every turn without a sheet; an empty list removes the saved ones.

    Raises UserError if one of them cannot be parsed, because an incomplete list could do harm.
    """
    orders = _read(context, items)
    count = counted(len(orders), "order") if orders else "none"
    says = f"Standing orders for {context.seat().name}: {count}"
    return Deed(says, partial(_save, context, orders))


def _save(context: LetterContext, orders: Sequence[Parsed]) -> str:
    """Save the orders, and return when they run."""
    table, row = context.table_for_orders(), context.seat()
    before = list(row.standing)
    row.standing = table.render([item.order for item in orders])
    if row.standing == before:
        return "You have no standing orders." if not before else f"They are unchanged. {_run(row)}"
    kept = counted(len(row.standing), "standing order")
    what = f"{kept} saved" if row.standing else "standing orders removed"
    undo_log.note(context.session, row, context.row, UndoKind.STANDING, what, before, row.standing)
    if not row.standing:
        are = "is" if len(before) == 1 else "are"
        count = counted(len(before), "standing order")
        return f"{count} {are} removed. You now have no standing orders."
    them = "it" if len(row.standing) == 1 else "them"
    told = f"{_run(row)} STANDING shows {them}, STANDING NONE removes {them}."
    return "\n".join((told, *_doubtful(table, row)))


def _read(context: LetterContext, items: Iterable[Parsed | Unparsed]) -> list[Parsed]:
    """Return the orders to be saved. Raises UserError if one of the items cannot be saved."""
    context.table_for_orders()
    orders = []
    for item in items:
        if isinstance(item, Unparsed):
            wrong = f'"{item.text}": {item.reason} {item.advice}'.strip()
            if not context.identity.trust.is_sure:
                # We do not pass on the words of a stranger.
                wrong = "One of them is not an order."
            raise UserError(f"Standing orders are saved all together or not at all. {wrong}")
        if item.leaves:
            raise UserError(f"{item.text} ends your game, so it cannot be a standing order.")
        orders.append(item)
    return orders


def _doubtful(table: LoadedGame, row: SeatRow) -> Iterator[str]:
    """Yield the standing orders that would be rejected or warned of if they ran now, and why."""
    doubts = standing_doubts(table, row)
    if doubts.in_words:
        yield doubts.in_words
    yield from (labelled(each.text, f"REJECTED: {each.outcome}") for each in doubts.rejected)
    yield from (labelled(each.text, f"WARNING: {each.outcome}") for each in doubts.warned)


@command(NoStanding, "STANDING NONE", For.SEAT, Effect.BINDS, shown_in="standing_shown")
def no_standing(context: LetterContext, _given: NoStanding) -> Deed:
    """STANDING NONE."""
    return Deed("", keep(context, ()).do)


@question(ShowStanding, "STANDING", For.SEAT, shown_in="standing_shown")
def answer_standing(context: LetterContext, _given: ShowStanding) -> str:
    """STANDING without orders: list them, with meanings and how to remove them."""
    table, row = context.playing(), context.seat()
    if not row.standing:
        return "You have none. To save some, write STANDING, the orders below it, and then END."
    orders = table.read(row.standing)
    meanings = (table.ruleset.explain(table.state, Seat(row.number), order) for order in orders)
    lines = [
        labelled(text, meaning)
        for text, meaning in zip(table.render(orders), meanings, strict=True)
    ]
    them = "it" if len(row.standing) == 1 else "them"
    ends = f"STANDING NONE removes {them}; STANDING with other orders and END replaces {them}."
    return "\n".join((_run(row), *lines, *_doubtful(table, row), ends))


def _run(row: SeatRow) -> str:
    runs = "runs" if len(row.standing) == 1 else "run"
    # A game for one ends if its turn is due without a sheet; FINAL lets them run.
    when = (
        "that you end with FINAL and without a sheet"
        if row.game.for_one
        else "without a sheet from you"
    )
    return f"{counted(len(row.standing), 'standing order')} {runs} in every turn {when}."


def standing_doubts(table: LoadedGame, row: SeatRow) -> StandingDoubts:
    """Return the standing orders that would be rejected or warned of if they ran now.

    A seat that need not send orders has none. If the check itself fails, none are returned: the
    next acknowledgement reports the fault.
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
