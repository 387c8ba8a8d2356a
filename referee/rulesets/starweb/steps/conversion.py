"""Conversion: Apostles win people over where their converts and ships begin the turn."""

from collections import defaultdict

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.state import Character, World
from referee.rulesets.starweb.steps.landing import Claims, draw_claimant
from referee.rulesets.starweb.turn_state import Turn


def convert(turn: Turn) -> None:
    """Convert one person with a chance of 10 % for each convert and ship not at peace (s4F).

    If several Apostles try, one of them gets all converts, drawn by their strength.
    """
    for number, preachers in sorted(_preachers(turn).items()):
        world = turn.world(number)
        normal = world.population - world.converts
        dice = turn.dice.at("conversion", number)
        tries = sum(preachers.values())
        won = min(normal, dice.hits(tries, 1, 10))
        if won or (world.converts and len(preachers) > 1):
            world.converts += won
            lot = turn.dice.at("converts", "won", number)
            world.apostle = draw_claimant(turn, lot, preachers)


def _preachers(turn: Turn) -> dict[int, Claims]:
    """Return the peopled worlds where Apostles convert, with the strength of each."""
    found: defaultdict[int, Claims] = defaultdict(dict)
    apostles = {
        seat for seat, each in turn.state.players.items() if each.character is Character.APOSTLE
    }
    if not apostles:
        return found
    for fleet in turn.state.fleets.values():
        if fleet.owner in apostles and fleet.ships and not fleet.at_peace:
            _add(found, turn.world(fleet.world), fleet.owner, fleet.ships)
    for world in turn.state.worlds.values():
        if world.apostle in apostles and world.converts:
            _add(found, world, world.apostle, world.converts)
    return found


def _add(found: defaultdict[int, Claims], world: World, seat: Seat | None, strength: int) -> None:
    if world.population and not world.robots:
        claims = found[world.number]
        claims[seat] = claims.get(seat, 0) + strength
