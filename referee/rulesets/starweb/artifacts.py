"""The hundred artifacts of a game: their numbers and their names (s14)."""

from typing import Final

from referee.rulesets.starweb.orders import ArtifactNumber

FIRST_WORDS: Final = (
    "Plastic",
    "Platinum",
    "Ancient",
    "Silver",
    "Golden",
    "Titanium",
    "Blessed",
    "Vegan",
    "Arcturian",
    "Radiant",
)
"""By the last digit of the number, from 0."""

SECOND_WORDS: Final = (
    "Crown",
    "Pyramid",
    "Lodestar",
    "Shekel",
    "Sword",
    "Sepulchre",
    "Moonstone",
    "Stardust",
    "Sphinx",
)
"""By the first digit of a number of two digits, from 1."""

SPECIAL: Final = {
    1: "Nebula Scrolls, Vol. I",
    2: "Nebula Scrolls, Vol. II",
    3: "Nebula Scrolls, Vol. III",
    4: "Nebula Scrolls, Vol. IV",
    5: "Nebula Scrolls, Vol. V",
    6: "Slippers of Venus",
    7: "Lesser of Two Evils",
    8: "Treasure of Polaris",
    9: "Radioactive Isotope",
    100: "Black Box",
}

ARTIFACTS: Final = range(1, 101)
"""The numbers of all artifacts."""


def artifact_name(number: ArtifactNumber) -> str:
    """Return the name to print after ``V<number>:``. Raises ValueError if there is none."""
    if number not in ARTIFACTS:
        raise ValueError(f"there is no artifact V{number}")
    if number in SPECIAL:
        return SPECIAL[number]
    return f"{FIRST_WORDS[number % 10]} {SECOND_WORDS[number // 10 - 1]}"
