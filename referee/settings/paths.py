"""The type of paths in the settings."""

from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BeforeValidator

T = TypeVar("T")


def without_home(value: T) -> T:
    """Return *value*. Raises ValueError if it is a path that starts in a home folder."""
    # Root, the referee's user and an operator read the same settings, and each has another home.
    if isinstance(value, str) and value.startswith("~"):
        raise ValueError("write the whole path; ~ is another folder for every user")
    return value


SettingPath = Annotated[Path, BeforeValidator(without_home)]
"""A path that is the same for every user; ``./~`` starts a name with a tilde."""
