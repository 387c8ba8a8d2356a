"""``python -m deploy.release.licences`` prints docs/licences.md: the licences of all packages.

Only the packages that the program needs on Linux are in it, not the tools that build and test it.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
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
texts, in `/usr/share/doc/referee/copyright`; for what other authors have in these packages, see
[below](#inside-the-packages). `python -m deploy.release.licences` writes this page.

psycopg and psycopg-binary, which connect to PostgreSQL, have the LGPL, version 3. If you pass on
the program, the LGPL asks more of you than to keep its text. The referee only imports the two, and
the Debian package has them unchanged, as files of their own in `/usr/lib/referee/lib`, so everyone
can put another version in their place: `pip --python /usr/lib/referee/bin/python install
"psycopg[binary]"`. Their sources are at <https://pypi.org/project/psycopg/>. The referee's own
licence is still the MIT licence.

| package | licence | page |
|---|---|---|
"""
_INSIDE: Final = """
## Inside the packages

Some packages have compiled work by other authors in them. pillow's own licence text includes those
of its libraries. The other packages come without the texts; below is where they are. Every Debian
has those in `/usr/share/common-licenses`; the others are only on the web, those of the crates in
their sources. The copyright file of the Debian package lists each crate.

| package | has inside | licence | text |
|---|---|---|---|
"""
_LICENCE_CLASSIFIER: Final = "License :: OSI Approved :: "
READ: Final = {"imapclient": "BSD-3-Clause"}
"""Licences that only a package's licence text names, not its metadata."""
_PLACE: Final = "/usr/share/common-licenses"


@dataclass(frozen=True, slots=True)
class Inside:
    """A work of other authors in a package, with the names of its files in a folder *.libs."""

    name: str
    licence: str
    page: str
    files: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return where the text of the licence is."""
        kind = _IN_DEBIAN.get(self.licence)
        return self.page if kind is None else f"{_PLACE}/{kind}"


_IN_DEBIAN: Final = {"Apache-2.0": "Apache-2.0", "LGPL-2.1-or-later": "LGPL-2.1"}
INSIDE: Final = {
    "psycopg-binary": (
        Inside(
            "libpq of PostgreSQL",
            "PostgreSQL",
            "https://www.postgresql.org/about/licence/",
            ("libpq",),
        ),
        Inside(
            "MIT Kerberos",
            "MIT and similar",
            "https://web.mit.edu/kerberos/krb5-latest/doc/mitK5license.html",
            ("libgssapi_krb5", "libkrb5", "libk5crypto", "libkrb5support", "libcom_err"),
        ),
        Inside(
            "OpenLDAP",
            "OLDAP-2.8",
            "https://www.openldap.org/software/release/license.html",
            ("libldap", "liblber"),
        ),
        Inside(
            "Cyrus SASL",
            "BSD with attribution",
            "https://github.com/cyrusimap/cyrus-sasl/blob/master/COPYING",
            ("libsasl2",),
        ),
        Inside(
            "libcom_err of e2fsprogs",
            "MIT",
            "https://github.com/tytso/e2fsprogs/blob/master/NOTICE",
            ("libcom_err",),
        ),
        Inside(
            "OpenSSL",
            "Apache-2.0",
            "https://openssl-library.org/source/license/",
            ("libssl", "libcrypto"),
        ),
        Inside(
            "keyutils",
            "LGPL-2.1-or-later",
            "https://git.kernel.org/pub/scm/linux/kernel/git/dhowells/keyutils.git",
            ("libkeyutils",),
        ),
        Inside(
            "libcrypt of glibc",
            "LGPL-2.1-or-later",
            "https://sourceware.org/glibc/",
            ("libcrypt",),
        ),
    ),
    "selectolax": (Inside("lexbor", "Apache-2.0", "https://github.com/lexbor/lexbor"),),
}
"""What packages have inside without saying its licence."""
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
    return _HEAD + "".join(rows) + _INSIDE + "".join(_rows_inside())


def _rows_inside() -> Iterator[str]:
    for name, package in needed().items():
        for each in INSIDE.get(name, ()):
            text = f"`{each.text}`" if each.text.startswith("/") else f"<{each.text}>"
            yield f"| {name} | {each.name} | {each.licence} | {text} |\n"
        for terms, number in sorted(Counter(crates(package).values()).items()):
            counted = "1 crate" if number == 1 else f"{number} crates"
            yield f"| {name} | {counted} of Rust | {terms} | <https://crates.io> |\n"


def crates(package: metadata.Distribution) -> dict[str, str]:
    """Return the crates of Rust in a package with their licences, as its list of parts says."""
    found: dict[str, str] = {}
    for file in package.files or []:
        if not re.search(r"/sboms/.*\.json$", str(file)):
            continue
        content = json.loads(Path(str(package.locate_file(file))).read_text(encoding="utf-8"))
        for part in content["components"]:
            if part.get("purl", "").startswith("pkg:cargo/"):
                terms = part["licenses"][0]["expression"]
                found[f"{part['name']} {part['version']}"] = terms
    return dict(sorted(found.items()))


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


def libraries(package: metadata.Distribution) -> list[str]:
    """Return the libraries of the system that a package brings with it, in its folder *.libs."""
    names = {file.name for file in package.files or [] if ".libs/" in str(file)}
    return sorted({re.split(r"[-.]", name)[0] for name in names})


def _inside(name: str, package: metadata.Distribution) -> Iterator[str]:
    """Yield what other authors have in a package, with their licences."""
    for each in INSIDE.get(name, ()):
        yield f"Inside it: {each.name}, {each.licence}, {each.page}. The text is in {each.text}."
    for crate, terms in crates(package).items():
        page = f"https://crates.io/crates/{crate.partition(' ')[0]}"
        yield f"Inside it: the crate {crate}, {terms}. The text is in {page}."


def copyright_text() -> str:
    """Return the file that a Debian package has: all licences with their texts."""
    parts = [
        "The referee of play-by-email games, with the packages that it needs.",
        f"referee\n=======\n\n{(ROOT / 'LICENSE').read_text(encoding='utf-8').strip()}",
        (ROOT / "NOTICE").read_text(encoding="utf-8").strip(),
    ]
    for name, package in needed().items():
        head = f"{name}\n{'=' * len(name)}\n\n{page_of(package)}\nLicence: {licence(package)}"
        if bundled := libraries(package):
            head += f"\nWith the libraries {', '.join(bundled)}."
        inside = "\n".join(_inside(name, package))
        parts.append("\n\n".join(filter(None, [head, *dict.fromkeys(texts(package)), inside])))
    return "\n\n\n".join([*parts, ""]).rstrip() + "\n"


def locked() -> str:
    """Return the part of the lock that the program needs, with its hashes."""
    names = needed()
    blocks = re.findall(r"^[a-z].*?(?=^[a-z]|\Z)", LOCK.read_text(encoding="utf-8"), re.M | re.S)
    return "".join(each for each in blocks if each.partition("==")[0] in names)


if __name__ == "__main__":
    sys.stdout.write(table())
