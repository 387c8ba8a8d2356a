"""A new game: a galaxy, a mothership, a starship and five cards for everybody (rules 4, 5)."""

from collections.abc import Mapping, Sequence

from referee.rules.dice import Dice
from referee.rules.ruleset import Mistake, SignUp
from referee.rulesets.starfarers.decks import bag, encounters
from referee.rulesets.starfarers.offer import INFO, SOFT_START, rules_of
from referee.rulesets.starfarers.state import Hex, Kind, Mode, Player, Ship, Stage, State


def setup(seats: Sequence[SignUp], options: Mapping[str, int | str | bool], dice: Dice) -> State:
    """Give the state before the first orders. Raises Mistake when the options cannot be met."""
    if not INFO.fewest_seats <= len(seats) <= INFO.most_seats:
        raise Mistake(
            f"A game has {INFO.fewest_seats} to {INFO.most_seats} players, not {len(seats)}."
        )
    rules = rules_of(options)
    soft = int(options.get(SOFT_START, 3))
    state = State(
        round=1,
        stage=Stage.TRAVEL if rules.mode is Mode.PHASED else Stage.TURN,
        rules=rules,
        hexes={},
        ships={},
        bases={},
        players={},
        bags={each.seat: bag(dice.at("galaxy", each.seat), soft) for each in seats},
        deck=encounters(dice, 0),
        first=dice.at("first").below(len(seats)),
        built_ships=len(seats),
        game=str(options.get("game", "SF")),
    )
    for each in seats:
        seat = each.seat
        state.players[seat] = Player(seat, each.name.upper())
        state.hexes[int(seat)] = Hex(int(seat), seat, (0, 0), Kind.MOTHERSHIP)
        state.ships[int(seat)] = Ship(int(seat), seat, int(seat))
    if rules.start_hostile:
        for seat, player in state.players.items():
            player.hostile = set(state.players) - {seat}
    if rules.mode is Mode.SERIAL:
        state.turn_of = state.order_of_play()[0]
    return state
