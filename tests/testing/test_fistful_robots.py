"""Tests of the robots for A Fistful of Planets: reading reports and writing sheets."""

from referee.rules.hexes import Hex
from referee.testing.robots.fistful import Guardian, Raider
from referee.testing.robots.fistful.reading import SeenFleet, asked_for_home, read_report

REPORT = """\
ALMA, turn 19 of 42. Your homeworld is W1. Orders are due Friday.

Battles
W4: ALMA has FD (6S).
W4: BRUNO has FL (1S).

Recon
W5: BRUNO has FQ (1T), FJ (1C12D) and a colony of size 3,
  fortified.
W6: nothing of BRUNO.

Your colonies
Star  Size  Most  Points  Remarks
----  ----  ----  ------  -------------------------
W1       5     5       5  homeworld, half fortified
W2       2     4       2

Your fleets
Fleet  At  T  S   C  D  Can move to
-----  --  -  -  --  -  -----------
FA     W1  1  0   0  0  W2 3
FB     W2  0  3  12  0  W1 3 4 5
                        6
FC     W3  1  0   0  0  W2

Colonies of BRUNO
Star  Most  Remarks
----  ----  ---------
W5       5  homeworld

Fleets of BRUNO
They are at W5 W6.

Stars
Star  Hex  Most        3 hexes or less     4 hexes       5 hexes
----  ---  ----------  ------------------  ------------  ------------------
W1    1,1  5 blue      W2
W2    1,3  4 white     W1 3
W3    3,3  2 orange    W2 4
W4    5,3  1 red       W3 5
W5    7,3  5 blue      W4 6
W6    9,3  3 yellow    W5

PRESS FROM BRUNO TO ALMA
  W5: ALMA has FZ (99D).
"""


def test_a_report_is_read() -> None:
    game = read_report(REPORT)
    assert game is not None
    assert (game.turn, game.home, game.fog) == (19, 1, True)
    assert game.stars[4].at == Hex(5, 3)
    assert (game.colonies[2].size, game.colonies[2].points) == (2, 2)
    assert game.colonies[1].remarks == "homeworld, half fortified"
    assert game.fleets["B"] == SeenFleet("B", 2, 0, 3, 12, 0, (1, 3, 4, 5, 6))
    assert game.prizes == {5: "homeworld"}
    assert game.threats == {5, 6}


def test_enemy_strength_is_read_only_from_recon() -> None:
    game = read_report(REPORT)
    assert game is not None
    assert game.sights == {5: 13, 6: 0}


def test_without_fog_the_enemy_is_read_from_tables() -> None:
    clear = REPORT.replace("They are at W5 W6.", "Fleet  At  T  S  C  D\n" + CLEAR_FLEET)
    clear = clear.replace("Star  Most  Remarks\n----  ----  ---------\nW5       5", CLEAR_COLONY)
    game = read_report(clear)
    assert game is not None
    assert (game.fog, game.sights) == (False, {5: 3})
    assert game.threats == {5}
    assert game.prizes == {5: "homeworld"}


CLEAR_FLEET = "-----  --  -  -  -  -\nFQ     W5  9  1  2  0"
CLEAR_COLONY = "Star  Size  Most  Remarks\n----  ----  ----  ---------\nW5       5     5"


def test_a_robot_lands_fortifies_grows_scouts_and_storms() -> None:
    assert Raider().sheet(REPORT) == "FCL W1F W2G FBT1SFC FBW5 FCW4\n"


def test_a_robot_does_not_attack_a_stronger_enemy() -> None:
    weak = REPORT.replace("0  3  12  0", "0  3   9  0")
    assert Guardian().sheet(weak) == "FCL W1F W2G FBT1SFC FBX1 FCW4\n"


def test_a_homeworld_is_chosen_when_one_is_asked_for() -> None:
    asked = "ALMA: choose your homeworld in rows 1 to 10 or 23 to 32, for\nexample H6. Orders"
    sealed = "ALMA: name a homeworld for each zone, rows 1 to 10 and\n23 to 32, for example H6 H39."
    assert (asked_for_home(asked), asked_for_home(sealed)) == ("H6", "H6 H39")
    assert Raider().sheet(asked) == "H6\n"


def test_no_sheet_without_a_request() -> None:
    assert Raider().sheet("ALMA: your enemy chooses a homeworld now.") == ""
    assert Raider().sheet("ALMA, you have won: BRUNO gave up.") == ""
