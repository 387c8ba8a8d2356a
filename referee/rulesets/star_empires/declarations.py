"""The checks of ALLY and UNALLY, and the warning about fire at allies.

They know what the empire itself has declared, never what others have.
"""

from collections.abc import Iterable, Mapping

from referee.rules.wording import listed
from referee.rulesets.star_empires.orders import Ally, Order, Unally
from referee.rulesets.star_empires.scratch import Rejected, Scratch
from referee.rulesets.star_empires.state import Empire
from referee.rulesets.star_empires.turn_state import NO_ALLIANCES


def last_declarations(orders: Iterable[Order]) -> Mapping[str, type[Ally | Unally]]:
    """Return the kind of the last declaration about each empire, by its name, casefolded."""
    return {
        name.casefold(): type(order)
        for order in orders
        if isinstance(order, Ally | Unally)
        for name in order.empires
    }


def declare(scratch: Scratch, order: Ally | Unally) -> None:
    """Check a declaration, and warn if it has no effect or a later one takes it back."""
    if isinstance(order, Ally) and scratch.state.alliance_size < 2:
        raise Rejected(NO_ALLIANCES)
    change = _ally if isinstance(order, Ally) else _unally
    for other in {each.seat: each for each in scratch.met(order.empires)}.values():
        change(scratch, other)


def _ally(scratch: Scratch, other: Empire) -> None:
    scratch.empire.allies.add(other.seat)
    if scratch.declarations[other.name.casefold()] is Unally:
        scratch.warn(f"a later order ends the alliance with {other.name}")
    elif _would_all_win(scratch):
        scratch.warn("with it you have declared every other empire an ally")
        scratch.warn(
            "if all do, the game ends in a draw when together they make at least half of the "
            "galaxy's production"
        )


def _would_all_win(scratch: Scratch) -> bool:
    """Return whether the empire has declared all others allies, and all can win together (R1.0)."""
    others = [each for seat, each in scratch.state.empires.items() if seat != scratch.seat]
    return len(others) < scratch.state.alliance_size and all(
        each.seat in scratch.empire.allies
        and scratch.declarations.get(each.name.casefold()) is not Unally
        for each in others
    )


def _unally(scratch: Scratch, other: Empire) -> None:
    if other.seat in scratch.empire.allies:
        scratch.empire.allies.discard(other.seat)
        scratch.ended.add(other.seat)
        if scratch.declarations[other.name.casefold()] is Ally:
            scratch.warn(f"a later order declares the alliance with {other.name} again")
    elif other.seat in scratch.ended:
        scratch.warn(f"an earlier order already ends the alliance with {other.name}")
    else:
        scratch.warn(f"you have no alliance with {other.name}")


def warn_of_allies(scratch: Scratch, targets: Iterable[str]) -> None:
    """Warn about fire at declared allies, which are not spared, with the order that ends it."""
    wanted = {name.casefold() for name in targets}
    names = [scratch.state.empires[seat].name for seat in sorted(scratch.empire.allies)]
    allies = [name for name in names if name.casefold() in wanted]
    if allies:
        scratch.warn(f"you have declared an alliance with {listed(allies)}")
        scratch.warn("the guns fire all the same, and the declaration stays")
        scratch.warn(f"UNALLY {' '.join(allies)} ends it")
