"""Income: production, pooling and transfers of RU (RULES 6.7)."""

from collections import Counter
from typing import Final

from referee.rulesets.star_empires.orders import Pool, Transfer
from referee.rulesets.star_empires.state import Account, World
from referee.rulesets.star_empires.turn_state import EmpireOrder, Gift, Stage, Turn

DOUBLE: Final = 2
"""The factor of a new homeworld's production in its first turn (R6.4.8)."""


def produce(turn: Turn) -> None:
    """Add the production of each owned world to its stockpile (R6.7.1)."""
    for world in turn.state.worlds.values():
        turn.unspent[world.name] = world.stockpile
        if world.owner is not None:
            times = DOUBLE if world.name in turn.doubled else 1
            turn.made[world.name] = world.production * times
            world.stockpile += turn.made[world.name]


def pool(turn: Turn) -> None:
    """Send the whole stockpiles of all other worlds to one (R6.7.2)."""
    for given in turn.given(Pool):
        to = turn.own_world(given, given.order.world)
        if to is None:
            continue
        given.done = True
        for world in turn.state.worlds_of(given.seat):
            if world is to or world.name in given.order.excepted:
                continue
            if world.blockaded:
                given.note(f"{world.name} is blockaded")
                continue
            to.stockpile += world.stockpile
            world.stockpile = 0


def transfer(turn: Turn) -> None:
    """Send RU to other worlds, in the order of each sheet (R6.7.3).

    The RU of other empires arrive last, so that nobody sends them on in the same turn.
    """
    gifts: Counter[str] = Counter()
    for given in turn.given(Transfer):
        _transfer(turn, given, gifts)
    for name, sent in gifts.items():
        turn.state.worlds[name].stockpile += sent


def _transfer(turn: Turn, given: EmpireOrder[Transfer], gifts: Counter[str]) -> None:
    order = given.order
    origin = turn.own_world(given, order.origin)
    if origin is None:
        return
    to = _destination(turn, given)
    if to is None:
        return
    if origin.blockaded:
        given.note(f"{origin.name} is blockaded")
        return
    if origin.name in turn.exhausted:
        given.note(f"an earlier transfer from {origin.name} fell short, so this one is cancelled")
        return
    sent = origin.stockpile if order.amount is None else min(order.amount, origin.stockpile)
    if order.amount is not None and sent < order.amount:
        given.note(f"{origin.name} had only {sent} RU")
        turn.exhausted.add(origin.name)
    if sent == 0:
        return
    origin.stockpile -= sent
    given.done = True
    assert to.owner is not None
    if to.owner == given.seat:
        to.stockpile += sent
    else:
        gifts[to.name] += sent
        text = f"{turn.name(given.seat)} sends you {sent} RU. They are at {to.name} now."
        turn.tell(Stage.INCOME, {to.owner}, text)
        turn.gifts.append(Gift(to.owner, given.seat, "", f"{sent} RU at {to.name}"))


def _destination(turn: Turn, given: EmpireOrder[Transfer]) -> World | None:
    """Return the destination of a transfer, or None if the recipient does not own it."""
    order = given.order
    to = turn.state.worlds.get(order.destination)
    if to is None or order.destination not in turn.empire(given.seat).worlds:
        given.note(f"you do not know a world called {order.destination}")
        return None
    own = turn.name(given.seat).casefold()
    meant = order.empire.casefold() or own
    if meant != own and not list(turn.met(given, (order.empire,))):
        return None
    if to.owner is None or turn.name(to.owner).casefold() != meant:
        given.note(f"{to.name} does not belong to {'you' if meant == own else order.empire}")
        return None
    if to.name == order.origin:
        given.note(f"the RU are already at {to.name}")
        return None
    return to


def write_ledgers(turn: Turn) -> None:
    """Write the RU accounts of every empire's worlds."""
    for empire in turn.state.empires.values():
        empire.ledger = [_account(turn, world) for world in turn.state.worlds_of(empire.seat)]


def _account(turn: Turn, world: World) -> Account:
    before, unspent = turn.before.worlds[world.name].stockpile, turn.unspent[world.name]
    made = turn.made[world.name]
    return Account(
        world=world.name,
        before=before,
        spent=before - unspent,
        made=made,
        moved=world.stockpile - unspent - made,
        after=world.stockpile,
    )
