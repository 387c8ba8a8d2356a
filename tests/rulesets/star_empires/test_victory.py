"""Tests of victory: half of all production, alone or as an alliance (R1.0, page 6.4)."""

from referee.reports.text import text
from referee.rules.fields import Fields
from referee.rules.ruleset import Seat
from referee.rules.views import Prose
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.scenarios import placed
from referee.rulesets.star_empires.state import State

A, B, C, D = map(Seat, (1, 2, 3, 4))


def galaxy(*, alliance_size: int = 1, **production: int) -> State:
    """Return a galaxy with the given production of each empire and of a free world."""
    worlds = [
        {"name": f"W{name}", "at": [5 * number, 0], "production": made, "owner": name}
        for number, (name, made) in enumerate(production.items())
    ]
    worlds = [world if world["owner"] != "free" else {**world, "owner": ""} for world in worlds]
    content = {"empires": {name: {} for name in "ABCD"}, "worlds": worlds}
    return placed(Fields(content), Fields({"alliance_size": alliance_size}))


def winners(state: State) -> set[Seat] | None:
    verdict = RULESET.verdict(state)
    return None if verdict is None else set(verdict.winners)


def ally(state: State, *seats: Seat) -> None:
    for seat in seats:
        state.empires[seat].allies |= set(seats) - {seat}


def test_half_of_all_production_wins_and_less_does_not() -> None:
    assert winners(galaxy(A=10, B=5, free=5)) == {A}
    assert winners(galaxy(A=10, B=5, free=6)) is None


def test_a_galaxy_that_makes_nothing_has_no_winner() -> None:
    assert winners(galaxy(A=0, B=0)) is None
    assert winners(galaxy()) is None


def test_allies_win_together_where_the_game_has_alliances_and_all_declared_it() -> None:
    state = galaxy(alliance_size=2, A=6, B=6, C=9, free=3)
    assert winners(state) is None
    state.empires[A].allies = {B}
    assert winners(state) is None
    ally(state, A, B)
    assert winners(state) == {A, B}
    state.alliance_size = 1
    assert winners(state) is None


def test_all_of_three_allies_must_declare_each_other() -> None:
    state = galaxy(alliance_size=3, A=4, B=4, C=4, D=9, free=3)
    ally(state, A, B)
    ally(state, B, C)
    assert winners(state) is None
    ally(state, A, C)
    assert winners(state) == {A, B, C}


def test_an_empire_that_needs_no_ally_wins_by_itself() -> None:
    state = galaxy(alliance_size=2, A=10, B=5, free=5)
    ally(state, A, B)
    assert winners(state) == {A}


def test_two_empires_with_equal_halves_both_win() -> None:
    state = galaxy(A=10, B=10)
    assert winners(state) == {A, B}
    verdict = RULESET.verdict(state)
    assert verdict is not None
    assert "A and B have won" in text(verdict.standing)


def result(state: State) -> str:
    """Return who has won, and why, as the final standings say it."""
    verdict = RULESET.verdict(state)
    assert verdict is not None
    said, *_ = verdict.standing
    assert isinstance(said, Prose)
    return said.text


def test_the_standings_say_who_won_and_why() -> None:
    allies = galaxy(alliance_size=2, A=6, B=6, C=9)
    ally(allies, A, B)
    everyone = galaxy(alliance_size=4, A=2, B=3, C=2, D=2, free=9)
    ally(everyone, A, B, C, D)
    half = "of the galaxy's production. At least half of it wins."
    assert result(galaxy(A=10, B=5)) == f"A has won with 66 % {half}"
    assert result(galaxy(A=5, B=5)) == f"A and B have won with 100 % {half}"
    assert result(allies) == f"A and B have won as allies with 57 % {half}"
    assert result(everyone) == (
        f"A, B, C and D have won as allies with 50 % {half} All empires have won, so the game is a "
        "draw."
    )


def test_a_won_game_awaits_no_orders() -> None:
    state = galaxy(A=10, B=5)
    assert RULESET.phase(state).awaiting == frozenset()


def test_a_homeless_empire_is_not_awaited() -> None:
    state = galaxy(A=4, B=4, C=4)
    for seat in (A, B):
        state.empires[seat].homeworld = state.worlds_of(seat)[0].name
    assert RULESET.phase(state).awaiting == {A, B}


def test_the_last_report_has_no_number_of_a_turn_that_is_not_played() -> None:
    goes_on, won = galaxy(A=10, B=5, free=6), galaxy(A=10, B=5, free=5)
    assert text(RULESET.view(goes_on, A, "")).startswith("A, turn 1. You have no homeworld.")
    assert text(RULESET.view(won, A, "")).startswith("A. You have no homeworld.")
