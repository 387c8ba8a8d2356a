"""Properties of every turn of Star Empires, for any orders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.reader import reader_of
from referee.rules.dice import Dice
from referee.rules.ruleset import RulingKind, Seat
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.abandoned import STEWARD
from referee.rulesets.star_empires.class_names import class_name
from referee.rulesets.star_empires.hulls import Hull
from referee.rulesets.star_empires.language import GRAMMAR
from referee.rulesets.star_empires.orders import Design, Order
from referee.rulesets.star_empires.state import Prohibition, Ship, State, World
from referee.rulesets.star_empires.turn import TURN, resolve
from referee.rulesets.star_empires.turn_state import Turn
from referee.store.database.codec import decode, encode
from referee.testing.contract import ContractBroken, Position, for_seat, language, visible_to
from referee.testing.contract import turn as faults_of_turn
from tests.rulesets.star_empires.galaxies import (
    SEATS,
    galaxies,
    peaceful,
    read,
    sheets,
)
from tests.support.examples import examples

DICE = Dice(b"seed")
Sheets = dict[Seat, list[Order]]


@pytest.mark.slow
@examples(30)
@given(galaxies(), sheets())
def test_any_orders_keep_the_contract(state: State, orders: Sheets) -> None:
    position = Position(state, {seat: tuple(sheet) for seat, sheet in orders.items()})
    faults = [*language(RULESET, position), *faults_of_turn(RULESET, position)]
    for seat in SEATS:
        faults += for_seat(RULESET, state, seat, position.sheets[seat])
    if faults:
        raise ContractBroken("\n".join(faults))


@examples(50)
@given(galaxies(), st.text(max_size=200))
def test_any_text_is_read_and_its_orders_are_resolved(state: State, text: str) -> None:
    items = reader_of(GRAMMAR).read(text)
    resolve(state, {SEATS[0]: read(text)}, frozenset(SEATS[1:]), DICE)
    assert all(getattr(item, "order", None) or getattr(item, "reason", None) for item in items)


@examples(25)
@given(galaxies(), sheets())
def test_a_turn_does_not_depend_on_how_its_state_was_stored(state: State, orders: Sheets) -> None:
    before = encode(state)
    stored = decode(before.content, State)
    missed = frozenset(SEATS[2:])
    first, again = (resolve(each, orders, missed, DICE) for each in (state, stored))
    backwards = resolve(state, {seat: orders[seat] for seat in SEATS[::-1]}, missed, DICE)
    digests = {encode(each.state).digest for each in (first, again, backwards)}
    assert len(digests) == 1
    assert dict(first.outcomes) == dict(again.outcomes) == dict(backwards.outcomes)
    assert encode(state).digest == before.digest
    for seat in SEATS:
        seen = [visible_to(RULESET, each.state, seat, orders[seat]) for each in (first, again)]
        assert seen[0] == seen[1]


@examples(30)
@given(galaxies(), sheets())
def test_every_ship_is_whole_and_where_its_carrier_is(state: State, orders: Sheets) -> None:
    after = resolve(state, orders, frozenset(), DICE).state
    assert [problem for ship in after.ships.values() for problem in _problems(after, ship)] == []
    names = [(ship.owner, ship.callsign.casefold()) for ship in after.ships.values()]
    assert len(set(names)) == len(names)


@examples(30)
@given(galaxies(), sheets())
def test_no_empire_knows_two_classes_by_one_name(state: State, orders: Sheets) -> None:
    resolution = resolve(state, orders, frozenset(), DICE)
    for seat, empire in resolution.state.empires.items():
        own = {ship.kind for ship in resolution.state.fleet(seat)}
        met = {*empire.classes, *empire.class_names, *own}
        names = {class_name(empire, key).casefold() for key in met}
        assert len(names) == len(met)
        rulings = RULESET.validate(state, seat, orders[seat])
        for (order, outcome), ruling in zip(resolution.outcomes[seat], rulings, strict=True):
            if isinstance(order, Design) and ruling.kind is not RulingKind.REJECTED:
                assert "already a class" not in outcome.reason


def _problems(state: State, ship: Ship) -> list[str]:
    """Return the faults of a ship."""
    wrong = []
    if not 1 <= ship.dp <= state.kind(ship).ratings.dp:
        wrong.append(f"{ship.callsign}: {ship.dp} DP")
    if state.cargo(ship) and (ship.loaded or state.free_racks(ship) < 0):
        wrong.append(f"{ship.callsign}: carries what it cannot")
    if ship.carrier is not None:
        carrier = state.ships.get(ship.carrier)
        if carrier is None or (carrier.owner, carrier.at) != (ship.owner, ship.at):
            wrong.append(f"{ship.callsign}: its carrier is elsewhere")
    return wrong


@examples(30)
@given(galaxies(), sheets())
def test_ships_are_lost_only_by_use_or_destruction(state: State, orders: Sheets) -> None:
    turn = Turn(state, orders, DICE)
    for step in TURN:
        step.take(turn)
    after = turn.state.ships
    lost = state.ships.keys() - after.keys()
    fired = {
        number for number in turn.spent if state.kind(state.ships[number]).hull is Hull.MISSILE
    }
    assert fired == turn.spent <= lost
    assert turn.exploding <= lost
    wrecked = {(wreck.owner, wreck.callsign) for wreck in turn.wrecks}
    others = [state.ships[number] for number in lost - turn.spent - turn.exploding]
    deployed = [ship for ship in others if (ship.owner, ship.callsign) not in wrecked]
    assert sorted((s.owner, s.kind) for s in deployed) == sorted(
        (o, k) for o, k, _ in turn.deployed
    )
    assert after.keys() - state.ships.keys() == set(
        range(state.commissioned + 1, turn.state.commissioned + 1)
    )


@examples(25)
@given(galaxies(), sheets(peaceful))
def test_in_peace_and_calm_no_ship_is_lost(state: State, orders: Sheets) -> None:
    state.storms = {}
    after = resolve(state, orders, frozenset(), DICE).state
    assert state.ships.keys() <= after.ships.keys()


@examples(30)
@given(galaxies(), sheets())
def test_the_ledgers_balance_and_no_ru_appear(state: State, orders: Sheets) -> None:
    after = resolve(state, orders, frozenset(), DICE).state
    accounts = {each.world: each for empire in after.empires.values() for each in empire.ledger}
    assert accounts.keys() == {name for name, world in after.worlds.items() if world.owner}
    for name, world in after.worlds.items():
        if name not in accounts:
            assert world.stockpile == state.worlds[name].stockpile
            continue
        account = accounts[name]
        assert (account.before, account.after) == (state.worlds[name].stockpile, world.stockpile)
        assert account.after == account.before - account.spent + account.made + account.moved
        assert account.made in (world.production, 2 * world.production)
        assert account.spent >= 0 <= account.after
    assert sum(account.moved for account in accounts.values()) == 0


@examples(30)
@given(galaxies(), sheets(peaceful))
def test_ru_spent_equal_the_cost_of_ships_and_designs(state: State, orders: Sheets) -> None:
    after = resolve(state, orders, frozenset(), DICE).state
    built = after.ships.keys() - state.ships.keys()
    ships = sum(after.kind(after.ships[number]).cost for number in built)
    fees = sum(after.classes[name].fee for name in after.classes.keys() - state.classes.keys())
    spent = sum(each.spent for empire in after.empires.values() for each in empire.ledger)
    assert spent == ships + fees


@examples(30)
@given(galaxies(), sheets())
def test_an_empire_with_worlds_has_one_homeworld(state: State, orders: Sheets) -> None:
    after = resolve(state, orders, frozenset(), DICE).state
    for seat, empire in after.empires.items():
        homes = [world.name for world in after.worlds_of(seat) if world.homeworld]
        assert homes == ([empire.homeworld] if after.worlds_of(seat) else [])
    assert [world for world in after.worlds.values() if _is_odd(world)] == []


def _is_odd(world: World) -> bool:
    """Return whether a world is invalid."""
    banned = world.prohibition is Prohibition.INTERDICTED and world.homeworld
    return banned or (world.owner is None and (world.homeworld or world.blockaded))


@examples(25)
@given(galaxies(), st.sampled_from(SEATS), st.integers(0, 2))
def test_orders_of_abandoned_empires_are_not_rejected(
    state: State, seat: Seat, played: int
) -> None:
    orders = STEWARD.orders(state, seat, played)
    rulings = RULESET.validate(state, seat, orders)
    texts = [RULESET.render(order) for order in orders]
    refused = [
        (t, r.reason) for t, r in zip(texts, rulings, strict=True) if r.kind.value == "rejected"
    ]
    assert refused == []
