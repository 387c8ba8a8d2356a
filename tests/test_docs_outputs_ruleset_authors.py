"""The messages in the page for authors of rulesets, written by the program."""

import re
from typing import Final

import pytest

from referee.errors import PluginError
from referee.plugins import installed_rulesets
from referee.testing.casts.installed import installed_casts
from tests.support.outsiders import TOY, Outsiders, toy, with_rulebook
from tests.support.pages import read_page

PAGE: Final = read_page("docs/ruleset-authors.md")


def with_form(fields: str) -> str:
    """Return the source of the toy with an order form."""
    forms = f"Toy.extras = Extras(order_forms=(OrderForm({fields}),))\n"
    return f"{TOY}from referee.rules.order_forms import OrderForm\n{forms}"


FAULTS: Final = {
    "it is the class X; a ruleset is an instance of it": "class RULESET: ...",
    "its info is not a RulesetInfo": "RULESET = 3",
    "its extras are not an Extras": f"{TOY}Toy.extras = 3",
    "its info.phases is 'orders', but must be tuple[str, ...]": toy(phases="orders"),
    "its info.key is X": toy(key="other"),
    "it lacks X": f"{TOY}del Toy.verdict",
    "its rulebook X does not exist": with_rulebook("toys:none.md"),
    "its tutorial X does not exist": f"{TOY}Toy.extras = Extras(tutorial='toys:none.toml')",
    "its order form X has Y": with_form("'Go', '{key}{where}'"),
    "its order form X is for Y": with_form("'Go', '{key}', phases=('later',)"),
    "it has a tutorial, but no robot to play against": (
        f"{TOY}Toy.extras = Extras(tutorial='toys:__init__.py')"
    ),
    "an exception while it was imported": "RULESET = 1 / 0",
}
"""The package that gets each message of the table."""
CAST: Final = "there is no ruleset X; a cast has the key of its ruleset"


def pattern(message: str) -> str:
    """Return what a message looks like, whatever X and Y and the exception are."""
    words = re.sub(r"\b[XY]\b", ".+", re.escape(message))
    return words.replace(re.escape("an exception"), r"\w+(Error|Exit|Interrupt)")


def test_every_message_of_the_table_is_tried() -> None:
    table = PAGE.partition("| message | what to change |\n|---|---|\n")[2].partition("\n\n")[0]
    messages = "\n".join(line.split(" | ")[0].removeprefix("| ") for line in table.splitlines())
    for message in (*FAULTS, CAST):
        assert message in messages
        messages = messages.replace(message, "", 1)
    assert messages.strip(", \n") == ""


@pytest.mark.parametrize("message", FAULTS)
def test_a_message_of_the_table_is_written(outsiders: Outsiders, message: str) -> None:
    outsiders.install("toys", FAULTS[message])
    with pytest.raises(PluginError) as caught:
        installed_rulesets()
    assert re.search(pattern(message), caught.value.told())


def test_a_cast_without_a_ruleset_gets_the_message_of_the_table(outsiders: Outsiders) -> None:
    source = 'from referee.testing.casts.cast import Cast\nCAST = Cast("CREATE TOY", (), 1)\n'
    outsiders.install("toys", source, "[referee.casts]\ntoy = toys:CAST\n")
    with pytest.raises(PluginError) as caught:
        installed_casts()
    assert re.search(pattern(CAST), caught.value.told())
