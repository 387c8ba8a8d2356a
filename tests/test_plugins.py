"""Rulesets come in by entry points, and a bad one is told by its package."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from referee.errors import PluginError
from referee.plugins import GROUP, installed_rulesets, rulesets_of
from referee.testing.robots.casts import cast_keys, installed_casts

INFO = """
from referee.rules.ruleset import NameRule, RulesetInfo
INFO = RulesetInfo("toy", "TY", "Toy", "1", 1, 2, 4, (), (), NameRule("[A-Z]+", "capitals"))
"""
WHOLE = f"""{INFO}
from referee.rules.ruleset import Ruleset
class Toy:
    info = INFO
    state_type = int
for name, member in vars(Ruleset).items():
    if callable(member) and not name.startswith("_"):
        setattr(Toy, name, member)
RULESET = Toy()
"""


def extras(rulebook: str) -> str:
    """Give the source that lets the toy have that rulebook."""
    return f"from referee.rules.extras import Extras\nToy.extras = Extras(rulebook={rulebook!r})"


def point(
    folder: Path, monkeypatch: pytest.MonkeyPatch, source: str, name: str = "toy"
) -> EntryPoint:
    module = f"plugin_{name}_{abs(hash(source))}"
    (folder / f"{module}.py").write_text(source)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, module, raising=False)
    return EntryPoint(name, f"{module}:RULESET", GROUP)


def test_the_games_of_this_package_are_installed() -> None:
    rulesets = installed_rulesets()
    assert rulesets["starweb"].info.key == "starweb"


def test_a_ruleset_comes_in_by_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rulesets = rulesets_of([point(tmp_path, monkeypatch, WHOLE)])
    assert list(rulesets) == ["toy"]
    assert rulesets["toy"].info.title == "Toy"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import no_such_module", "ModuleNotFoundError while it was imported"),
        ("RULESET = 1 / 0", "ZeroDivisionError while it was imported"),
        ("class Own(Exception): ...\nraise Own('no dice')", "Own while it was imported: no dice"),
        ("raise SystemExit(3)", "SystemExit while it was imported: 3"),
        (
            "class Toy:\n    @property\n    def info(self): return {}['info']\nRULESET = Toy()",
            "KeyError while it was imported: 'info'",
        ),
        ("RULESET = (", "SyntaxError while it was imported"),
        ("", "AttributeError while it was imported"),
        ("class RULESET: ...", "a ruleset is an object of it"),
        ("RULESET = 3", "its info is no RulesetInfo"),
        (WHOLE.replace('"toy", "TY"', '"other", "TY"'), "its info.key is 'other'"),
        (WHOLE.replace("state_type = int", "state_type = 1"), "its state_type is no class"),
        (WHOLE + "del Toy.idle, Toy.verdict", "it lacks idle, verdict"),
        (WHOLE + "Toy.extras = 3", "its extras are no Extras"),
        (WHOLE + extras("nowhere.md"), "its rulebook nowhere.md is not there"),
        (WHOLE + extras("nowhere:a.md"), "its rulebook nowhere:a.md is not there"),
        (WHOLE + extras("referee.rules:a.md"), "its rulebook referee.rules:a.md is not there"),
    ],
)
def test_a_bad_ruleset_is_told_with_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, words: str
) -> None:
    with pytest.raises(PluginError) as caught:
        rulesets_of([point(tmp_path, monkeypatch, source)])
    told = caught.value.told()
    assert words in told
    assert "referee: the ruleset 'toy' of a package cannot be used" in told


def test_an_interrupt_is_no_fault_of_a_ruleset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(KeyboardInterrupt):
        rulesets_of([point(tmp_path, monkeypatch, "raise KeyboardInterrupt")])


def test_the_package_of_a_bad_ruleset_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "toy_games-2.1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-games\nVersion: 2.1\n")
    (folder / "entry_points.txt").write_text(f"[{GROUP}]\ntoy = toy_games_missing:RULESET\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PluginError) as caught:
        installed_rulesets()
    assert "the ruleset 'toy' of toy-games 2.1 cannot be used" in caught.value.told()


def test_two_rulesets_of_one_name_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = point(tmp_path, monkeypatch, WHOLE)
    with pytest.raises(PluginError) as caught:
        rulesets_of([whole, whole])
    assert "another package brings a ruleset called 'toy'" in caught.value.told()


def test_every_game_of_this_package_brings_a_cast_under_its_key() -> None:
    assert cast_keys() == sorted(installed_casts()) == sorted(installed_rulesets())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("starweb2 = referee.testing.robots.starweb:CAST", "there is no ruleset 'starweb2'"),
        ("toy = referee.testing.robots.starweb:NAMES", "the cast 'toy' of toy-games 2.1 cannot be"),
        ("toy = referee.testing.robots.starweb:NAMES", "it is no Cast"),
        ("starweb = referee.testing.robots.starweb:CAST", "brings a cast called 'starweb' already"),
    ],
)
def test_a_bad_cast_is_told_with_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, words: str
) -> None:
    folder = tmp_path / "toy_games-2.1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-games\nVersion: 2.1\n")
    (folder / "entry_points.txt").write_text(f"[referee.casts]\n{line}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PluginError) as caught:
        installed_casts()
    assert words in caught.value.told()
