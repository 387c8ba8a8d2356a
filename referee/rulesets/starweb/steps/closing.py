"""The end of a turn: usable industry, the contents of the reports, and the order echo."""

from collections.abc import Iterator

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.industry import usable_industry
from referee.rulesets.starweb.orders import ORDERS
from referee.rulesets.starweb.sightings import (
    meet,
    names_by_world,
    names_seen,
    show,
    worlds_held,
    worlds_in_sight,
)
from referee.rulesets.starweb.state import Echo, Player
from referee.rulesets.starweb.turn_state import Turn


def count_usable(turn: Turn) -> None:
    """Record how much industry can be used next turn (s9)."""
    for number, world in turn.state.worlds.items():
        world.usable = usable_industry(turn.state, world, turn.fleets_at(number))


def show_worlds(turn: Turn) -> None:
    """Record the worlds in each player's report (s12, s27)."""
    before, after = worlds_held(turn.before), worlds_in_sight(turn.state)
    for seat, player in turn.state.players.items():
        home = {player.home} & turn.state.worlds.keys()
        worlds = before[seat] | after[seat] | turn.sights[seat] | home
        show(turn.state, player, worlds, turn.state.turn + 1)


def introduce(turn: Turn) -> None:
    """Record whom each player sees and meets, and which signs they read (s26, s27)."""
    names = names_by_world(turn.state)
    for seat, player in turn.state.players.items():
        seen = names_seen(player, names)
        player.seen = tuple(turn.dice.at("seen", seat).shuffled(sorted(seen)))
        strangers = meet(turn.state, player, seen)
        player.signs = tuple(_signs(turn, player, strangers))


def _signs(turn: Turn, player: Player, strangers: list[Seat]) -> Iterator[Seat]:
    """Return the players whose signs are new to the reader (s26)."""
    for seat in player.met:
        fresh = seat in strangers or seat in turn.new_signs
        if fresh and turn.state.players[seat].sign:
            yield seat


def read_back(turn: Turn) -> None:
    """Repeat each player's orders in the report, with what was wrong with them (s27)."""
    for seat, player in turn.state.players.items():
        sheet = turn.sheets.get(seat, ())
        player.echo = tuple([Echo(ORDERS.render(given.order), given.remark) for given in sheet])


def wipe_marks(turn: Turn) -> None:
    """Clear the marks of the last report about its own turn only (s27)."""
    for world in turn.state.worlds.values():
        world.captured = False
        world.lost_by = world.gift_from = None
        world.deaths = world.convert_deaths = 0
        world.iships_did = world.pships_did = ""
    for fleet in turn.state.fleets.values():
        fleet.bomb_built = fleet.captured = False
        fleet.lost_by = fleet.gift_from = None
        fleet.did = ""
    turn.state.departures.clear()


def count_turn(turn: Turn) -> None:
    """Advance to the next turn."""
    turn.state.turn += 1
