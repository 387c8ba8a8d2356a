"""The options of a game as GMs write them."""

from collections.abc import Sequence
from typing import Final

from referee.rules.ruleset import Option, RulesetInfo, UserError
from referee.rules.wording import listed


def options_of(
    known: Sequence[Option], given: Sequence[tuple[str, str]]
) -> dict[str, int | str | bool]:
    """Return the values of the options that are *given*. Raises UserError for a bad one."""
    by_name = {option.name.casefold(): option for option in known}
    values = {}
    for name, text in given:
        option = by_name.get(name.casefold())
        if option is None:
            names = ", ".join(each.name for each in known)
            raise UserError(f'Unknown option "{name}". The options: {names}.')
        values[option.name] = _value(option, text)
    return values


def players(info: RulesetInfo) -> str:
    """Return the number of players of a game in words: ``2 players``, ``2 to 6 players``."""
    fewest, most = info.fewest_seats, info.most_seats
    several = f"{fewest} to {most}" if fewest != most else str(most)
    return f"{several} player{'s' if most != 1 else ''}"


def written(value: object) -> str:
    """Return the value of an option as a GM writes it: ``yes`` and ``no``, not ``True``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


_YES: Final = ("yes", "on", "true", "1")


_NO: Final = ("no", "off", "false", "0")


def _value(option: Option, text: str) -> int | str | bool:
    if option.kind is bool and text.lower() in (*_YES, *_NO):
        return text.lower() in _YES
    if option.kind is int and text.isascii() and text.isdigit() and len(text) < 10:
        if option.lowest <= int(text) <= option.highest:
            return int(text)
        raise UserError(
            f"The option {option.name} must be between {option.lowest} and {option.highest}."
        )
    if option.kind is str and (not option.choices or text in option.choices):
        return text
    raise UserError(f'Expected {_kind(option)} for the option {option.name}, but found "{text}".')


def _kind(option: Option) -> str:
    """Return the allowed values of an option in words."""
    if option.kind is bool:
        return "yes or no"
    if option.kind is int:
        return f"a number between {option.lowest} and {option.highest}"
    return listed(option.choices, joint="or")
