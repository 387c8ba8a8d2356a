"""The classes of commands by the rules of a grammar, and the parts of long commands."""

import re
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from referee.domain.commands import Command
from referee.rules.ruleset import UserError


@dataclass(frozen=True, slots=True)
class CommandPart:
    """A part that can be anywhere in a command: a field and its value."""

    field: str
    value: Any


def named(commands: ModuleType) -> dict[str, type[Command]]:
    """Return the commands of a module by the rules named like them: SetGrace by ``set_grace``."""
    classes = [each for each in vars(commands).values() if isinstance(each, type)]
    return {
        re.sub(r"(?<=[a-z])(?=[A-Z])", "_", each.__name__).lower(): each
        for each in classes
        if issubclass(each, Command) and each.__module__ == commands.__name__
    }


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
