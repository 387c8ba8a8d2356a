"""HELP: what can be written to the referee, from the same pages the grammars are."""

from collections.abc import Mapping
from typing import Final

from referee.desk.house import House
from referee.desk.tables import Table
from referee.parsing.reference import reference
from referee.rules.ruleset import Mistake

_WELCOME: Final = """\
Write to {address}. Each line is an order of your game or a command
to the referee; the simplest letter is a reply to your report with the
orders typed on top.

  LIST                       the games that can be joined
  JOIN SW-1 FRODO            takes a seat in the game SW-1
  ORDERS                     shows what is on file for you
  MAP                        mails a map of what you know
  CHECK                      reads a letter and files nothing
  FINAL                      says that you are ready
  PRESS TO MARS ... END      writes to another player
  HELP COMMANDS              explains all commands
  HELP ORDERS                explains the orders of your game
  HELP GM                    explains how to run a game
  HELP SCHEDULE              explains deadlines"""


def help_on(topic: str, house: House, table: Table | None) -> str:
    """Give the page on *topic*. Raises Mistake with the topics there are."""
    wanted = topic.strip().upper()
    if not wanted:
        return _WELCOME.format(address=house.address)
    if wanted == "ORDERS" and table is not None:
        return reference(table.ruleset.grammar(table.phase).source)
    if wanted in _PAGES:
        return reference(_PAGES[wanted])
    for ruleset in house.rulesets.values():
        if wanted in (ruleset.info.key.upper(), ruleset.info.title.upper()):
            return _options(house, ruleset.info.key)
    topics = ", ".join(
        (*_PAGES, "ORDERS", *(r.info.title.upper() for r in house.rulesets.values()))
    )
    raise Mistake(f"There is no help on that. There is help on: {topics}.")


def _options(house: House, key: str) -> str:
    """Give a ruleset's options for the GM, and the choices for players."""
    info = house.rulesets[key].info
    lines = [f"{info.title}: {info.fewest_seats} to {info.most_seats} players.", ""]
    lines += [f"  OPTION {o.name}={o.default}  {o.sentence}" for o in info.options]
    for choice in info.choices:
        lines += ["", f"At JOIN: {choice.sentence}", f"  {', '.join(choice.choices)}"]
    return "\n".join(lines)


_PAGES: Final[Mapping[str, str]] = {
    "COMMANDS": "commands.lark",
    "GM": "gm.lark",
    "SCHEDULE": "schedule.lark",
}
