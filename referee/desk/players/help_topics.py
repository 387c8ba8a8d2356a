"""The topics of HELP, and the one that is nearest to words that could not be read."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher, get_close_matches
from itertools import islice
from typing import Final

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.rulebooks import players_guide, rulebook, ruleset_word
from referee.parsing.everyday import is_everyday, words_of
from referee.parsing.reference import about_order

_LEAST: Final = 4
"""A shorter word is like too many others."""
_MOST_WORDS: Final = 30
"""The most words of a letter that are compared."""
_NEAR: Final = 0.75
_SHORT: Final = 3
"""So few words, without an order, are not talk: an order is looked for."""
_ASKING: Final = frozenset(
    """
    how what where when which why help wie was wo warum hilfe comment quoi où aide cómo como qué
    que ayuda come cosa aiuto jak co gdzie pomoc hoe wat waar
    """.split()  # noqa: SIM905  # a list of words is easier to read
)
"""Words of a question, which people also write without a question mark."""


def asks(text: str) -> bool:
    """Return whether a line of words asks how something is done, or is too short to be talk."""
    words = words_of(text.casefold())
    return "?" in text or len(words) <= _SHORT or not _ASKING.isdisjoint(words)


def nearest_topic(words: Iterable[str], table: LoadedGame) -> str:
    """Return the topic of HELP about the game that is nearest to one of *words*, or "".

    An order is preferred to a chapter of the rulebook, and that to a chapter of our guide.
    """
    topics = _topics(table)
    typed = (word.strip(".,;:!?()'\"").upper() for word in words)
    long = islice((word for word in typed if _may_be_topic(word)), _MOST_WORDS)
    found = [(word, near) for word in long for near in get_close_matches(word, topics, 1, _NEAR)]
    best = max(found, key=lambda pair: SequenceMatcher(None, *pair).ratio(), default=None)
    return topics[best[1]] if best is not None else ""


def _may_be_topic(word: str) -> bool:
    return len(word) >= _LEAST and not is_everyday(word)


def _topics(table: LoadedGame) -> Mapping[str, str]:
    """Return the topics by the words that lead to them."""
    topics: dict[str, str] = {}
    for word, topic in _listed(table):
        if len(word) >= _LEAST:
            topics.setdefault(word, topic)
    return topics


def _listed(table: LoadedGame) -> Iterator[tuple[str, str]]:
    source = table.ruleset.grammar(table.phase).source
    for word in sorted(table.reader.first_words()):
        if len(word) >= _LEAST and about_order(source, word):
            yield word, word
    book, info = rulebook(table.ruleset), table.ruleset.info
    for chapter in book.chapters if book is not None else ():
        yield chapter.word, f"{ruleset_word(info.key, info.title)} {chapter.word}"
    for chapter in players_guide().chapters:
        yield chapter.word, chapter.word
