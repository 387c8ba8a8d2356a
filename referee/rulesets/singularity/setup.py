"""A new war: the board, and a home planet and five points for everybody (rule 4)."""

from collections.abc import Mapping, Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Mistake, Seat, SignUp
from referee.rulesets.singularity import board
from referee.rulesets.singularity.offer import (
    COLOUR,
    COLOURS,
    GRAY_CORE,
    INFO,
    JUMPS,
    PERMUTED,
    rules_of,
)
from referee.rulesets.singularity.sections import first_section
from referee.rulesets.singularity.state import Chart, Planet, Player, State

WEDGES: Final[Mapping[int, tuple[int, ...]]] = {
    2: (0, 3),
    3: (0, 2, 4),
    4: (0, 1, 3, 4),
    6: (0, 1, 2, 3, 4, 5),
}
"""Which wedges are played, by the number of players; of five one wedge is drawn to be empty."""


def setup(seats: Sequence[SignUp], options: Mapping[str, int | str | bool], dice: Dice) -> State:
    """Give the state before the first orders. Raises Mistake when the options cannot be met.

    Everybody gets a colour he wished for if it is free, else one is drawn.
    """
    if not INFO.fewest_seats <= len(seats) <= INFO.most_seats:
        raise Mistake(
            f"A war has {INFO.fewest_seats} to {INFO.most_seats} players, not {len(seats)}."
        )
    rules = rules_of(options)
    colours = board.colours(rules.wheel, gray_core=bool(options.get(GRAY_CORE, False)))
    levels = board.levels(rules.highest, dice.at("levels"))
    lay = board.jumps if options.get(JUMPS, PERMUTED) == PERMUTED else board.free_jumps
    table = lay(rules.highest, dice)
    state = State(
        turn=1,
        section=first_section(rules.mode),
        rules=rules,
        planets=_planets(colours, levels),
        ships={},
        players={},
        jumps=[Chart(start, end) for start, end in sorted(table.items())],
        game=str(options.get("game", "ST")),
    )
    for signup, number in zip(seats, _wedges(seats, rules.wheel, dice), strict=True):
        seat, home = signup.seat, board.home(number)
        state.players[seat] = Player(seat, signup.name.upper(), rules.wheel[number])
        state.planets[home].owner = seat
    return state


def _planets(colours: Mapping[int, str], levels: Mapping[int, int]) -> dict[int, Planet]:
    return {
        column: Planet(column, levels[column], colours[column])
        for column in range(1, board.COLUMNS + 1)
    }


def _wedges(seats: Sequence[SignUp], wheel: str, dice: Dice) -> list[int]:
    """Give every player's wedge: the one of his colour where that is played and free."""
    free = list(WEDGES.get(len(seats), dice.at("empty").shuffled(range(6))[:5]))
    chosen: dict[Seat, int] = {}
    letters = {name: letter for letter, name in COLOURS.items()}
    for signup in seats:
        wishes = (letters.get(wish.casefold(), "") for wish in signup.choices.get(COLOUR, ()))
        numbers = [wheel.index(wish) for wish in wishes if wish and wheel.index(wish) in free]
        if numbers:
            chosen[signup.seat] = numbers[0]
            free.remove(numbers[0])
    rest = iter(dice.at("wedges").shuffled(sorted(free)))
    return [chosen[s.seat] if s.seat in chosen else next(rest) for s in seats]
