"""The parts of long commands, which can come in any sequence."""

from dataclasses import dataclass
from typing import Any

from referee.rules.ruleset import UserError


@dataclass(frozen=True, slots=True)
class CommandPart:
    """A part that can be anywhere in a command: a field and its value."""

    field: str
    value: Any


def fields_of(*parts: CommandPart) -> dict[str, Any]:
    """Return the fields of *parts*. Raises UserError if one is given twice."""
    fields: dict[str, Any] = {}
    for part in parts:
        if part.field == "options":
            fields["options"] = (*fields.get("options", ()), *part.value)
            continue
        if part.field in fields:
            raise UserError(f"The {part.field.replace('_', ' ')} is here twice.")
        fields[part.field] = part.value
    return fields


def phrase(*words: str) -> str:
    """Return the words of a phrase with a blank between them."""
    return " ".join(words)


def unquoted(text: str) -> str:
    """Return the text without quotes around it."""
    return text.strip('"').strip()
