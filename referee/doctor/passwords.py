"""Checks of password files, also of those that systemd gives only to the service."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from referee.app import secret_files
from referee.doctor import unit
from referee.doctor.report import CheckResult, fault, look
from referee.doctor.rights import closed
from referee.errors import ResourceError
from referee.settings import Settings, read_secret

_OTHERS: Final = 0o007
_LOADS: Final = ("LoadCredential", "LoadCredentialEncrypted")


def look_at_passwords(settings: Settings) -> Iterator[CheckResult]:
    """Check that the password files exist and are private."""
    for name, file in _password_files(settings):
        if given := given_to_service(file, f"{name}: its password"):
            yield given
            continue
        try:
            read_secret(file, name)
        except ResourceError as error:
            yield from (fault(f.what, f.remedy, f.label, f.place) for f in error.findings)
            continue
        yield from closed(file, _OTHERS, "640")


def given_to_service(file: Path | None, what: str) -> CheckResult | None:
    """Return the result of a check of a file that systemd gives only to the service: not checked.

    Returns None for every other file.
    """
    if file is None or "CREDENTIALS_DIRECTORY" in os.environ or os.path.lexists(file):
        return None
    source = _credentials().get(file.name)
    if source is None:
        return None
    remedy = (
        "to check it, run as root: systemd-run --pipe --wait --uid=referee "
        f"-p LoadCredential={source} referee doctor"
    )
    return look(f"{what} is given only to {unit.UNIT}, so it is not checked here", remedy)


def _credentials() -> Mapping[str, str]:
    """Return the credentials that the unit of the service loads: file name to ``name:source``."""
    return {source.partition(":")[0]: source for source in unit.values(*_LOADS)}


def _password_files(settings: Settings) -> Iterator[tuple[str, Path]]:
    yield from secret_files(settings)
    if settings.database.password_file is not None:
        yield "database.password_file", settings.database.password_file
