"""Rulesets are found by entry points, and a bad one is reported with its package."""

from importlib.metadata import EntryPoint

import pytest

from referee.errors import PluginError
from referee.plugins import GROUP, installed_rulesets, rulesets_of
from referee.testing.casts.installed import cast_keys, cast_of, installed_casts
from tests.support.outsiders import TOY, Outsiders, toy, with_grammar, with_rulebook

TOYS = "referee: the ruleset 'toy' of toys 1.0"
BEGINNING = f"{TOYS} cannot be used: "


def error_message() -> str:
    """Return the operator's error message when the rulesets are loaded."""
    with pytest.raises(PluginError) as caught:
        installed_rulesets()
    return caught.value.told()


def toy_with(changes: str) -> str:
    """Return the source of the toy, with changes of its info as source."""
    return f"{TOY}from referee.rules.ruleset import Option\nToy.info = replace(INFO, {changes})\n"


def named(changes: str) -> str:
    """Return the source of the toy, with changes of its rule for names."""
    return toy_with(f"names=replace(NAMES, {changes})")


def with_option(fields: str) -> str:
    """Return the source of the toy with an option."""
    return toy_with(f"options=(Option({fields}),)")


def with_form(fields: str) -> str:
    """Return the source of the toy with an order form."""
    forms = f"Toy.extras = Extras(order_forms=(OrderForm({fields}),))\n"
    return f"{TOY}from referee.rules.order_forms import OrderForm\n{forms}"


def test_the_games_of_this_package_are_installed() -> None:
    rulesets = installed_rulesets()
    assert rulesets["starweb"].info.key == "starweb"


def test_a_ruleset_is_found_by_its_entry_point(outsiders: Outsiders) -> None:
    outsiders.install("toys", TOY)
    assert installed_rulesets()["toy"].info.title == "Toy"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import no_such_module", "ModuleNotFoundError while it was imported: No module named"),
        ("RULESET = 1 / 0", "ZeroDivisionError while it was imported: division by zero"),
        ("class Own(Exception): ...\nraise Own('no dice')", "Own while it was imported: no dice"),
        ("raise SystemExit(3)", "SystemExit while it was imported: 3"),
        (
            "raise KeyboardInterrupt",
            "KeyboardInterrupt while it was imported (toys/__init__.py, line 1)\n",
        ),
        ("raise GeneratorExit", "GeneratorExit while it was imported (toys/__init__.py, line 1)\n"),
        (
            "class Toy:\n    @property\n    def info(self): return {}['info']\nRULESET = Toy()",
            "KeyError while it was imported: 'info'",
        ),
        (
            "class Own(Exception):\n    def __str__(self): return 1 / 0\nraise Own",
            "Own while it was imported: <exception str() failed>",
        ),
        ("raise ValueError('\\x1b[2J\\n' + 'x' * 1000)", "ValueError while it was imported: [2J x"),
        ("RULESET = (", "SyntaxError while it was imported"),
        ("", "AttributeError while it was imported"),
        ("class RULESET: ...", "a ruleset is an instance of it"),
        ("RULESET = 3", "its info is not a RulesetInfo"),
        (toy(key="other"), "its info.key is 'other'"),
        (f"{TOY}Toy.state_type = 1", "its state_type is not a class"),
        (f"{TOY}del Toy.unused, Toy.verdict", "it lacks unused, verdict"),
        (f"{TOY}Toy.extras = 3", "its extras are not an Extras"),
        (toy(phases=3), "its info.phases is 3, but must be tuple[str, ...]\n"),
        (toy(phases="orders"), "its info.phases is 'orders', but must be tuple[str, ...]\n"),
        (toy(names=None), "its info.names is None, but must be NameRule\n"),
        (toy(options=None), "its info.options is None, but must be tuple[Option, ...]\n"),
        (toy(schema="a"), "its info.schema is 'a', but must be int\n"),
        (toy(schema=True), "its info.schema is True, but must be int\n"),
        (toy(title=None), "its info.title is None, but must be str\n"),
        (toy(most_seats=2.5), "its info.most_seats is 2.5, but must be int\n"),
        (toy_with("names=replace(NAMES, stock='AB')"), "its info.names.stock is 'AB', but must be"),
        (toy_with("options=(Option(1, int, 2, 'So.'),)"), "its info.options[0].name is 1, but"),
        (toy_with("options=(Option('a', float, 2, 'So.'),)"), "its info.options[0].kind is <class"),
        (
            with_form("'Go', '{key}{where}'"),
            "its order form 'Go' has an unknown field {where}\n",
        ),
        (
            with_form("'Go', '{key}', phases=('later',)"),
            "its order form 'Go' is for 'later', which is no phase\n",
        ),
        (f"{TOY}Toy.extras = Extras(rulebook=7)\n", "its extras.rulebook is 7, but must be str\n"),
        (f"{TOY}Toy.grammar = lambda *_: Grammar(7, {{}})", "its grammar.source is 7, but must be"),
        (f"{TOY}Toy.grammar = lambda *_: 1 / 0", "ZeroDivisionError while it was checked"),
        (f"{TOY}Toy.grammar = lambda *_: exit(1)", "SystemExit while it was checked: 1"),
        (f"{TOY}Toy.grammar = lambda *_: 3", "its grammar is 3, which is not a Grammar"),
    ],
)
def test_a_bad_ruleset_is_reported_with_its_fault(
    outsiders: Outsiders, source: str, words: str
) -> None:
    outsiders.install("toys", source)
    message = error_message()
    assert words in message
    assert message.startswith(BEGINNING)
    assert "  entry     referee.rulesets: toy = toys:RULESET\n" in message
    assert "  to do     update the package, or remove it: pip uninstall toys; " in message
    assert max(map(len, message.splitlines())) < 500


