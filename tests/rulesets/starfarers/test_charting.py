"""The map: a panel for each galaxy, with ships and bases."""

from referee.rules.dice import Dice
from referee.rules.ruleset import SignUp
from referee.rules.views import Mark, Spot
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.charting import chart
from referee.rulesets.starfarers.state import State
from tests.rulesets.starfarers.played import NAMES, SEATS

ARGO, BEAGLE = SEATS[:2]
TABLE = """
H5 [ARGO] 1,-1 planet O
H6 [BEAGLE] -1,0 wormhole
B7 [BEAGLE] colony H5
B8 [ARGO] spaceport H5a
"""


def table(**options: str) -> State:
    """Return a new game with a few hexes and bases."""
    signups = [SignUp(seat, name) for seat, name in zip(SEATS, NAMES, strict=True)]
    state, _ = RULESET.correct(RULESET.setup(signups, options, Dice(b"stars")), TABLE)
    return state


def test_each_galaxy_is_a_plane_of_its_own() -> None:
    drawn = chart(table(), ARGO)
    assert [panel.title for panel in drawn.panels] == [f"Galaxy of {name}" for name in NAMES]
    assert len({panel.plane for panel in drawn.panels}) == len(NAMES)
    spots = {node.key: node.spot for node in drawn.nodes}
    # Direction 1 is north-east and 5 is west.
    assert spots["H5"] == Spot("P1", 0.5, -0.866)
    assert spots["H6"] == Spot("P2", -1.0, 0.0)


def test_in_fog_unseen_galaxies_are_not_on_the_map() -> None:
    drawn = chart(table(fog="galaxy"), ARGO)
    assert [panel.key for panel in drawn.panels] == ["P1"]
    assert {node.spot.panel for node in drawn.nodes if node.spot} == {"P1"}


def test_a_base_in_orbit_is_at_its_corner_and_owns_no_hex() -> None:
    state = table()
    node = next(node for node in chart(state, ARGO).nodes if node.key == "H5")
    assert (node.owner, node.marks) == ("BEAGLE", (Mark.PRODUCTION,))
    planet, orbit = node.units
    assert (planet.key, planet.spot) == ("B7", None)
    # Corner a is in the north.
    assert (orbit.key, orbit.spot) == ("B8", Spot("P1", 0.5, -1.443))
    del state.bases[7]
    node = next(node for node in chart(state, ARGO).nodes if node.key == "H5")
    assert node.owner == ""
