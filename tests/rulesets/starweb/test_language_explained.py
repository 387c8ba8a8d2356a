"""Explanations of StarWeb orders in plain English."""

import pytest
from hypothesis import given

from referee.parsing.reader import read_orders
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.language import GRAMMAR, explain
from tests.rulesets.starweb.sheets import ORDERS
from tests.rulesets.starweb.test_rulings import CERES, galaxy


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("F3T4F17", "Fleet 3 gives 4 ships to fleet 17 at W3."),
        ("F3T4F9", "Fleet 3 gives 4 ships to MARS's fleet 9 at W3."),
        ("F3T4F2", "Fleet 3 gives 4 ships to neutral fleet 2 at W3."),
        ("F3T1P", "Fleet 3 leaves 1 ship to guard the people of W3."),
        ("F3T4I", "Fleet 3 leaves 4 ships to guard the industry of W3."),
        ("I3T4F17", "W3 gives 4 of its I-Ships to fleet 17."),
        ("P3T1I", "W3 moves 1 of its P-Ships to guard its industry."),
        ("W3S2", "W3 scraps 8 I-Ships and gets 2 industry."),
        ("W3B10I", "W3 builds 10 ships to guard its industry."),
        ("W3B2F17", "W3 builds 2 ships on fleet 17."),
        ("W3I3I", "W3 uses 12 industry to build 3 industry."),
        ("W3I1L", "W3 uses 4 industry to raise its population limit by 1."),
        ("W3B5R", "W3 uses 5 industry to build 10 robots."),
        ("P3M4W13", "W3 sends 4 people to W13."),
        ("C3M4W13", "W3 sends 4 converts to W13."),
        ("C3M1W13", "W3 sends 1 convert to W13."),
        ("F3W13", "Fleet 3 moves from W3 to W13."),
        ("F3W13W20", "Fleet 3 moves from W3 through W13 to W20."),
        ("F3P223", "Fleet 3 uses up one ship to probe W223."),
        ("I3P223", "W3 uses up one of its I-Ships to probe W223."),
        ("F3L", "Fleet 3 loads all the metal it can carry at W3."),
        ("F3L5", "Fleet 3 loads 5 metal at W3."),
        ("F3U", "Fleet 3 unloads all its metal on W3."),
        ("F3J2", "Fleet 3 throws 2 metal away."),
        ("F3N2", "Fleet 3 unloads 2 metal as consumer goods on W3."),
        ("V41F3", "Artifact 41 is hooked to fleet 3."),
        ("V70W", "Artifact 70 is dropped on W3."),
        ("F3AF9", "Fleet 3 fires at MARS's fleet 9 at W3."),
        ("F3CF9", "Fleet 3 fires at MARS's fleet 9 at W3, if its owner fires at you there."),
        ("F8AP", "Fleet 8 fires at the P-Ships, then the people, of W13."),
        ("F8AH", "Fleet 8 fires at the home fleets of W13."),
        ("I3CF9", "The I-Ships of W3 fire at MARS's fleet 9, if its owner fires at you there."),
        ("P3AC", "The P-Ships of W3 fire at the converts there."),
        ("Z", "You ambush nobody anywhere this turn."),
        ("Z3", "You ambush nobody at W3 this turn."),
        ("A=MARS", "MARS is your ally until further notice."),
        ("X=MARS", "MARS can no longer load metal on your worlds."),
        ("J=MARS", "You declare a jihad against MARS."),
        ("F3G=MARS", "You give fleet 3 to MARS."),
        ("W3X", "You plunder W3."),
        ("F3Q", "Fleet 3 is at peace and captures nothing."),
        ("F3X", "Fleet 3 is no longer at peace and can capture."),
        ("F3B", "Fleet 3 turns 25 ships into a planet buster bomb."),
        ("F3D", "Fleet 3 drops its planet buster bomb on W3."),
        ("F7R2", "Fleet 7 lands 2 ships as 4 robots on its world."),
        ("ENDING 9000", "You vote to end the game at 9000 points."),
        ("SIGN\nGo\naway\nEND", 'Your sign: "Go / away"'),
    ],
)
def test_an_order_is_explained_in_plain_english(text: str, meaning: str) -> None:
    (order,) = read_orders(GRAMMAR, text)
    assert explain(galaxy(), CERES, order) == meaning


@pytest.mark.parametrize("key", [85, 200])
def test_a_fleet_elsewhere_is_explained_like_a_missing_one(key: int) -> None:
    assert explain(galaxy(), CERES, o.TransferToFleet(key, 4, key)) == (
        f"Fleet {key} gives 4 ships to fleet {key}."
    )


@given(ORDERS)
def test_every_order_has_one_line(order: o.Order) -> None:
    meaning = explain(galaxy(), CERES, order)
    assert (meaning.endswith((".", '"')), "\n" in meaning) == (True, False)
