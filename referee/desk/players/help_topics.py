"""The topics of HELP, and the one that is nearest to words that could not be read."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher, get_close_matches
from itertools import islice
from typing import Final

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.players.rulebooks import guide, rulebook
from referee.parsing.reference import about_order

_LEAST: Final = 4
"""A shorter word is like too many others."""
_MOST_WORDS: Final = 30
"""The most words of a letter that are compared."""
_NEAR: Final = 0.75


def ruleset_word(key: str, title: str) -> str:
    """Return the shortest word by which HELP finds a ruleset."""
    return title.upper() if "_" in key else min(key.upper(), title.upper(), key=len)


def nearest_topic(words: Iterable[str], table: LoadedGame) -> str:
    """Return the topic of HELP about the game that is nearest to one of *words*, or "".

    An order is preferred to a chapter of the rulebook, and that to a chapter of our guide.
    """
    topics = _topics(table)
    typed = (word.strip(".,;:!?()'\"").upper() for word in words)
    long = islice((word for word in typed if len(word) >= _LEAST), _MOST_WORDS)
    found = [(word, near) for word in long for near in get_close_matches(word, topics, 1, _NEAR)]
    best = max(found, key=lambda pair: SequenceMatcher(None, *pair).ratio(), default=None)
    return topics[best[1]] if best is not None else ""


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
    for chapter in guide().chapters:
        yield chapter.word, chapter.word
