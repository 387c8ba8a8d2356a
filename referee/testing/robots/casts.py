"""The casts of all games there is a demonstration of."""

from typing import Final

from referee.testing.robots.cast import Cast
from referee.testing.robots.fistful import CAST as FISTFUL
from referee.testing.robots.singularity import CAST as SINGULARITY
from referee.testing.robots.star_empires import CAST as STAR_EMPIRES
from referee.testing.robots.starfarers import CAST as STARFARERS
from referee.testing.robots.starweb import CAST as STARWEB

CASTS: Final[dict[str, Cast]] = {
    "fistful": FISTFUL,
    "singularity": SINGULARITY,
    "star-empires": STAR_EMPIRES,
    "starfarers": STARFARERS,
    "starweb": STARWEB,
}
"""The casts by the keys of the rulesets."""
