"""What a player knows of a war: whose planets are whose, and the ships in his and allies' sight."""

from referee.rules.ruleset import Seat
from referee.rulesets.singularity.state import Planet, Section, Ship, State


def is_public(state: State) -> bool:
    """Return whether everybody may know whose the planets are: always at the end (T8)."""
    return state.rules.ownership_public or state.section is Section.OVER


def known_owner(state: State, seat: Seat, planet: Planet) -> tuple[bool, Seat | None]:
    """Return whether a player knows whose a planet is, and whose (T8)."""
    known = is_public(state) or planet.owner == seat or state.sees(seat, planet.at)
    return known, planet.owner if known else None


def foreign_ships(state: State, seat: Seat) -> list[Ship]:
    """Return others' ships that a player sees; dark ones are seen by nobody else (T7, rule 19)."""
    return [
        ship
        for ship in state.ships.values()
        if ship.owner != seat and not ship.dark and state.sees(seat, ship.at)
    ]


def sees_damage(state: State, seat: Seat, ship: Ship) -> bool:
    """Return whether a player sees what a ship lacks: from the same space alone (T8)."""
    return any(not own.dark and own.at == ship.at for own in state.fleet(seat))


def believed(state: State, seat: Seat) -> State:
    """Return the war as a player can believe it: his own ships, those he sees, his own charts.

    Two states that differ only in what he may not know give the same.
    """
    known = state.copy()
    seen = {ship.number for ship in (*state.fleet(seat), *foreign_ships(state, seat))}
    known.ships = {number: ship for number, ship in known.ships.items() if number in seen}
    for ship in known.ships.values():
        if ship.owner != seat and not sees_damage(state, seat, state.ships[ship.number]):
            ship.units = state.kind(ship).whole()
    known.jumps = list(state.players[seat].charts)
    for planet in known.planets.values():
        planet.owner = known_owner(state, seat, state.planets[planet.column])[1]
    for player in known.players.values():
        if player.seat != seat:
            # Nobody can know what another cannot pay for.
            player.points, player.votes, player.wishes = len(known.fleet(player.seat)), set(), {}
            player.charts, player.notes, player.built = [], [], 0
    return known
