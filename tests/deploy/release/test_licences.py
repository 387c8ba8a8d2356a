"""The licence of every package that the program needs is listed."""

import re

import pytest

from deploy.release import ROOT, licences

TABLE = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
TOOLS = {"mypy", "pytest", "ruff", "hypothesis", "hatchling", "codespell"}


def test_the_page_is_what_the_packages_say() -> None:
    assert licences.table() == TABLE


def test_each_locked_package_that_the_program_needs_is_listed() -> None:
    locked = re.findall(r"^([a-z][\w-]*)==", licences.locked(), re.M)
    packages = TABLE.partition("## Inside the packages")[0]
    listed = re.findall(r"^\| ([a-z][\w-]*) \| ", packages, re.M)
    assert listed[1:] == locked
    assert {"click", "pydantic-core", "psycopg-binary", "mako"} <= set(locked)
    assert TOOLS & set(locked) == set()


def test_what_is_locked_for_the_program_has_its_hashes() -> None:
    blocks = re.split(r"\n(?=[a-z])", licences.locked())
    lock = licences.LOCK.read_text(encoding="utf-8")
    assert [each for each in blocks if each not in lock or "--hash=sha256:" not in each] == []


@pytest.mark.parametrize("name", licences.READ)
def test_a_licence_that_we_read_is_named_nowhere_else(name: str) -> None:
    package = licences.needed()[name]
    assert [*licences.said(package, "License-Expression"), *licences.said(package, "License")] == []
    assert "Redistribution and use in source and binary forms" in "".join(licences.texts(package))


def test_each_library_in_a_package_has_its_licence() -> None:
    text = licences.copyright_text()
    for name, package in licences.needed().items():
        # The licence text of pillow has those of its libraries.
        if name == "pillow":
            continue
        known = {file for each in licences.INSIDE.get(name, ()) for file in each.files}
        assert set(licences.libraries(package)) - known == set()
        for each in licences.INSIDE.get(name, ()):
            assert f"{each.name}, {each.licence}" in text


def test_each_crate_in_a_package_has_its_licence() -> None:
    crates = licences.crates(licences.needed()["pydantic-core"])
    assert {each.partition(" ")[0] for each in crates} >= {"jiter", "pyo3", "regex-syntax"}
    text = licences.copyright_text()
    assert [crate for crate, terms in crates.items() if f"{crate}, {terms}." not in text] == []


def test_the_licence_texts_are_those_of_the_packages() -> None:
    text = licences.copyright_text()
    for name, package in licences.needed().items():
        assert f"\n\n{name}\n{'=' * len(name)}\n\n" in text
        assert list(licences.texts(package)) != []
    assert "Permission is hereby granted, free of charge" in text
    # Debian has these texts already.
    assert "END OF TERMS AND CONDITIONS" not in text
    assert "/usr/share/common-licenses/Apache-2.0" in text
