"""The folders next to the package, in a checkout and in a wheel."""

from pathlib import Path

import pytest

from referee import resources


@pytest.mark.parametrize("name", sorted(resources.FOLDERS))
def test_every_folder_is_found(name: str) -> None:
    assert (resources.folder(name).name, resources.folder(name).is_dir()) == (name, True)


def test_a_wheel_carries_its_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "referee" / "_data" / "grammars").mkdir(parents=True)
    (tmp_path / "grammars").mkdir()
    monkeypatch.setattr(resources, "__file__", str(tmp_path / "referee" / "resources.py"))
    assert resources.folder("grammars") == tmp_path / "referee" / "_data" / "grammars"
    with pytest.raises(FileNotFoundError, match="lacks its folder 'deploy'"):
        resources.folder("deploy")


def test_another_folder_is_rejected() -> None:
    with pytest.raises(ValueError, match="no folder 'tests'"):
        resources.folder("tests")
