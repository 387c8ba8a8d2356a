"""The order language of A Fistful of Planets: its grammar, and how an order is written."""

from collections.abc import Callable
from typing import Any, Final

from referee.rules.ruleset import Example, Grammar
from referee.rulesets.fistful.orders import (
    TYPES,
    Build,
    ChooseHome,
    Concede,
    Defend,
    Fortify,
    Grow,
    Land,
    Letter,
    Move,
    Order,
    Recon,
    Ships,
    Transfer,
    Withdraw,
)


def _ships(*parts: Any) -> Ships:
    counts = dict.fromkeys(TYPES, 0)
    for number, letter in zip(parts[::2], parts[1::2], strict=True):
        counts[letter] += number
    return Ships(*(counts[letter] for letter in TYPES))


def _stars(*numbers: int) -> tuple[int, ...]:
    return numbers


def _merge(fleet: Letter, to: Letter) -> Transfer:
    return Transfer(fleet, None, to)


BUILDERS: Final[dict[str, Callable[..., Any]]] = {
    "choose_home": ChooseHome,
    "land": Land,
    "transfer": Transfer,
    "merge": _merge,
    "build": Build,
    "fortify": Fortify,
    "grow": Grow,
    "move": Move,
    "defend": Defend,
    "withdraw": Withdraw,
    "recon": Recon,
    "concede": Concede,
    "ships": _ships,
    "looks": _stars,
}

EXAMPLES: Final = (
    Example("FA", "what shall the fleet do? FAW12 would move it to W12."),
    Example("FAT", "which ships, and where to? FAT2SFB gives two scouts to fleet B."),
    Example("FATFB", "how many of which? FAT2SFB gives two scouts, FAT*FB gives everything."),
    Example("FAT2S", "to which fleet? FAT2SFB gives two scouts to fleet B."),
    Example(
        "FAT2FB", "of which type? T transports, S scouts, C cruisers, D dreadnoughts: FAT2SFB."
    ),
    Example("FAX", "where to? FAX30 withdraws to W30 if an enemy comes."),
    Example("FAXW30", "the star stands without its W. FAX30 withdraws to W30 if an enemy comes."),
    Example("FARW30", "the star stands without its W. FAR30 looks at W30."),
    Example("FAR", "at which star? FAR30 looks at W30."),
    Example("W12", "what shall the star do? W12B2SFA builds two scouts into fleet A."),
    Example("W12B", "what shall it build? W12B2SFA builds two scouts into fleet A."),
    Example("W12BS", "how many? W12B2SFA builds two scouts into fleet A."),
    Example("W12B2S", "into which fleet? W12B2SFA builds them into fleet A."),
    Example("H", "which star? H12 chooses W12 as your homeworld."),
    Example("HW12", "the star stands without its W. H12 chooses W12 as your homeworld."),
)

GRAMMAR: Final = Grammar(
    source="fistful.lark",
    orders=BUILDERS,
    terminals={
        "NUMBER": int,
        "FLEET": lambda text: text[1:].upper(),
        "STAR": lambda text: int(text[1:]),
        "SHIP": str.upper,
    },
    examples=EXAMPLES,
)


def render(order: Order) -> str:  # noqa: C901 - a table of forms
    """Return the canonical text of *order*; reading it gives the order back."""
    match order:
        case ChooseHome(star):
            return f"H{star}"
        case Land(fleet):
            return f"F{fleet}L"
        case Transfer(fleet, ships, to):
            return f"F{fleet}T{'*' if ships is None else ships}F{to}"
        case Build(star, ships, fleet):
            return f"W{star}B{ships}F{fleet}"
        case Fortify(star):
            return f"W{star}F"
        case Grow(star):
            return f"W{star}G"
        case Move(fleet, to):
            return f"F{fleet}W{to}"
        case Defend(fleet):
            return f"F{fleet}D"
        case Withdraw(fleet, to):
            return f"F{fleet}X{to}"
        case Recon(fleet, stars):
            return f"F{fleet}" + "".join(f"R{star}" for star in stars)
        case Concede():
            return "Q"
    raise TypeError(f"{order!r} is no order of A Fistful of Planets")
