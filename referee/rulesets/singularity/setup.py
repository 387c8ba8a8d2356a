"""A new war: the board, and a home planet, five points and no ships for all (rule 4, T21)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp, UserError
from referee.rulesets.singularity.board import COLOURS
from referee.rulesets.singularity.options import COLOUR, GRAY_CORE, INFO, JUMPS, PERMUTED, rules_of
from referee.rulesets.singularity.sections import first_section
from referee.rulesets.singularity.state import Chart, Planet, Player, Rules, State

WEDGES: Final[Mapping[int, tuple[int, ...]]] = {
    2: (0, 3),
    3: (0, 2, 4),
    4: (0, 1, 3, 4),
    5: (0, 1, 2, 3, 4),
    6: (0, 1, 2, 3, 4, 5),
}
"""The wedges that are played, by the number of players, if nobody asks for another colour.

All can be turned together, because all sides of the board are equal. With five players, the empty
wedge is drawn.
"""
FIVE: Final = 5
_LETTERS: Final = {name: letter for letter, name in COLOURS.items()}


def setup(seats: Sequence[SignUp], options: Mapping[str, int | str | bool], dice: Dice) -> State:
    """Return the state before the first orders.

    Players get a colour they asked for if it is free, otherwise a drawn one. Raises UserError if
    the options are invalid.
    """
    if not INFO.fewest_seats <= len(seats) <= INFO.most_seats:
        raise UserError(
            f"A war has {INFO.fewest_seats} to {INFO.most_seats} players, not {len(seats)}."
        )
    rules = rules_of(options)
    board = rules.board
    colours = board.colours(rules.wheel, gray_core=bool(options.get(GRAY_CORE, False)))
    draw_jumps = board.jumps if options.get(JUMPS, PERMUTED) == PERMUTED else board.free_jumps
    state = State(
        turn=1,
        section=first_section(rules.mode),
        rules=rules,
        planets=_planets(rules, colours, dice.at("levels")),
        ships={},
        players={},
        jumps=[Chart(start, end) for start, end in sorted(draw_jumps(dice).items())],
        game=str(options.get("game", "ST")),
    )
    for signup, number in zip(seats, _wedges(seats, rules.wheel, dice), strict=True):
        seat, home = signup.seat, board.home(number)
        state.players[seat] = Player(seat, signup.name.upper(), rules.wheel[number])
        state.planets[home].owner = seat
    return state


def _planets(rules: Rules, colours: Mapping[int, str], dice: Dice) -> dict[int, Planet]:
    levels = rules.board.levels(dice)
    return {
        column: Planet(column, levels[column], colours[column]) for column in rules.board.columns
    }


def _wedges(seats: Sequence[SignUp], wheel: str, dice: Dice) -> list[int]:
    """Return the wedges of the players: by colour if it is free, otherwise a drawn one."""
    wishes = {signup.seat: list(_wished(signup, wheel)) for signup in seats}
    plans = [(played, _granted(wishes, played)) for played in _arrangements(len(seats), dice)]
    # Of equally good plans the first is taken. It is the usual one if nobody asks for a colour.
    played, granted = max(plans, key=lambda plan: _pleased(wishes, plan[1]))
    rest = iter(dice.at("wedges").shuffled(sorted({*played} - {*granted.values()})))
    return [granted[s.seat] if s.seat in granted else next(rest) for s in seats]


def _arrangements(number: int, dice: Dice) -> list[tuple[int, ...]]:
    """Return the ways to seat this number of players around the board, the usual one first."""
    start = dice.at("empty").below(6) if number == FIVE else 0
    return [tuple((wedge + start + turn) % 6 for wedge in WEDGES[number]) for turn in range(6)]


def _granted(wishes: Mapping[Seat, Sequence[int]], played: Sequence[int]) -> dict[Seat, int]:
    """Return the wedges of players whose wishes can be met, in the order of the seats."""
    granted: dict[Seat, int] = {}
    for seat, wished in wishes.items():
        free = [wedge for wedge in wished if wedge in played and wedge not in granted.values()]
        if free:
            granted[seat] = free[0]
    return granted


def _pleased(wishes: Mapping[Seat, Sequence[int]], granted: Mapping[Seat, int]) -> tuple[int, int]:
    """Return how many players have their first wish met, and how many have any wish met."""
    return sum(wedge == wishes[seat][0] for seat, wedge in granted.items()), len(granted)


def _wished(signup: SignUp, wheel: str) -> Iterator[int]:
    """Return the wedges of the colours that a player asked for, best first."""
    for wish in signup.choices.get(COLOUR, ()):
        letter = _LETTERS.get(wish.casefold(), "")
        if letter and letter in wheel:
            yield wheel.index(letter)
