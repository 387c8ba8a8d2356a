"""The points for artifacts: every turn, and at the end of the game."""

from collections.abc import Collection
from typing import Final

from referee.rulesets.starweb.artifacts import ARTIFACTS, FIRST_WORDS, SECOND_WORDS
from referee.rulesets.starweb.orders import ArtifactNumber
from referee.rulesets.starweb.state import Character

WANTED: Final = {
    Character.EMPIRE_BUILDER: ("Platinum", "Crown"),
    Character.COLLECTOR: ("Ancient", "Pyramid"),
    Character.PIRATE: ("Silver", "Lodestar"),
    Character.MERCHANT: ("Golden", "Shekel"),
    Character.BERSERKER: ("Titanium", "Sword"),
    Character.APOSTLE: ("Blessed", "Sepulchre"),
}
"""The two wanted categories of each character type (s14)."""

SCROLLS: Final = frozenset(range(1, 6))
SPECIAL_POINTS: Final = {6: 10, 7: -15, 8: 20, 9: -30, 100: 0, **dict.fromkeys(SCROLLS, 0)}
PLASTIC_POINTS: Final = -10
GREATEST_POINTS: Final = 15
WANTED_POINTS: Final = 5

COLLECTORS_SPECIAL: Final = 30
COLLECTORS_GREATEST: Final = 90
COLLECTORS_WANTED: Final = 30
COLLECTORS_OTHER: Final = 15

SCROLL_BONUS: Final = 1000
CATEGORY_BONUS: Final = 500
MUSEUM_BONUS: Final = 500
MUSEUM_SIZE: Final = 10


def is_plastic(number: ArtifactNumber) -> bool:
    """Return whether an artifact is plastic, which belongs to no category (s14)."""
    return number >= 10 and number != 100 and not number % 10


def words(number: ArtifactNumber) -> frozenset[str]:
    """Return the two categories of a standard artifact, none for plastic and specials."""
    if number < 10 or number == 100 or is_plastic(number):
        return frozenset()
    return frozenset((FIRST_WORDS[number % 10], SECOND_WORDS[number // 10 - 1]))


def treasure_points(number: ArtifactNumber, character: Character) -> int:
    """Return an artifact's points for its owner every turn (s14)."""
    wanted = len(words(number) & set(WANTED[character]))
    if character is Character.COLLECTOR:
        return _collectors_points(number, wanted)
    if number in SPECIAL_POINTS:
        return SPECIAL_POINTS[number]
    if is_plastic(number):
        return PLASTIC_POINTS
    return (0, WANTED_POINTS, GREATEST_POINTS)[wanted]


def _collectors_points(number: ArtifactNumber, wanted: int) -> int:
    if number in SCROLLS or is_plastic(number):
        return 0
    if number in SPECIAL_POINTS:
        return COLLECTORS_SPECIAL
    return (COLLECTORS_OTHER, COLLECTORS_WANTED, COLLECTORS_GREATEST)[wanted]


def end_bonus(held: Collection[ArtifactNumber], museums: int, character: Character) -> int:
    """Return the points for a player's artifacts at the end of the game (s14, s4D).

    *museums* is the number of the player's worlds that are museums; only a Collector has them.
    """
    whole = sum(_category(word) <= set(held) for word in (*FIRST_WORDS[1:], *SECOND_WORDS))
    scrolls = SCROLL_BONUS if set(held) >= SCROLLS else 0
    if character is not Character.COLLECTOR:
        return CATEGORY_BONUS * whole + scrolls
    return 2 * CATEGORY_BONUS * whole + 3 * scrolls // 2 + MUSEUM_BONUS * museums


def _category(word: str) -> set[ArtifactNumber]:
    return {number for number in ARTIFACTS if word in words(number)}
