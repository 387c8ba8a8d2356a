"""The names by which letters know a ruleset."""

from referee.rules.ruleset import RulesetInfo


def folded(name: str) -> str:
    """Return *name* as it is compared: its letters and digits, whatever their case."""
    return "".join(filter(str.isalnum, name.casefold()))


def names_of(info: RulesetInfo) -> tuple[str, str, str]:
    """Return its key, its title and its prefix."""
    return (info.key, info.title, info.prefix)


def is_called(info: RulesetInfo, name: str) -> bool:
    """Return whether *name* is one of the names of the ruleset."""
    return folded(name) in map(folded, names_of(info))
