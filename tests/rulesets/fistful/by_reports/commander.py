"""A robot that plays A Fistful of Planets: it settles, grows, scouts and attacks the enemy."""

from collections.abc import Iterator
from typing import ClassVar

from tests.rulesets.fistful.by_reports.building import REACH, free_letter, landings, works
from tests.rulesets.fistful.by_reports.reading import (
    SeenFleet,
    SeenGame,
    asked_for_home,
    read_report,
)


class Commander:
    """A player that knows only its reports; the same reports give the same orders."""

    strike: ClassVar[int] = 4
    """The number of warships below which a fleet waits for more."""
    storm: ClassVar[int] = 12
    """The number of warships that attack the enemy's homeworld."""

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}
        """The enemy warships at each star when last seen."""

    def sheet(self, report: str) -> str:
        """Return the order sheet for a report, or "" if no orders are awaited."""
        if home := asked_for_home(report):
            return f"{home}\n"
        game = read_report(report)
        if game is None:
            return ""
        self.seen.update(game.sights)
        orders = [*landings(game), *works(game), *self._fleets(game)]
        return f"{' '.join(orders)}\n"

    def _fleets(self, game: SeenGame) -> Iterator[str]:
        """Settle with transports, gather warships, and send them to attack."""
        goals: set[int] = set()
        for fleet in list(game.fleets.values()):
            if fleet.transports:
                yield from _settle(game, fleet, goals)
        yield from _gather(game)
        yield from _send_scout(game)
        for fleet in game.fleets.values():
            if fleet.warships and not fleet.transports:
                yield from self._campaign(game, fleet)

    def _campaign(self, game: SeenGame, fleet: SeenFleet) -> Iterator[str]:
        """Attack the enemy with a strong fleet; with a weak one scout, guard or withdraw."""
        target = self._target(game, fleet)
        if target is None:
            return
        if self._dares(fleet, target) or (
            fleet.scouts == fleet.warships and _sees_nothing(game, fleet, target)
        ):
            yield from _approach(game, fleet, target)
        elif game.fog and fleet.scouts and not _sees_nothing(game, fleet, target):
            yield f"F{fleet.letter}{_looks(game, fleet, target)}"
        elif game.home in fleet.ways:
            yield f"F{fleet.letter}X{game.home}"
        elif fleet.star in game.colonies:
            yield f"F{fleet.letter}D"

    def _dares(self, fleet: SeenFleet, target: int) -> bool:
        return fleet.warships >= max(self.strike, self.seen.get(target, 0))

    def _target(self, game: SeenGame, fleet: SeenFleet) -> int | None:
        prize = next((star for star, said in game.prizes.items() if "homeworld" in said), None)
        if prize is not None and fleet.warships >= self.storm:
            return prize
        return min(game.prizes, key=lambda star: (game.apart(fleet.star, star), star), default=None)


def _settle(game: SeenGame, fleet: SeenFleet, goals: set[int]) -> Iterator[str]:
    """Move a transport to the best empty star in range that is not in *goals*."""
    free = [
        to
        for to in fleet.ways
        if to not in game.colonies and to not in game.prizes and to not in game.threats | goals
    ]
    if free and fleet.star in game.colonies:
        to = max(free, key=lambda star: (game.stars[star].capacity, -star))
        goals.add(to)
        yield f"F{fleet.letter}W{to}"


def _gather(game: SeenGame) -> Iterator[str]:
    """Merge the warships at each star into one fleet."""
    first: dict[int, SeenFleet] = {}
    for fleet in list(game.fleets.values()):
        if fleet.transports or not fleet.warships:
            continue
        leader = first.setdefault(fleet.star, fleet)
        if leader is not fleet:
            leader.scouts += fleet.scouts
            leader.cruisers += fleet.cruisers
            leader.dreadnoughts += fleet.dreadnoughts
            leader.ways = tuple(to for to in leader.ways if to in fleet.ways)
            del game.fleets[fleet.letter]
            yield f"F{fleet.letter}T*F{leader.letter}"


def _send_scout(game: SeenGame) -> Iterator[str]:
    """Split off one scout for a raid behind the enemy's lines, if there is no raid yet."""
    if any(fleet.warships == fleet.scouts == 1 for fleet in game.fleets.values()):
        return
    fleet = next((f for f in game.fleets.values() if f.scouts > 1 and f.cruisers), None)
    letter = free_letter(game)
    if fleet is None or not letter:
        return
    fleet.scouts -= 1
    yield f"F{fleet.letter}T1SF{letter}"
    ways = tuple(to for to in game.stars if 0 < game.apart(fleet.star, to) <= REACH)
    game.fleets[letter] = SeenFleet(letter, fleet.star, 0, 1, 0, 0, ways)


def _approach(game: SeenGame, fleet: SeenFleet, target: int) -> Iterator[str]:
    """Move to the star nearest to the target, unless the fleet is already there."""
    to = min((fleet.star, *fleet.ways), key=lambda star: (game.apart(star, target), star))
    if to != fleet.star:
        yield f"F{fleet.letter}W{to}"


def _sees_nothing(game: SeenGame, fleet: SeenFleet, target: int) -> bool:
    """Return whether the target is out of the scouts' range."""
    return game.apart(fleet.star, target) > REACH


def _looks(game: SeenGame, fleet: SeenFleet, target: int) -> str:
    near = [star for star in game.prizes if game.apart(fleet.star, star) <= REACH]
    others = sorted(near, key=lambda star: (star != target, game.apart(fleet.star, star), star))
    return "".join(f"R{star}" for star in others[: fleet.scouts])