def test_a_ruleset_without_a_package_is_reported() -> None:
    with pytest.raises(PluginError, match="the ruleset 'toy' of a package cannot be used"):
        rulesets_of([EntryPoint("toy", "no_such_module:RULESET", GROUP)])


def test_an_interrupt_while_a_ruleset_of_ours_is_imported_is_the_operators(
    outsiders: Outsiders,
) -> None:
    outsiders.install("referee", "", "[referee.rulesets]\ntoy = interrupting:RULESET\n")
    (outsiders.folder / "interrupting.py").write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        installed_rulesets()


@pytest.mark.parametrize(
    ("source", "key", "words"),
    [
        (toy(key="GM"), "GM", "its key 'GM' must be at most 30 small letters"),
        (toy(key="../x"), "../x", "its key '../x' must be at most 30 small letters"),
        (toy(key="x" * 31), "x" * 31, "must be at most 30 small letters"),
        (toy(prefix="S W\nBcc: x"), "toy", "its prefix 'S W\\nBcc: x' must be 1 to 5 capital"),
        (toy(prefix="TOYTOY"), "toy", "its prefix 'TOYTOY' must be 1 to 5 capital"),
        (toy(prefix=""), "toy", "its prefix '' must be 1 to 5 capital"),
        (toy(prefix="TY\n"), "toy", "its prefix 'TY\\n' must be 1 to 5 capital"),
        (toy(title="Toy\nBcc: x"), "toy", "its title 'Toy\\nBcc: x' must be one line"),
        (toy(title="x" * 41), "toy", "must be one line of at most 40 printable characters"),
        (toy(title="x" * 10**6), "toy", "must be one line of at most 40 printable characters"),
        (toy(title="---"), "toy", "its title '---' must be one line"),
        (toy(title="Bad  Game"), "toy", "with only single blanks between words"),
        (toy(edition="1\n2"), "toy", "its edition '1\\n2' must be one line"),
        (toy(fewest_seats=-5), "toy", "fewest_seats=-5 and most_seats=4 must be from 1 to 100"),
        (toy(fewest_seats=5), "toy", "fewest_seats=5 and most_seats=4 must be from 1 to 100"),
        (toy(most_seats=10**9), "toy", "most_seats=1000000000 must be from 1 to 100"),
        (toy(most_seats=5), "toy", "5 names in names.stock, for players who choose none"),
        (toy(phases=()), "toy", "its phases are empty"),
        (toy(phases=("Move 1",)), "toy", "its phase 'Move 1' must be at most 30 small letters"),
        (toy(phases=("a", "a")), "toy", "two phases are called 'a'"),
        (named("pattern='[A-Z'"), "toy", "its names.pattern '[A-Z' is not a regular expression: "),
        (named("pattern='[A-C]'"), "toy", "the stock name 'D' is not allowed for players"),
        (named("reserved={'B'}"), "toy", "the stock name 'B' is not allowed for players"),
        (named("sentence='a\\nREJECTED'"), "toy", "its names.sentence 'a\\nREJECTED' is not one"),
        (with_option("'wins', int, 'a', 'So.'"), "toy", "wins='a' is no int"),
        (with_option("'wins', int, 2, 'So.'"), "toy", "wins=2 is not from 0 to 0"),
        (with_option("'wins', bool, True, 'So\\nREJECTED.'"), "toy", "is not one sentence"),
        (
            with_option("'win s\\nREJECTED', bool, True, 'So.'"),
            "toy",
            "its option 'win s\\nREJECTED' must be called by a word of at most 30 letters",
        ),
        (with_option("'vote_draw', bool, True, 'So.'"), "toy", "the option vote_draw is one of"),
        (
            with_option("'way', str, 'a', 'So.', choices=('a', 'b\\nREJECTED')"),
            "toy",
            "way: 'b\\nREJECTED' is not one line",
        ),
    ],
)
def test_text_for_letters_has_a_strict_form(
    outsiders: Outsiders, source: str, key: str, words: str
) -> None:
    outsiders.install("toys", source, f"[referee.rulesets]\n{key} = toys:RULESET\n")
    message = error_message()
    assert words in message
    assert message.startswith(f"referee: the ruleset {key!r} of toys 1.0 cannot be used: ")
    assert len(message) < 1000


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"title": "StarWeb"}, "its title 'StarWeb' is read as 'starweb', a name of"),
        ({"title": "STAR-WEB"}, "its title 'STAR-WEB' is read as 'starweb', a name of"),
        ({"title": "sw"}, "its title 'sw' is read as 'SW', a name of"),
        ({"prefix": "SW"}, "its prefix 'SW' is read as 'SW', a name of"),
        ({"title": "SW 12"}, "its title 'SW 12' is read as the name of a game of"),
        ({"title": "StarWeb Moving"}, "HELP cannot tell its title 'StarWeb Moving' from a chapter"),
    ],
)
def test_a_name_of_another_ruleset_is_rejected(
    outsiders: Outsiders, names: dict[str, str], words: str
) -> None:
    outsiders.install("toys", toy(**names))
    message = error_message()
    assert f"{BEGINNING}{words}" in message
    assert " the ruleset 'starweb' of referee 1.0.0\n" in message
    assert "pip uninstall toys; " in message


