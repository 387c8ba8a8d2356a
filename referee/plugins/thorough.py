"""The slow checks of rulesets from other packages: pages, grammars and topics.

Only the daemon and the doctor make them.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from referee.desk.base.rulebooks import plain, rulebook
from referee.desk.base.tutorials import tutorial_of
from referee.desk.players.help import is_topic
from referee.parsing.grammar_text import names_file
from referee.parsing.reader import reader_of
from referee.parsing.reference import reference
from referee.plugins import CHECKING, GROUP, loaded_rulesets
from referee.plugins.checks import (
    Ships,
    grammar_faults,
    grammars_of,
    rulebook_faults,
    tutorial_faults,
)
from referee.plugins.info import typed_faults
from referee.plugins.loading import Loaded
from referee.plugins.origin import Origin, faults_in
from referee.rules.extras import extras_of
from referee.rules.ruleset import Grammar, Ruleset


def checked_rulesets() -> Mapping[str, Ruleset[Any, Any]]:
    """Return the installed rulesets by their keys. Raises PluginError with all faults."""
    return look(entry_points(group=GROUP)).by_key()


def look(points: Iterable[EntryPoint]) -> Loaded:
    """Return the rulesets of *points*, and the faults of those that cannot be used."""
    loaded = loaded_rulesets(points)
    findings = [*loaded.findings]
    for origin, rules in ((plugin.origin, plugin.found) for plugin in loaded.plugins):
        if not origin.is_ours:
            faults = faults_in(origin, CHECKING, _faults(origin, rules))
            findings += map(origin.finding, faults)
    return Loaded(loaded.plugins, tuple(dict.fromkeys(findings)))


def _faults(origin: Origin, rules: Ruleset[Any, Any]) -> Iterator[str]:
    """Yield the faults of the pages and grammars whose files exist."""
    for field, name in (("key", rules.info.key), ("title", rules.info.title)):
        if is_topic(name.upper()):
            yield f"its {field} {name!r} is already a page of HELP"
    if not [*rulebook_faults(rules, origin.ships)]:
        place = extras_of(rules).rulebook
        yield from faults_in(origin, f"in its rulebook {place!r}", _pages(rules))
    if not [*tutorial_faults(rules, origin.ships)]:
        place = extras_of(rules).tutorial
        yield from faults_in(origin, f"in its tutorial {place!r}", _lessons(rules))
    yield from language_faults(rules, origin.ships, origin)


def language_faults(
    rules: Ruleset[Any, Any], ships: Ships, origin: Origin | None = None
) -> Iterator[str]:
    """Yield the faults of the grammars, and of the pages of orders that are made of them."""
    for grammar in grammars_of(rules):
        if not [*grammar_faults(grammar, ships)]:
            place = f" {grammar.source!r}" if names_file(grammar.source) else ""
            yield from faults_in(origin, f"in its grammar{place}", _language(grammar))


def _pages(rules: Ruleset[Any, Any]) -> Iterator[str]:
    """Build every page that HELP can mail; exceptions are not caught."""
    book = rulebook(rules)
    for text in (book.overview, *(each.text for each in book.chapters)) if book else ():
        plain(text)
    yield from ()


def _lessons(rules: Ruleset[Any, Any]) -> Iterator[str]:
    """Yield the faults of the tutorial, if there is one; exceptions are not caught."""
    tutorial = tutorial_of(rules)
    if tutorial is not None:
        yield from typed_faults("tutorial", tutorial)


def _language(grammar: Grammar) -> Iterator[str]:
    """Build the parser of a grammar and its page; exceptions are not caught."""
    reader_of(grammar)
    reference(grammar.source)
    yield from ()
