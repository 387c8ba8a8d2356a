"""``python -m deploy.release.licences`` prints docs/licences.md: the licences of all packages.

Only the packages that the program needs on Linux are in it, not the tools that build and test it.
"""

import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deploy.release import ROOT

LOCK: Final = ROOT / "requirements.lock"
_HEAD: Final = """\
# Licences

referee has the [MIT licence](../LICENSE). It needs the packages below, whose metadata say this.
[requirements.lock](../requirements.lock) has their versions. The Debian package has their licence
texts, in `/usr/share/doc/referee/copyright`. `python -m deploy.release.licences` writes this page.

psycopg and psycopg-binary, which connect to PostgreSQL, have the LGPL, version 3. If you pass on
the program, the LGPL asks more of you than to keep its text. The referee only imports the two, and
the Debian package has them unchanged, as files of their own in `/usr/lib/referee/lib`, so everyone
can put another version in their place: `pip --python /usr/lib/referee/bin/python install
"psycopg[binary]"`. Their sources are at <https://pypi.org/project/psycopg/>. The referee's own
licence is still the MIT licence.

| package | licence | page |
|---|---|---|
"""
_LICENCE_CLASSIFIER: Final = "License :: OSI Approved :: "
READ: Final = {"imapclient": "BSD-3-Clause"}
"""Licences that only a package's licence text names, not its metadata."""
_PLACE: Final = "/usr/share/common-licenses"
_APACHE: Final = re.compile(
    r"[ ]*Apache License\n\s*Version 2\.0.*?END OF TERMS AND CONDITIONS"
    r"(?:\s*APPENDIX.*?limitations under the License\.)?",
    re.S,
)
"""A text that Debian has, in the middle of others."""
_COMMON: Final = {
    "Apache License": "Apache-2.0",
    "GNU LESSER GENERAL PUBLIC LICENSE": "LGPL-3",
    "GNU GENERAL PUBLIC LICENSE": "GPL-3",
}
"""Texts that every Debian has in /usr/share/common-licenses, by their titles."""


def needed() -> dict[str, metadata.Distribution]:
    """Return the installed packages that the program needs, sorted by name."""
    found: dict[str, metadata.Distribution] = {}
    waiting = [Requirement("referee")]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        extras = {"", *requirement.extras}
        package = found.setdefault(name, metadata.distribution(name))
        for line in package.requires or []:
            each = Requirement(line)
            used = [extra for extra in extras if _applies(each, extra)]
            if used and canonicalize_name(each.name) not in found:
                waiting.append(each)
    del found["referee"]
    return dict(sorted(found.items()))


def _applies(requirement: Requirement, extra: str) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def said(package: metadata.Distribution, field: str) -> list[str]:
    """Return what the metadata of a package say in a field, which can be there several times."""
    return list(package.metadata.get_all(field) or [])


def licence(package: metadata.Distribution) -> str:
    """Return the licence of a package, as its metadata say."""
    if expressions := said(package, "License-Expression"):
        return expressions[0]
    classifiers = [
        each.removeprefix(_LICENCE_CLASSIFIER)
        for each in said(package, "Classifier")
        if each.startswith(_LICENCE_CLASSIFIER)
    ]
    # Some have the whole text there.
    short = [each for each in said(package, "License") if each and "\n" not in each]
    found = short or classifiers
    return ", ".join(found) or READ[canonicalize_name(package.name)]


def page_of(package: metadata.Distribution) -> str:
    """Return the address of a package's own page."""
    urls = dict(line.split(", ", 1) for line in said(package, "Project-URL"))
    kinds = {re.sub(r"[^a-z]", "", name.lower()): url for name, url in urls.items()}
    known = [
        kinds[kind]
        for kind in ("homepage", "repository", "source", "sourcecode", "code")
        if kind in kinds
    ]
    return [*said(package, "Home-page"), *known, *urls.values()][0]


def table() -> str:
    """Return the page for readers."""
    rows = (
        f"| {name} | {licence(package)} | <{page_of(package)}> |\n"
        for name, package in needed().items()
    )
    return _HEAD + "".join(rows)


def texts(package: metadata.Distribution) -> Iterator[str]:
    """Yield the licence texts in a package; of those that Debian has, only where they are."""
    for file in package.files or []:
        if ".dist-info/" not in str(file) or not re.search(
            r"(?i)licen[cs]e|copying|notice", file.name
        ):
            continue
        text = Path(str(package.locate_file(file))).read_text(encoding="utf-8").strip()
        common = [name for title, name in _COMMON.items() if title in text[:400]]
        if common:
            yield f"The text is in {_PLACE}/{common[0]}."
        else:
            yield _APACHE.sub(f"(The text is in {_PLACE}/Apache-2.0.)", text)


def _libraries(package: metadata.Distribution) -> list[str]:
    """Return the libraries of the system that a package brings with it, in its folder *.libs."""
    names = {file.name for file in package.files or [] if ".libs/" in str(file)}
    return sorted({re.split(r"[-.]", name)[0] for name in names})


def copyright_text() -> str:
    """Return the file that a Debian package has: all licences with their texts."""
    parts = [
        "The referee of play-by-email games, with the packages that it needs.",
        f"referee\n=======\n\n{(ROOT / 'LICENSE').read_text(encoding='utf-8').strip()}",
        (ROOT / "NOTICE").read_text(encoding="utf-8").strip(),
    ]
    for name, package in needed().items():
        head = f"{name}\n{'=' * len(name)}\n\n{page_of(package)}\nLicence: {licence(package)}"
        if bundled := _libraries(package):
            head += f"\nWith the libraries {', '.join(bundled)}."
        parts.append("\n\n".join([head, *dict.fromkeys(texts(package))]))
    return "\n\n\n".join([*parts, ""]).rstrip() + "\n"


def locked() -> str:
    """Return the part of the lock that the program needs, with its hashes."""
    names = needed()
    blocks = re.findall(r"^[a-z].*?(?=^[a-z]|\Z)", LOCK.read_text(encoding="utf-8"), re.M | re.S)
    return "".join(each for each in blocks if each.partition("==")[0] in names)


if __name__ == "__main__":
    sys.stdout.write(table())
