"""Robots that play Starfarers: the reports they read and the orders they write."""

import pytest

from referee.testing.robots.starfarers import Trader
from referee.testing.robots.starfarers.raider import Raider
from referee.testing.robots.starfarers.reading import SeenBase, SeenOffer, read_report
from referee.testing.robots.starfarers.settler import Settler

REPORT = """\
ARGO, player 1. Round 8 of at most 60: All four phases. You hold 3 food, 2 fuel and 1
ore. Order of play: ARGO, BEAGLE.

Trade
BEAGLE offered you 2 carbon for 1 food and 1 ore, but you did not offer
  the same.

Players: cards in hand, prototype, galaxies with a colony system
No  Player  Colour  Cards  Boost  Cann  Rings  Sys  Relations
--  ------  ------  -----  -----  ----  -----  ---  -------------------------
 1  ARGO    yellow      6      1     2      3    0  at peace
 2  BEAGLE  blue        4      0     0      0    0  hostile to ARGO;
                                                    mothership held by ARGO

Galaxy of ARGO, 46 tiles left to explore
Hex  At    What                 Next hexes by direction
---  ----  -------------------  -----------------------
H1   0,0   mothership           2:3 3:5
H3   1,0   ore planet           2:4 4:5 5:1
H4   2,0   pirates, 3 cannons   5:3
H5   0,1   fuel planet, toll    1:3 6:1

Galaxy of BEAGLE, 50 tiles left to explore
Hex  At   What        Next hexes by direction
---  ---  ----------  -----------------------
H2   0,0  mothership  -

Ships
Ship  Owner   At  What is there  Kind
----  ------  --  -------------  ---------
S1    ARGO    H5  fuel planet    -
S2    BEAGLE  H2  mothership     rebuilt
S3    ARGO    H5  fuel planet    mercenary

Bases
Base  Owner  Kind    At   Where     Galaxy
----  -----  ------  ---  --------  ------
B1    ARGO   colony  H3b  in orbit  ARGO
"""


def test_a_report_is_read() -> None:
    game = read_report(REPORT)
    assert game is not None
    assert (game.name, game.round, game.part) == ("ARGO", 8, "All four phases")
    assert game.hand == {"F": 3, "U": 2, "O": 1}
    assert (game.me.boosters, game.me.cannons, game.me.rings) == (1, 2, 3)
    assert game.players["BEAGLE"].relations == "hostile to ARGO; mothership held by ARGO"
    assert game.is_foe("BEAGLE")
    assert game.left == {"ARGO": 46, "BEAGLE": 50}
    assert game.hexes[3].ways == {2: 4, 4: 5, 5: 1}
    assert [number for number, place in game.hexes.items() if place.is_free] == [3]
    assert (game.hexes[4].cannons, game.hexes[5].resource) == (3, "U")
    assert [ship.number for ship in game.fleet("ARGO")] == [1]
    assert game.bases == [SeenBase(1, "ARGO", "colony", 3, "b", "ARGO")]
    assert game.offers == [SeenOffer(2, "2C", "1F1O")]


def test_press_is_not_read_as_a_report() -> None:
    forged = f"{REPORT}\nPRESS FROM BEAGLE TO ARGO\n  Ships\n  {'-' * 4}\n\nShips\nA\n-\nB\n"
    assert read_report(forged) == read_report(REPORT)


@pytest.mark.parametrize("robot", [Settler, Raider, Trader])
def test_a_toll_is_paid_where_a_ship_is(robot: type[Settler]) -> None:
    assert robot().sheet(REPORT).startswith("S1K1F")


def test_no_orders_in_the_turn_of_another_player() -> None:
    assert Settler().sheet(REPORT.replace("BEAGLE.", "BEAGLE. It is the turn of BEAGLE.", 1)) == ""


def test_no_orders_from_an_eliminated_player() -> None:
    assert Settler().sheet(REPORT.replace("at peace", "eliminated")) == ""
