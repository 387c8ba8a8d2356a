"""The names by which letters can refer to a ruleset."""

from referee.rules.ruleset import RulesetInfo


def folded(name: str) -> str:
    """Return *name* in the form in which names are compared: letters and digits, without case."""
    return "".join(filter(str.isalnum, name.casefold()))


def names_of(info: RulesetInfo) -> tuple[str, str, str]:
    """Return the key, the title and the prefix of the ruleset."""
    return (info.key, info.title, info.prefix)


def is_called(info: RulesetInfo, name: str) -> bool:
    """Return whether *name* is one of the names of the ruleset."""
    return folded(name) in map(folded, names_of(info))
