"""What to say to words that are no order: did you mean, advice by example, what could follow."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from string import ascii_uppercase
from typing import NamedTuple

from referee.parsing.failure_position import END, ParseFailure
from referee.parsing.language import Language, fixed_text
from referee.parsing.lines import foreign, latinised
from referee.rules.ruleset import Separator

_SAMPLES = ("5", *(f"{letter}5" for letter in ascii_uppercase))
"""What may stand for a terminal in a proposal: a number, or a letter and a number."""

_WORD = re.compile("[A-Za-z]{3,}")
_MARK = re.compile("[^A-Za-z0-9]")

_ALIKE = 0.7
"""The likeness, as difflib measures it, from which on a word is taken for a misspelt one."""

_MOST_CHOICES = 18
"""A longer list of what could stand there says nothing any more."""


class Advice(NamedTuple):
    """What to say: at which place of the text, why it is no order, and the way out.

    *plain* says that nothing in particular is known, as of prose among the orders.
    """

    at: int
    reason: str
    way_out: str = ""
    plain: bool = False


NO_ORDER = Advice(0, "this is no order.", plain=True)


class Adviser:
    """Knows the typical mistakes of one language."""

    def __init__(self, language: Language) -> None:
        """Raises ValueError when an example of a mistake is in fact an order."""
        self._language = language
        self._advice: dict[tuple[int, str], tuple[str, str]] = {}
        self._by_state: dict[int, set[tuple[str, str]]] = {}
        grammar = language.grammar
        words = {word for word in language.literals() if len(word) > 1 and word.isalpha()}
        words |= set(grammar.blocks) | set(grammar.joined)
        self._words = [(word, frozenset(word)) for word in sorted(words)]
        self._samples = {name: _sample(language, name) for name in language.terminals}
        self._choices = {name: self._in_words(name) for name in language.terminals}
        for example in grammar.examples:
            if language.understands(example.wrong):
                raise ValueError(f"the example {example.wrong!r} is no mistake")
            stumble = language.read(example.wrong)
            advice = _sentences(example.advice)
            self._advice.setdefault((stumble.state, stumble.kind), advice)
            self._by_state.setdefault(stumble.state, set()).add(advice)

    def advise(self, text: str, stumble: ParseFailure) -> Advice:
        """Return the best advice on *text*, which stumbles there."""
        return (
            self._slip(text)
            or self._two_orders(text, stumble.at)
            or self._zero(text, stumble)
            or self._by_example(text, stumble)
            or self._misspelt(text)
            or self._one_step_away(text, stumble)
            or self._expected(text, stumble)
        )

    def _slip(self, text: str) -> Advice | None:
        """Advise on a slip of the pen that can be undone, or at least named."""
        if (letter := foreign(text)) is not None:
            looks = f", which looks like {letter.latin}" if letter.latin else ""
            latin = latinised(text)
            way_out = f"{latin} in Latin letters would be read." if self._reads(latin) else ""
            return Advice(letter.at, f"this is the {letter.name}{looks}.", way_out)
        # Letters alone are the usual thing in prose, and no slip.
        slips = () if text.isalpha() or not _ANY_SLIP.search(text) else _SLIPS
        for pattern, replacement, reason in slips:
            found = pattern.search(text)
            if found and self._reads(mended := pattern.sub(replacement, text)):
                return Advice(found.start(), reason, f"{mended} would be read.")
        return None

    def _two_orders(self, text: str, at: int) -> Advice | None:
        first, second = text[:at].strip(" ,"), text[at:].lstrip(" ,")
        if first and second and self._reads(first) and self._reads(second):
            by_lines = self._language.grammar.separator is Separator.LINES
            apart = "each on a line of its own" if by_lines else f"{first} {second} with a blank"
            return Advice(at, "here another begins.", f"Write {apart}.")
        return None

    def _zero(self, text: str, stumble: ParseFailure) -> Advice | None:
        """Advise on a number that is nought, where one is expected."""
        if text[stumble.at : stumble.at + 1] != "0":
            return None
        number = any(self._sample(name) == "5" for name in stumble.expected - {END})
        return Advice(stumble.at, "a number here is at least 1.") if number else None

    def _by_example(self, text: str, stumble: ParseFailure) -> Advice | None:
        advice = self._advice.get((stumble.state, stumble.kind))
        # Where little can stand, one advice fits every mistake.
        if advice is None and len(stumble.expected) <= 3:
            alike = self._by_state.get(stumble.state, set())
            advice = next(iter(alike)) if len(alike) == 1 else None
        if advice is None:
            return None
        reason, way_out = advice
        if "{}" in way_out:
            mended = next(self._one_more(text, stumble), None)
            way_out = "" if mended is None else way_out.replace("{}", mended)
        return Advice(stumble.at, reason, way_out)

    def _misspelt(self, text: str) -> Advice | None:
        found = _WORD.match(text)
        if found is None:
            return None
        typed = found[0].upper()
        perhaps = self._perhaps(typed)
        near = perhaps and get_close_matches(typed, perhaps, n=1, cutoff=_ALIKE)
        if not near or near[0] == typed:
            return None
        mended = near[0] + text[found.end() :]
        return Advice(0, f"there is no word {found[0]}.", f"Did you mean {mended}?")

    def _perhaps(self, typed: str) -> list[str]:
        """Return the words that have so many letters of *typed* that they may be alike."""
        shared = ((word, sum(map(typed.count, letters))) for word, letters in self._words)
        return [w for w, n in shared if 2 * n / (len(w) + len(typed)) >= _ALIKE]

    def _one_step_away(self, text: str, stumble: ParseFailure) -> Advice | None:
        if stumble.at == 0:
            return None
        proposals = set(self._one_more(text, stumble))
        before, after = text[: stumble.at], text[stumble.at + 1 :]
        # Two numbers that would run into each other are no proposal.
        joins = before[-1:].isdigit() and after[:1].isdigit()
        if not proposals and not joins and self._reads(before + after):
            proposals = {before + after}
        if len(proposals) != 1:
            return None
        reason = self._reason(text, stumble)
        return Advice(stumble.at, reason, f"Did you mean {proposals.pop()}?")

    def _one_more(self, text: str, stumble: ParseFailure) -> Iterator[str]:
        """Return what one thing more at the place would make an order."""
        for name in sorted(stumble.expected - {END}):
            fixed = fixed_text(self._language.terminals[name])
            more = fixed or self._sample(name)
            if more is not None:
                mended = text[: stumble.at] + more + text[stumble.at :]
                if self._reads(mended):
                    yield mended

    def _expected(self, text: str, stumble: ParseFailure) -> Advice:
        if stumble.at == 0 and (_WORD.match(text) or _MARK.match(text)):
            return NO_ORDER
        return Advice(stumble.at, self._reason(text, stumble), plain=stumble.at == 0)

    def _reason(self, text: str, stumble: ParseFailure) -> str:
        if stumble.at == 0:
            return f"no order begins with {text[0]}." if text else "there is nothing here."
        before = text[: stumble.at].strip()
        names = stumble.expected - {END}
        choices = sorted({choice for name in names for choice in self._choices[name]})
        if not choices or (END in stumble.expected and len(text) > stumble.at):
            return f"{before} is complete, and the rest does not belong to it."
        if len(choices) > _MOST_CHOICES:
            return f"after {before} something else must follow."
        return f"after {before} must follow {_listed(choices)}."

    def _in_words(self, name: str) -> list[str]:
        """Say what can stand for a terminal without using the name it has, where that goes."""
        fixed = fixed_text(self._language.terminals[name])
        if fixed is not None:
            return [fixed]
        sample = self._sample(name)
        if sample == "5":
            return ["a number"]
        letters = [letter for letter in ascii_uppercase if self._language.matches(name, letter)]
        if 0 < len(letters) < 5:
            return letters
        words = name.split("__")[-1].lower().replace("_", " ")
        article = "an" if words[0] in "aeiou" else "a"
        return [f"a code like {sample}" if sample else f"{article} {words}"]

    def _sample(self, name: str) -> str | None:
        """Return a number or a code that can stand for a terminal, unless any word can."""
        return self._samples[name]

    def _reads(self, text: str) -> bool:
        return self._language.understands(text)


_SLIPS = (
    (re.compile(r"(?<![0-9])0+(?=[1-9])"), "", "numbers are written without leading zeros."),
    (re.compile(r"(?<=[0-9])[oO]|[oO](?=[0-9])"), "0", "this is the letter O, not a zero."),
    (re.compile(r"(?<=[0-9])l|(?<=[A-Z])l(?=[0-9])"), "1", "this is the letter l, not a one."),
    (re.compile(r"[.,;:!?)\]]+$"), "", "no full stop or other mark belongs here."),
    (re.compile(r"^[-+*>(\[.]+ *"), "", "no mark stands here."),
    (re.compile(r"[-_./:>]+"), "", "no mark stands in between."),
)
"""Slips of the pen: what to look for, what to put there, what to say."""

_ANY_SLIP = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _, _ in _SLIPS))


def _sample(language: Language, name: str) -> str | None:
    if language.matches(name, "XYZ"):
        return None
    return next((text for text in _SAMPLES if language.matches(name, text)), None)


def _listed(choices: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))


def _sentences(advice: str) -> tuple[str, str]:
    first, mark, rest = re.fullmatch(r"(.*?)(?:([.?!]) (.*))?", advice, re.DOTALL).groups("")  # type: ignore[union-attr]  # the pattern fits any text
    return first + mark, rest
