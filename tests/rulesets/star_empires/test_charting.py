"""The map: what an empire knows, in its own coordinates."""

from referee.rules.views import Chart, Grid, Link, LinkKind, Mark, Spot, UnitKind
from referee.rulesets.star_empires.charting import chart, regions_of
from referee.rulesets.star_empires.sectors import Frame, disk
from referee.rulesets.star_empires.state import KnownPortal, KnownStorm, State
from tests.rulesets.star_empires.played import SEATS, game

RED = SEATS[0]


def late() -> State:
    state: State = game()[-1].state.copy()
    return state


def of(drawn: Chart, key: str) -> tuple[Spot | None, tuple[Mark, ...]]:
    """Return the spot and the marks of a place."""
    node = next(node for node in drawn.nodes if node.key == key)
    return node.spot, node.marks


def test_places_are_at_the_coordinates_of_the_empire() -> None:
    state = late()
    empire = state.empires[RED]
    north, east = empire.frame.galactic((0, 1)), empire.frame.galactic((1, 1))
    empire.storms["Gale"] = KnownStorm("Gale", north, 3, state.turn)
    empire.storms["Mist"] = KnownStorm("Mist", east, 0, 1)
    drawn = chart(state, RED)
    assert drawn.grid is Grid.FLAT_HEXES
    assert of(drawn, "Gale") == (Spot("1", 0.0, -1.0), (Mark.STORM,))
    assert of(drawn, "Mist") == (Spot("1", 0.866, -0.5), (Mark.NEBULA,))
    named = {ground.name: ground.spot for ground in drawn.ground}
    assert named["(0,1)"] == Spot("1", 0.0, -1.0)


def test_an_empire_is_named_from_when_it_is_met_or_shown() -> None:
    for seat in SEATS:
        known: set[str] = set()
        for played in game():
            empire, drawn = played.state.empires[seat], chart(played.state, seat)
            known |= {node.owner for node in drawn.nodes} - {""}
            known |= {unit.owner for node in drawn.nodes for unit in node.units} - {""}
            known |= {played.state.empires[other].name for other in empire.contacts}
            assert sorted(drawn.owners) == sorted(known)
            assert drawn.owners[0] == empire.name


def test_an_empire_that_a_gm_made_known_is_named() -> None:
    state = late()
    empire = state.empires[RED]
    empire.contacts, empire.named, empire.worlds, state.ships = set(), [], {}, {}
    assert chart(state, RED).owners == ("RED",)
    empire.contacts = {SEATS[1]}
    assert chart(state, RED).owners == ("RED", state.empires[SEATS[1]].name)


def test_ships_are_in_their_sector_and_reach_what_is_in_their_range() -> None:
    state = late()
    drawn = chart(state, RED)
    ship = next(ship for ship in state.fleet(RED) if not ship.loaded and state.engines(ship))
    every = [unit for node in drawn.nodes for unit in node.units]
    found = {unit.key: unit for unit in every if unit.owner == "RED"}
    assert found[ship.callsign].reach == state.engines_to_move(ship)
    assert found["starbase"].kind is UnitKind.BASE
    assert sum(unit.owner == "RED" for unit in every) == len(state.fleet(RED))


def test_a_wormnet_leads_only_where_navigation_data_says() -> None:
    state = late()
    empire = state.empires[RED]
    one, other, *_ = sorted(state.portals)
    for number, name in enumerate((one, other)):
        at = empire.frame.galactic((number, 0))
        empire.portals[name] = KnownPortal(name, at, collapsed=False, turn=1)
    state.portals[one].exits, state.portals[other].exits = {other}, set()
    empire.navigation = {one}
    assert [link for link in chart(state, RED).links if link.kind is LinkKind.JUMP] == []
    empire.navigation = {one, other}
    jumps = [link for link in chart(state, RED).links if link.kind is LinkKind.JUMP]
    assert jumps == [Link(one, other, kind=LinkKind.JUMP)]


def test_unknown_ships_are_one_unit_with_their_number() -> None:
    units = [
        unit
        for played in game()
        for seat in SEATS
        for node in chart(played.state, seat).nodes
        for unit in node.units
        if unit.kind is UnitKind.UNKNOWN
    ]
    assert units
    assert {unit.key for unit in units} == {"?"}
    assert all(unit.force.endswith(("ship", "ships")) for unit in units)


def test_sectors_that_are_far_away_are_a_region_of_their_own() -> None:
    near, far = list(disk((0, 0), 2)), list(disk((30, 10), 1))
    regions = regions_of(Frame(), (0, 0), [*near, *far])
    assert [panel.title for panel in regions.panels] == ["Around (0,0)", "Around (30,10)"]
    assert {regions.of[at] for at in near} == {"1"}
    assert {regions.of[at] for at in far} == {"2"}
    # Regions are in one plane, so their spots still show how far they are apart.
    assert len({panel.plane for panel in regions.panels}) == 1
    assert regions.spot((30, 10)).x > 25
    assert [panel.title for panel in regions_of(Frame(), (0, 0), near).panels] == [""]
