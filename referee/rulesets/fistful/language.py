"""The order language of A Fistful of Planets: grammar, the text and meaning of orders, forms."""

from collections.abc import Callable
from typing import Any, Final

from referee.rules.order_forms import OrderForm, Target
from referee.rules.ruleset import Example, Grammar, Seat
from referee.rules.views import UnitKind
from referee.rulesets.fistful import homes
from referee.rulesets.fistful.orders import (
    TYPES,
    Build,
    ChooseHome,
    Concede,
    Defend,
    Fortify,
    Grow,
    Land,
    Move,
    Order,
    Recon,
    Ships,
    StarNumber,
    Transfer,
    Withdraw,
    in_words,
)
from referee.rulesets.fistful.state import State


def _ships(*parts: Any) -> Ships:
    counts = dict.fromkeys(TYPES, 0)
    for number, letter in zip(parts[::2], parts[1::2], strict=True):
        counts[letter] += number
    return Ships(*(counts[letter] for letter in TYPES))


BUILDERS: Final[dict[str, Callable[..., Any]]] = {
    "choose_home": ChooseHome,
    "land": Land,
    "transfer": Transfer,
    "merge": lambda fleet, to: Transfer(fleet, None, to),
    "build": Build,
    "fortify": Fortify,
    "grow": Grow,
    "move": Move,
    "defend": Defend,
    "withdraw": Withdraw,
    "recon": Recon,
    "concede": Concede,
    "ships": _ships,
    "looks": lambda *numbers: numbers,
}

EXAMPLES: Final = (
    Example("FA", "Expected an action after the fleet. FAW12 moves it to W12."),
    Example("FAT", "Expected ships and a fleet. FAT2SFB gives two scouts to fleet B."),
    Example("FATFB", "Expected a number of ships. FAT2SFB gives two scouts, FAT*FB all ships."),
    Example("FAT2S", "Expected a fleet at the end. FAT2SFB gives two scouts to fleet B."),
    Example(
        "FAT2FB",
        "Expected a type of ship after the number. The types are T (transports), S (scouts), "
        "C (cruisers) and D (dreadnoughts): FAT2SFB.",
    ),
    Example("FAX", "Expected a star number after X. FAX30 withdraws to W30 if an enemy comes."),
    Example("FAXW30", "Expected the star number without W. FAX30 withdraws to W30."),
    Example("FARW30", "Expected the star number without W. FAR30 looks at W30."),
    Example("FAR", "Expected a star number after R. FAR30 looks at W30."),
    Example("W12", "Expected an action after the star. W12B2SFA builds two scouts into fleet A."),
    Example("W12B", "Expected ships after B. W12B2SFA builds two scouts into fleet A."),
    Example("W12BS", "Expected a number of ships. W12B2SFA builds two scouts into fleet A."),
    Example("W12B2S", "Expected a fleet at the end. W12B2SFA builds two scouts into fleet A."),
    Example("H", "Expected a star number after H. H12 chooses W12 as your homeworld."),
    Example("HW12", "Expected the star number without W. H12 chooses W12 as your homeworld."),
)

HINTS: Final = {
    "ATTACK": "FAW30 moves fleet A to W30, where it fights.",
    "BUILD": "W12B2SFA builds two scouts into fleet A.",
    "DEFEND": "FAD makes fleet A fight any enemy that comes.",
    "EXPLORE": "FAR12 looks at W12 with a scout of fleet A.",
    "GROW": "W12G lets the colony at W12 grow by one.",
    "LAND": "FAL lands a transport of fleet A and founds a colony.",
    "MOVE": "FAW30 moves fleet A to W30.",
    "SCOUT": "FAR12 looks at W12 with a scout of fleet A.",
    "TRANSFER": "FAT2SFB gives two scouts of fleet A to fleet B.",
    "WITHDRAW": "FAX30 withdraws fleet A to W30 if an enemy comes.",
}
"""Words that players type instead of an order, each with one that it may mean."""

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
    leaving=frozenset({"concede"}),
    hints=HINTS,
)


def render(order: Order) -> str:  # noqa: C901 - a table of forms
    """Return the canonical text of *order*; parsing it returns an equal order."""
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
    raise TypeError(f"{order!r} is not an order of A Fistful of Planets")


def explain(state: State, seat: Seat, order: Order) -> str:  # noqa: C901 - a table of sentences
    """Return the meaning of *order* in one line, from its words and the player's colonies."""
    match order:
        case ChooseHome(star):
            return homes.meaning(state, star)
        case Land(fleet):
            return f"A transport of fleet {fleet} lands and founds a colony."
        case Transfer(fleet, ships, to):
            what = "everything" if ships is None else in_words(ships)
            return f"Fleet {fleet} gives {what} to fleet {to}."
        case Build(star, ships, fleet):
            return f"W{star} builds {in_words(ships)} into fleet {fleet}."
        case Fortify(star):
            works = "completes" if _is_half_done(state, seat, star) else "begins"
            return f"W{star} {works} its fortification."
        case Grow(star):
            return f"The colony at W{star} grows by one."
        case Move(fleet, to):
            return f"Fleet {fleet} moves to W{to}."
        case Defend(fleet):
            return f"Fleet {fleet} defends."
        case Withdraw(fleet, to):
            return f"Fleet {fleet} withdraws to W{to} if an enemy comes."
        case Recon(fleet, stars):
            return f"Scouts of fleet {fleet} look at {', '.join(f'W{star}' for star in stars)}."
        case Concede():
            return "You give up."
    raise TypeError(f"{order!r} is not an order of A Fistful of Planets")


def _is_half_done(state: State, seat: Seat, number: StarNumber) -> bool:
    star = state.stars.get(number)
    return star is not None and star.owner == seat and star.half_fortified


_FLEET: Final = UnitKind.FLEET
_TURN: Final = ("orders",)
_SHIPS: Final = ("T transports", "S scouts", "C cruisers", "D dreadnoughts")

FORMS: Final = (
    OrderForm(
        "Make it your homeworld", "H{number}", own=False, phases=("homes",)
    ),
    OrderForm("Move", "{key}{target}", _FLEET, Target.PLACE, phases=_TURN),
    OrderForm("Withdraw if an enemy comes", "{key}X{target_number}", _FLEET, Target.PLACE,
              phases=_TURN),
    OrderForm("Defend", "{key}D", _FLEET, phases=_TURN),
    OrderForm("Look at a star", "{key}R{target_number}", _FLEET, Target.PLACE, phases=_TURN),
    OrderForm("Land a transport", "{key}L", _FLEET, phases=_TURN),
    OrderForm("Give ships to a fleet", "{key}T{amount}{choice}{target}", _FLEET, Target.UNIT,
              aims=("F",), choices=_SHIPS, phases=_TURN),
    OrderForm("Give all ships to a fleet", "{key}T*{target}", _FLEET, Target.UNIT, aims=("F",),
              phases=_TURN),
    OrderForm("Build in a fleet", "{key}B{amount}{choice}{word}", choices=_SHIPS,
              asks="Fleet, also a new one: FA", phases=_TURN),
    OrderForm("Fortify", "{key}F", phases=_TURN),
    OrderForm("Grow", "{key}G", phases=_TURN),
)  # fmt: skip
