"""A robot that arms itself, takes motherships, and hunts what is left."""

from collections.abc import Iterator
from typing import ClassVar

from referee.testing.robots.starfarers.moving import Pilot
from referee.testing.robots.starfarers.reading import BUSY, READY, SeenGame, SeenShip
from referee.testing.robots.starfarers.settler import Settler


class Raider(Settler):
    """A player who conquers, and builds colonies to pay for it."""

    cannons: ClassVar[int] = 6
    strength: ClassVar[int] = 4
    """The number of cannons with which the robot starts a war."""

    def orders(self, game: SeenGame) -> Iterator[str]:
        """Yield the orders of a turn. In a war, ships attack their neighbours."""
        busy = list(self._strikes(game)) if game.part != "Trade and build" else []
        yield from busy
        yield from super().orders(game)

    def diplomacy(self, game: SeenGame) -> Iterator[str]:
        """Yield an order to become hostile to the victim."""
        victim = self._victim(game)
        if victim and not game.is_foe(victim):
            yield f"P{game.players[victim].seat}H"

    def _victim(self, game: SeenGame) -> str:
        """Return the victim of the war, or an empty string if there is no war."""
        if game.me.cannons < self.strength or not game.me.boosters:
            return ""
        foes = [
            other
            for other in game.players.values()
            if other.name != game.name
            and not {"eliminated", "left"} & {*other.relations.split("; ")}
        ]
        weakest = min(foes, key=lambda other: (other.cannons, other.seat), default=None)
        return weakest.name if weakest is not None else ""

    def _strikes(self, game: SeenGame) -> Iterator[str]:
        """Yield attacks of ships near the victim, and moves of the others towards it."""
        victim = self._victim(game)
        if not victim:
            return
        for ship in (ship for ship in game.fleet(game.name) if ship.kind == READY):
            order = self._attack(game, ship, victim) or self._approach(game, ship, victim)
            if order:
                ship.kind = BUSY if ship.kind == READY else ship.kind
                yield order

    def _attack(self, game: SeenGame, ship: SeenShip, victim: str) -> str:
        near = {ship.hex, *game.hexes[ship.hex].ways.values()}
        foe = game.players[victim]
        if near & {*_mothership(game, victim)}:
            return f"S{ship.number}AM{foe.seat}"
        bases = [base.number for base in game.bases if base.owner == victim and base.hex in near]
        ships = [each.number for each in game.ships if each.owner == victim and each.hex in near]
        if bases:
            return f"S{ship.number}AB{min(bases)}"
        return f"S{ship.number}AS{min(ships)}" if ships else ""

    def _approach(self, game: SeenGame, ship: SeenShip, victim: str) -> str:
        """Return a move towards the nearest unit of the victim, or a jump to the mothership."""
        pilot = Pilot(game, game.hand)
        pilot.dangers -= {number for number in pilot.dangers
                          if game.hexes[number].cannons < 0}  # fmt: skip
        goals = [each.hex for each in game.ships if each.owner == victim]
        goals += [base.hex for base in game.bases if base.owner == victim]
        goals += _mothership(game, victim)
        galaxies = [victim, *(game.hexes[goal].galaxy for goal in goals)]
        here = game.hexes[ship.hex].galaxy
        away = [galaxy for galaxy in galaxies if galaxy != here]
        if "held by" in game.players[victim].relations:
            away = away[1:] or away
        return pilot.towards(ship, goals) or pilot.jump_to(ship, away[0] if away else "")


def _mothership(game: SeenGame, owner: str) -> list[int]:
    """Return the hex of a visible mothership that is not captured, or an empty list."""
    return [place.number for place in game.hexes.values()
            if place.galaxy == owner and place.what == "mothership"
            and "held by" not in game.players[owner].relations]  # fmt: skip
