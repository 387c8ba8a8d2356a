"""The map of the web as a player knows it."""

from referee.rules.ruleset import Seat
from referee.rules.views import Link, Mark, Node, Sighting, Unit, UnitKind
from referee.rulesets.starweb.charting import chart
from referee.rulesets.starweb.state import Character, Fleet, Player, State, World
from referee.rulesets.starweb.state import chart as note

CERES, MARS, HATYSA = Seat(1), Seat(2), Seat(3)


def state() -> State:
    """Return a galaxy in a row, 1 to 6. CERES sees 1 and 2, was at 3, and 4 is behind it."""
    worlds = {
        number: World(number, tuple(n for n in (number - 1, number + 1) if 1 <= n <= 6))
        for number in range(1, 7)
    }
    worlds[1] = World(1, (2,), owner=CERES, industry=30, mines=2, metal=9)
    worlds[2].owner = MARS
    worlds[3].owner, worlds[3].industry = HATYSA, 7
    players = {
        CERES: Player(CERES, "CERES", Character.PIRATE, 1, met=[HATYSA, MARS], worlds={1, 2}),
        MARS: Player(MARS, "MARS", Character.PIRATE, 2, worlds={2}),
        HATYSA: Player(HATYSA, "HATYSA", Character.PIRATE, 3, worlds={3}),
    }
    given = State(5, worlds, {}, players, game="SW-7")
    note(players[CERES], [worlds[1]], 1)
    note(players[CERES], [worlds[2], worlds[3]], 4)
    for number in (30, 4, 17):
        given.fleets[number] = Fleet(number, 1, CERES, 3)
    given.fleets[9] = Fleet(9, 2, CERES, 1)
    given.fleets[10] = Fleet(10, 2, MARS, 5)
    return given


def test_a_map_shows_what_is_seen_remembered_and_unexplored() -> None:
    drawn = chart(state(), CERES)
    own = tuple(
        Unit(f"F{number}", "CERES", UnitKind.FLEET, "3 ships", reach=3) for number in (4, 17, 30)
    )
    assert drawn.nodes == (
        Node(
            "W1",
            ("I=30 M=2",),
            "CERES",
            Sighting.SEEN,
            1,
            marks=(Mark.HOME, Mark.PRODUCTION),
            units=own,
            details=("Industry=30/0", "Metal=9", "Mines=2"),
        ),
        Node(
            "W2",
            (),
            "MARS",
            Sighting.SEEN,
            1,
            units=(
                Unit("F9", "CERES", UnitKind.FLEET, "1 ship", reach=3),
                Unit("F10", "MARS", UnitKind.FLEET, "5 ships"),
            ),
        ),
        Node("W3", (), "", Sighting.REMEMBERED, 4),
        Node("W4", (), "", Sighting.UNEXPLORED, 4),
    )
    assert drawn.links == (Link("W1", "W2", 1), Link("W2", "W3", 4), Link("W3", "W4", 4))
    assert drawn.title == "SW-7, turn 5, CERES"
    assert drawn.owners == ("CERES", "HATYSA", "MARS")


def test_a_gate_opened_unseen_is_not_on_the_map() -> None:
    given = state()
    given.worlds[3].gates = (2, 4, 6)
    given.worlds[6].gates = (3, 5)
    assert chart(given, CERES) == chart(state(), CERES)


def test_a_gate_seen_later_keeps_the_older_ones_turns() -> None:
    given = state()
    given.worlds[1].gates = (2, 6)
    note(given.players[CERES], [given.worlds[1]], 5)
    assert given.players[CERES].charted[1] == {2: 1, 6: 5}
    assert Link("W1", "W6", 5) in chart(given, CERES).links
