"""What the settings are, in words: from the types of their fields."""

import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from referee.settings import Settings

_KINDS: Final = {bool: "true or false", int: "a number", str: "a text", Path: "a path"}


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the settings file: its heading, "" for the beginning of the file."""

    heading: str
    about: str
    settings: tuple[tuple[str, FieldInfo], ...]


def sections() -> Iterator[Section]:
    """Yield the sections, in the order of the model; one that has two forms is there twice."""
    fields = Settings.model_fields
    plain = tuple((name, each) for name, each in fields.items() if not models(each.annotation))
    yield Section("", "", plain)
    for name, each in fields.items():
        heading = f"[[{name}]]" if get_origin(each.annotation) is tuple else f"[{name}]"
        forms = models(each.annotation)
        for model in forms:
            about = each.description if len(forms) == 1 else model.__doc__
            yield Section(heading, about or "", tuple(model.model_fields.items()))


def models(annotation: Any) -> list[type[BaseModel]]:
    """Return the sections in the type of a field; none for a plain setting."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for part in get_args(annotation) for found in models(part)]


def kind(field: FieldInfo) -> str:
    """Return what can be written for a setting, such as "a number from 1 to 65535"."""
    return _kind(field.annotation, field.metadata)


def _kind(annotation: Any, metadata: list[Any]) -> str:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        inner = [each for part in parts[1:] for each in getattr(part, "metadata", [part])]
        return _kind(parts[0], [*metadata, *inner])
    if origin in (Union, types.UnionType):
        (only,) = [part for part in parts if part is not type(None)]
        return _kind(only, metadata)
    if origin is Literal:
        return " or ".join(f'"{each}"' for each in parts)
    if origin is tuple:
        return "a list of texts"
    return f"{_KINDS[annotation]}{_bounds(metadata)}"


def _bounds(metadata: list[Any]) -> str:
    least = [each.ge for each in metadata if hasattr(each, "ge")]
    most = [each.le for each in metadata if hasattr(each, "le")]
    if least and most:
        return f" from {least[0]} to {most[0]}"
    return f" of at least {least[0]}" if least else ""
