"""A new game: a galaxy, a mothership, a starship and five cards for all (rules 4, 5)."""

from collections.abc import Mapping, Sequence

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp, UserError
from referee.rulesets.starfarers.decks import bag, encounters, tiles
from referee.rulesets.starfarers.options import COLOUR, COLOURS, INFO, contents_of, rules_of
from referee.rulesets.starfarers.state import Hex, Kind, Mode, Player, Ship, Stage, State


def setup(seats: Sequence[SignUp], options: Mapping[str, int | str | bool], dice: Dice) -> State:
    """Return the state before the first orders, for 2 to 6 players (G26).

    Raises UserError if the options are invalid.
    """
    if not INFO.fewest_seats <= len(seats) <= INFO.most_seats:
        raise UserError(
            f"A game has {INFO.fewest_seats} to {INFO.most_seats} players, not {len(seats)}."
        )
    rules, contents = rules_of(options), contents_of(options)
    # All galaxies have the same tiles, so that no player has a richer one.
    everything, soft = tiles(contents, dice), contents.soft_start
    state = State(
        round=1,
        stage=Stage.TRAVEL if rules.mode is Mode.PHASED else Stage.TURN,
        rules=rules,
        hexes={},
        ships={},
        bases={},
        players={},
        bags={each.seat: bag(everything, soft, dice.at("galaxy", each.seat)) for each in seats},
        deck=encounters(rules.encounters, (), 0, dice),
        first=dice.at("first").below(len(seats)),
        built_ships=len(seats),
        game=str(options.get("game", "SF")),
    )
    for each, colour in zip(seats, _colours(seats, dice), strict=True):
        _seat(state, each.seat, each.name.upper(), colour)
    if rules.start_hostile:
        for seat, player in state.players.items():
            player.hostile = set(state.players) - {seat}
    if rules.mode is Mode.SERIAL:
        state.turn_of = state.order_of_play()[0]
    return state


def _seat(state: State, seat: Seat, name: str, colour: str) -> None:
    """Add a player with a mothership and, on its hex, the first starship (G21)."""
    state.players[seat] = Player(seat, name, colour)
    state.hexes[int(seat)] = Hex(int(seat), seat, (0, 0), Kind.MOTHERSHIP)
    state.ships[int(seat)] = Ship(int(seat), seat, int(seat))


def _colours(seats: Sequence[SignUp], dice: Dice) -> list[str]:
    """Return the colour of each player: their first free wish, otherwise a drawn one."""
    free, chosen = list(COLOURS), dict[Seat, str]()
    for signup in seats:
        wishes = (wish.casefold() for wish in signup.choices.get(COLOUR, ()))
        granted = next((wish for wish in wishes if wish in free), None)
        if granted is not None:
            chosen[signup.seat] = granted
            free.remove(granted)
    rest = iter(dice.at("colours").shuffled(free))
    return [chosen[each.seat] if each.seat in chosen else next(rest) for each in seats]
