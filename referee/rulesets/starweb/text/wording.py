"""Words for the values of a record, for people who compare two of them."""

from typing import Any, Final

from referee.rulesets.starweb.text.printout import DepartureRecord

_LABELS: Final = {
    "iships": "I-Ships",
    "iships_did": "what the I-Ships did",
    "pships": "P-Ships",
    "pships_did": "what the P-Ships did",
    "did": "what it did",
}


def label(name: str) -> str:
    """Return the words for the value called *name* in a record."""
    return _LABELS.get(name, name.replace("_", " "))


def shown(value: Any) -> str:
    """Return a value of a record in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return " ".join(shown(part) for part in value) or "none"
    if isinstance(value, DepartureRecord):
        return f"F{value.fleet}[{value.owner}]-->W{value.to}"
    return str(value) or "none"
