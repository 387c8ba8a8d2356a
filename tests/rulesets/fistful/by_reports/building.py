"""The landing and production orders of a robot."""

from collections.abc import Iterator
from string import ascii_uppercase
from typing import Final

from tests.rulesets.fistful.by_reports.reading import SeenColony, SeenFleet, SeenGame

REACH: Final = 5
LINE: Final = 3
_GROWN: Final = 3
"""The size to which colonies grow before they build."""


def free_letter(game: SeenGame) -> str:
    """Return a vacant fleet letter, or "" if all are in use."""
    return next((letter for letter in ascii_uppercase if letter not in game.fleets), "")


def landings(game: SeenGame) -> Iterator[str]:
    """Land at every empty star, and add the colony to *game*."""
    for fleet in list(game.fleets.values()):
        taken = fleet.star in game.colonies or fleet.star in game.prizes
        if not fleet.transports or taken or fleet.star in game.threats:
            continue
        capacity = game.stars[fleet.star].capacity
        game.colonies[fleet.star] = SeenColony(fleet.star, 1, capacity, 0, "")
        fleet.transports -= 1
        if not fleet.transports + fleet.warships:
            del game.fleets[fleet.letter]
        yield f"F{fleet.letter}L"


def works(game: SeenGame) -> Iterator[str]:
    """Order every colony to grow, fortify or build ships."""
    for colony in game.colonies.values():
        if colony.size < min(colony.capacity, _GROWN) and colony.points:
            yield f"W{colony.star}G"
        elif colony.points > 2 and _wants_forts(game, colony):
            yield f"W{colony.star}F"
        elif colony.points > 1 and (letter := free_letter(game)):
            yield f"W{colony.star}B{_wares(game, colony)}F{letter}"
            # New ships get no orders before they are in a report.
            game.fleets[letter] = SeenFleet(letter, colony.star, 0, 0, 0, 0, ())


def _wants_forts(game: SeenGame, colony: SeenColony) -> bool:
    if "half fortified" in colony.remarks:
        return True
    in_danger = any(game.apart(colony.star, threat) <= REACH for threat in game.threats)
    return in_danger and "fortified" not in colony.remarks


def _wares(game: SeenGame, colony: SeenColony) -> str:
    """Return the ships to build: transports while there are free stars, then warships."""
    if _room(game, colony.star):
        return {2: "1T", 3: "1T", 4: "1T1S", 5: "1T1C"}[colony.points]
    return {2: "1S", 3: "1C", 4: "1D", 5: "1S1C"}[colony.points]


def _room(game: SeenGame, star: int) -> bool:
    """Return whether an empty star without own fleets is near."""
    taken = {*game.colonies, *game.prizes, *game.threats}
    taken |= {fleet.star for fleet in game.fleets.values()}
    return any(game.apart(star, to) <= LINE for to in game.stars if to not in taken)
