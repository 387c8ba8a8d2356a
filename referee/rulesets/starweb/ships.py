"""Ships and their cargo: what a fleet holds, how often it shoots, what a hit destroys."""

from referee.rulesets.starweb.state import MOST, Character, Fleet, State, World


def hold(state: State, fleet: Fleet) -> int:
    """Return the metal a fleet can carry: one a ship, a Merchant's two, at most 255 (s13)."""
    return min(MOST, fleet.ships * (2 if _is_merchants(state, fleet) else 1))


def shots(state: State, fleet: Fleet) -> int:
    """Return a fleet's shots: one a ship, but none for a ship with two metal (settled case 7)."""
    if not _is_merchants(state, fleet):
        return fleet.ships
    return fleet.ships - max(0, fleet.cargo - fleet.ships)


def take_ships(state: State, fleet: Fleet, count: int) -> None:
    """Remove ships, empty ones first; metal that no longer fits is lost (settled case 24)."""
    fleet.ships -= count
    fleet.cargo = min(fleet.cargo, hold(state, fleet))
    if not fleet.ships:
        fleet.bomb = fleet.bomb_built = False


def add_ships(fleet: Fleet, count: int) -> None:
    """Add ships to a key; ships over the limit are lost (s31)."""
    fleet.ships = min(MOST, fleet.ships + count)


def destroyed_by(hits: int, fleet: Fleet) -> int:
    """Return the number of ships destroyed: two hits an empty one, then one a loaded (s15)."""
    loaded = min(fleet.ships, fleet.cargo)
    empty = fleet.ships - loaded
    if hits < 2 * empty:
        return hits // 2
    return empty + min(loaded, hits - 2 * empty)


def defenders_of(world: World) -> int:
    """Return the number of ships in both home fleets."""
    return world.iships + world.pships


def _is_merchants(state: State, fleet: Fleet) -> bool:
    return fleet.owner is not None and state.players[fleet.owner].character is Character.MERCHANT
