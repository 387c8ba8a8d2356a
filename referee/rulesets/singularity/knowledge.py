"""The knowledge of a player: owners of planets, and ships in sight of the player and allies."""

from referee.rules.ruleset import Seat
from referee.rulesets.singularity.state import Planet, Section, Ship, State


def is_public(state: State) -> bool:
    """Return whether the owners of planets are public. They always are at the end (T8)."""
    return state.rules.ownership_public or state.section is Section.OVER


def known_owner(state: State, seat: Seat, planet: Planet) -> tuple[bool, Seat | None]:
    """Return whether a player knows the owner of a planet, and the owner (T8)."""
    known = is_public(state) or planet.owner == seat or state.sees(seat, planet.at)
    return known, planet.owner if known else None


def foreign_ships(state: State, seat: Seat) -> list[Ship]:
    """Return the ships of others that a player sees, never dark ones (T7, rule 19)."""
    return [
        ship
        for ship in state.ships.values()
        if ship.owner != seat and not ship.dark and state.sees(seat, ship.at)
    ]


def sees_damage(state: State, seat: Seat, ship: Ship) -> bool:
    """Return whether a player sees the damage of a ship: only from the same space (T8)."""
    return any(not own.dark and own.at == ship.at for own in state.fleet(seat))


def known_state(state: State, seat: Seat) -> State:
    """Return the state with only what a player knows: ships in sight and the player's own charts.

    States that differ only in what the player cannot know give equal results.
    """
    known = state.copy()
    seen = {ship.number for ship in (*state.fleet(seat), *foreign_ships(state, seat))}
    known.ships = {number: ship for number, ship in known.ships.items() if number in seen}
    for ship in known.ships.values():
        if ship.owner != seat and not sees_damage(state, seat, state.ships[ship.number]):
            ship.units = state.kind(ship).undamaged()
    known.jumps = list(state.players[seat].charts)
    for planet in known.planets.values():
        planet.owner = known_owner(state, seat, state.planets[planet.column])[1]
    for player in known.players.values():
        if player.seat != seat:
            # Unpaid ships would be scrapped, and others cannot know who cannot pay.
            player.points, player.votes, player.wishes = len(known.fleet(player.seat)), set(), {}
            player.charts, player.built = [], 0
    return known