def test_a_title_that_begins_another_one_is_rejected(outsiders: Outsiders) -> None:
    outsiders.install("toys", toy(title="Star"))
    words = "HELP cannot tell its title 'Star' from a chapter of the ruleset 'star_empires'"
    assert words in error_message()


def test_the_referees_own_ruleset_keeps_its_key(outsiders: Outsiders) -> None:
    outsiders.install("a_toys", TOY, "[referee.rulesets]\nstarweb = a_toys:RULESET\n")
    assert (
        error_message()
        == """\
referee: the ruleset 'starweb' of a_toys 1.0 cannot be used: \
referee 1.0.0 also brings a ruleset with that key
  entry     referee.rulesets: starweb = a_toys:RULESET
  to do     update the package, or remove it: pip uninstall a_toys; \
for its author: see docs/ruleset-authors.md"""
    )


def test_two_outsiders_with_one_key_are_both_named(outsiders: Outsiders) -> None:
    outsiders.install("b_toys", TOY)
    outsiders.install("a_toys", TOY)
    assert (
        error_message()
        == """\
referee: the ruleset 'toy' of b_toys 1.0 cannot be used: \
a_toys 1.0 also brings a ruleset with that key
  entry     referee.rulesets: toy = b_toys:RULESET
  to do     remove one of the two: pip uninstall b_toys, or pip uninstall a_toys"""
    )


def test_two_outsiders_with_one_name_are_both_named(outsiders: Outsiders) -> None:
    outsiders.install("toys", TOY)
    points = "[referee.rulesets]\nzoo = zoos:RULESET\n"
    outsiders.install("zoos", toy(key="zoo", prefix="ZOO", title="TOY"), points)
    message = error_message()
    assert (
        "'zoo' of zoos 1.0 cannot be used: its title 'TOY' is read as 'toy', a name of the"
        in message
    )
    assert "the ruleset 'toy' of toys 1.0" in message
    assert "remove one of the two: pip uninstall zoos, or pip uninstall toys" in message


