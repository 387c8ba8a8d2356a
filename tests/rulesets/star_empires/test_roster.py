"""Tests of the roster: it always finds what a search of all ships finds."""

from hypothesis import given
from hypothesis import strategies as st

from referee.rules.dice import Dice
from referee.rulesets.star_empires.roster import Roster
from referee.rulesets.star_empires.ships import Shipyard
from referee.rulesets.star_empires.state import State
from tests.rulesets.star_empires.galaxies import galaxies
from tests.support.examples import examples

NAMES = ("p1", "P1", "xx00001", "")


def _check(state: State, roster: Roster, names: set[str]) -> None:
    """Compare the roster with a search of all ships and worlds."""
    ships, worlds = list(state.ships.values()), list(state.worlds.values())
    for seat in state.empires:
        fleet = [ship for ship in ships if ship.owner == seat]
        assert roster.fleet(seat) == fleet
        for name in names:
            wanted = name.casefold()
            found = (s for s in fleet if wanted in (s.name.casefold(), s.serial.casefold()))
            assert roster.called(seat, name) is next(found, None)
    for at in {(99, 99), *(ship.at for ship in ships), *(world.at for world in worlds)}:
        assert roster.at(at) == [ship for ship in ships if ship.at == at]
        owners = {world.owner for world in worlds if world.at == at} - {None}
        assert roster.present(at) == owners | {ship.owner for ship in ships if ship.at == at}


@examples(30)
@given(st.data())
def test_a_roster_follows_every_change_of_the_fleets(data: st.DataObject) -> None:
    """A roster finds the same ships as a search, before and after ships come, go and move."""
    state: State = data.draw(galaxies())
    roster, names = Roster(state), {*NAMES}
    for number in range(data.draw(st.integers(0, 6))):
        ships = list(state.ships.values())
        # The names of lost ships stay in the set, so that they are looked up again.
        names |= {name for ship in ships for name in (ship.name.upper(), ship.serial)}
        if data.draw(st.booleans()):
            _check(state, roster, names)
        deed = data.draw(st.sampled_from(("add", "move", "remove") if ships else ("add",)))
        if deed == "add":
            seat = data.draw(st.sampled_from(list(state.empires)))
            name = data.draw(st.sampled_from(NAMES))
            kind = data.draw(st.sampled_from(sorted(state.classes)))
            Shipyard(roster, seat).commission(kind, (0, 1), Dice(b"roster").at(number), name)
        elif deed == "move":
            roster.move(data.draw(st.lists(st.sampled_from(ships))), (1, 1))
        else:
            roster.remove(data.draw(st.sampled_from(ships)))
    _check(state, roster, names)
