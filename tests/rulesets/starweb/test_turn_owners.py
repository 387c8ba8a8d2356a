"""What keys and worlds lose with their owner, their last ship or their last convert.

A scenario cannot say that a flag is missing, so these cases are here.
"""

import pytest

from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.state import Character
from tests.rulesets.starweb.galaxies import CERES, MARS, galaxy, resolved

PIRATE = {MARS: Character.PIRATE}


@pytest.mark.parametrize(
    ("records", "orders"),
    [
        ("W1 [] (Population=9) F1[CERES]=5 (PLANET-BUSTER)", [o.GiveFleet(1, "MARS")]),
        ("W1 [] (Population=9) F1[CERES]=5 (PLANET-BUSTER) F2[MARS]=16", []),
        (
            "W1 [] (Population=9) F1[CERES]=5 (PLANET-BUSTER) F2[MARS]=1",
            [o.TransferToFleet(1, 5, 2)],
        ),
    ],
    ids=["given away", "taken by a pirate", "left without ships"],
)
def test_a_bomb_does_not_pass_to_another_owner(records: str, orders: list[o.Order]) -> None:
    state = galaxy(records, PIRATE)
    state.players[CERES].met = [MARS]
    key = resolved(state, ceres=orders).state.fleets[1]
    assert (key.owner, key.bomb) == (MARS, False)


def test_a_key_without_ships_is_not_shown_in_ambush() -> None:
    state = galaxy("W1 (2) F1[CERES]=5 W2 (1,3) [] (Population=9) F2[MARS]=0 F3[MARS]=1 W3 (2)")
    fleets = resolved(state, ceres=[o.MoveFleet(1, (2, 3))]).state.fleets
    assert (fleets[2].did, fleets[3].did) == ("", "Ambush")


def test_a_world_without_converts_is_no_apostles() -> None:
    state = galaxy(
        "W1 [] C[MARS] (Population=9/1C) F1[CERES]=90 (Cargo=90)", {MARS: Character.APOSTLE}
    )
    after = resolved(state, ceres=[o.UnloadGoods(1)]).state
    assert (after.worlds[1].apostle, after.players[MARS].worlds) == (None, set())