def test_all_faults_of_all_packages_are_reported_together(outsiders: Outsiders) -> None:
    source = toy(title="StarWeb", prefix="s", fewest_seats=0)
    outsiders.install("toys", f"{source}Toy.extras = Extras(rulebook='/etc/passwd')\n")
    outsiders.install("zoos", "raise SystemExit", "[referee.rulesets]\nzoo = zoos:RULESET\n")
    faults = [
        line.split(" cannot be used: ") for line in error_message().splitlines() if line[0] != " "
    ]
    assert faults == [
        [
            "referee: the ruleset 'zoo' of zoos 1.0",
            "SystemExit while it was imported (zoos/__init__.py, line 1)",
        ],
        [TOYS, "its prefix 's' must be 1 to 5 capital letters, A to Z"],
        [
            TOYS,
            "fewest_seats=0 and most_seats=4 must be from 1 to 100, the fewest not above the most",
        ],
        [TOYS, "its rulebook '/etc/passwd' leads out of its folder"],
        [
            TOYS,
            (
                "its title 'StarWeb' is read as 'starweb', a name of the ruleset 'starweb' of "
                "referee 1.0.0"
            ),
        ],
    ]


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("nowhere.md", "'nowhere.md' does not exist"),
        ("/etc/passwd", "'/etc/passwd' leads out of its folder"),
        ("../../README.md", "'../../README.md' leads out of its folder"),
        ("toys:nowhere.md", "'toys:nowhere.md' does not exist"),
        ("toys:", "'toys:' does not exist"),
        ("toys:../toys/__init__.py", "'toys:../toys/__init__.py' leads out of its folder"),
        ("toys:/etc/passwd", "'toys:/etc/passwd' leads out of its folder"),
        ("toys.none:a.md", "'toys.none:a.md' is not in a package"),
        ("email:__init__.py", "'email:__init__.py' is in a package that it does not ship"),
        ("referee.rules:a.md", "'referee.rules:a.md' is in a package that it does not ship"),
        (":a.md", "':a.md' is in a package that it does not ship"),
    ],
)
def test_files_outside_the_package_are_rejected(
    outsiders: Outsiders, place: str, words: str
) -> None:
    outsiders.install("toys", with_rulebook(place))
    message = error_message()
    assert message.startswith(f"{BEGINNING}its rulebook {words}\n")
    place = place.replace(".md", ".lark").replace("__init__.py", "a.lark")
    place = place.replace("/etc/passwd", "/etc/a.lark")
    if place.endswith(".lark"):
        (outsiders.folder / "toys" / "__init__.py").write_text(with_grammar(place))
        outsiders.forget("toys")
        assert error_message().startswith(f"{BEGINNING}its grammar {place!r} ")


def test_a_file_of_another_package_of_the_same_distribution_is_accepted(
    outsiders: Outsiders,
) -> None:
    outsiders.install("toys", with_rulebook("toy_texts:a.md"))
    (outsiders.folder / "toy_texts").mkdir()
    (outsiders.folder / "toy_texts" / "__init__.py").touch()
    (outsiders.folder / "toy_texts" / "a.md").write_text("A toy.")
    (outsiders.folder / "toys-1.0.dist-info" / "RECORD").write_text("toy_texts/a.md,,\n")
    assert "toy" in installed_rulesets()


def test_every_game_of_this_package_has_a_cast_under_its_key() -> None:
    assert cast_keys() == sorted(installed_casts()) == sorted(installed_rulesets())


CAST = """
from referee.testing.golden_games import Beginning, GoldenGame
from referee.testing.casts.cast import Cast
CAST = Cast("", (), 1, golden={"one": GoldenGame(FOLDER, Beginning((), {}, b""), 1)})
"""


@pytest.mark.parametrize(
    ("point", "source", "words"),
    [
        ("starweb2 = referee.testing.casts.starweb:CAST", "", "there is no ruleset 'starweb2'"),
        (
            "toy = toys:CAST",
            "CAST = 3",
            "the cast 'toy' of toys 1.0 cannot be used: it is not a Cast",
        ),
        ("toy = toys:CAST", "raise SystemExit(1)", "SystemExit while it was imported: 1"),
        ("toy = toys:CAST", "raise KeyboardInterrupt", "KeyboardInterrupt while it was imported"),
        ("starweb = toys:CAST", "", "referee 1.0.0 also brings a cast with that key"),
        ("toy = toys:CAST", f"FOLDER = 'toys:../../x'\n{CAST}", "'toys:../../x' leads out of its"),
        (
            "toy = toys:CAST",
            f"FOLDER = 'tests'\n{CAST}",
            "'tests' is not in a package that it ships",
        ),
    ],
)
def test_a_bad_cast_is_reported_with_its_fault(
    outsiders: Outsiders, point: str, source: str, words: str
) -> None:
    outsiders.install("toys", source, f"[referee.casts]\n{point}\n")
    with pytest.raises(PluginError) as caught:
        installed_casts()
    assert words in caught.value.told()
    assert " of toys 1.0 cannot be used: " in caught.value.told()
    assert cast_of("fistful").roles != ()
