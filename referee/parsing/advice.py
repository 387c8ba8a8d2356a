"""What to say to words that are no order: did you mean, advice by example, what could follow."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from string import ascii_uppercase

from referee.parsing.language import END, Language, Stumble, fixed_text
from referee.parsing.lines import foreign, latinised
from referee.rules.ruleset import Separator

_SAMPLES = ("5", *(f"{letter}5" for letter in ascii_uppercase))
"""What may stand for a terminal in a proposal: a number, or a letter and a number."""

_MOST_CHOICES = 18
"""A longer list of what could stand there says nothing any more."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to say: at which place of the text, why it is no order, and the way out.

    *plain* says that nothing in particular is known, as of prose among the orders.
    """

    at: int
    reason: str
    way_out: str = ""
    plain: bool = False


class Adviser:
    """Knows the typical mistakes of one language."""

    def __init__(self, language: Language) -> None:
        """Raises ValueError when an example of a mistake is in fact an order."""
        self._language = language
        self._advice: dict[tuple[int, str], str] = {}
        self._by_state: dict[int, set[str]] = {}
        grammar = language.grammar
        self._words = sorted(
            {word for word in language.literals() if len(word) > 1 and word.isalpha()}
            | set(grammar.blocks)
            | set(grammar.joined)
        )
        self._samples = {name: _sample(language, name) for name in language.terminals}
        for example in grammar.examples:
            if language.understands(example.wrong):
                raise ValueError(f"the example {example.wrong!r} is no mistake")
            stumble = language.read(example.wrong)
            self._advice.setdefault((stumble.state, stumble.kind), example.advice)
            self._by_state.setdefault(stumble.state, set()).add(example.advice)

    def advise(self, text: str, stumble: Stumble) -> Advice:
        """Give the best advice on *text*, which stumbles there."""
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
        for pattern, replacement, reason in _SLIPS:
            mended = re.sub(pattern, replacement, text)
            found = re.search(pattern, text)
            if found and self._reads(mended):
                return Advice(found.start(), reason, f"{mended} would be read.")
        return None

    def _two_orders(self, text: str, at: int) -> Advice | None:
        first, second = text[:at].strip(), text[at:]
        if self._reads(first) and self._reads(second):
            by_lines = self._language.grammar.separator is Separator.LINES
            apart = "each on a line of its own" if by_lines else f"{first} {second} with a blank"
            return Advice(at, "here another begins.", f"Write {apart}.")
        return None

    def _zero(self, text: str, stumble: Stumble) -> Advice | None:
        """Advise on a number that is nought, where one is expected."""
        numbers = {name for name in stumble.expected - {END} if self._sample(name) == "5"}
        if not numbers or text[stumble.at : stumble.at + 1] != "0":
            return None
        return Advice(stumble.at, "a number here is at least 1.")

    def _by_example(self, text: str, stumble: Stumble) -> Advice | None:
        alike = self._by_state.get(stumble.state, set())
        # Where little can stand, one advice fits every mistake.
        nearly = alike if len(stumble.expected) <= 3 and len(alike) == 1 else set()
        advice = self._advice.get((stumble.state, stumble.kind)) or next(iter(nearly), None)
        if advice is None:
            return None
        reason, way_out = _sentences(advice)
        if "{}" in way_out:
            mended = next(self._one_more(text, stumble), None)
            way_out = "" if mended is None else way_out.replace("{}", mended)
        return Advice(stumble.at, reason, way_out)

    def _misspelt(self, text: str) -> Advice | None:
        found = re.match(r"[A-Za-z]{3,}", text)
        if found is None:
            return None
        near = get_close_matches(found[0].upper(), self._words, n=1, cutoff=0.7)
        if not near or near[0] == found[0].upper():
            return None
        mended = near[0] + text[found.end() :]
        return Advice(0, f"there is no word {found[0]}.", f"Did you mean {mended}?")

    def _one_step_away(self, text: str, stumble: Stumble) -> Advice | None:
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

    def _one_more(self, text: str, stumble: Stumble) -> Iterator[str]:
        """Give what one thing more at the place would make an order."""
        for name in sorted(stumble.expected - {END}):
            fixed = fixed_text(self._language.terminals[name])
            more = fixed or self._sample(name)
            if more is not None:
                mended = text[: stumble.at] + more + text[stumble.at :]
                if self._reads(mended):
                    yield mended

    def _expected(self, text: str, stumble: Stumble) -> Advice:
        if stumble.at == 0 and re.match(r"[A-Za-z]{3,}|[^A-Za-z0-9]", text):
            return Advice(0, "this is no order.", plain=True)
        return Advice(stumble.at, self._reason(text, stumble), plain=stumble.at == 0)

    def _reason(self, text: str, stumble: Stumble) -> str:
        if stumble.at == 0:
            return f"no order begins with {text[0]}." if text else "there is nothing here."
        before = text[: stumble.at].strip()
        names = stumble.expected - {END}
        choices = sorted({choice for name in names for choice in self._in_words(name)})
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
        """Give a number or a code that can stand for a terminal, unless any word can."""
        return self._samples[name]

    def _reads(self, text: str) -> bool:
        return self._language.understands(text)


_SLIPS = (
    (r"(?<![0-9])0+(?=[1-9])", "", "numbers are written without leading zeros."),
    (r"(?<=[0-9])[oO]|[oO](?=[0-9])", "0", "this is the letter O, not a zero."),
    (r"(?<=[0-9])l|(?<=[A-Z])l(?=[0-9])", "1", "this is the letter l, not a one."),
    (r"[.,;:!?)\]]+$", "", "no full stop or other mark belongs here."),
    (r"^[-+*>(\[.]+ *", "", "no mark stands here."),
    (r"[-_./:>]+", "", "no mark stands in between."),
)
"""Slips of the pen: what to look for, what to put there, what to say."""


def _sample(language: Language, name: str) -> str | None:
    if language.matches(name, "XYZ"):
        return None
    return next((text for text in _SAMPLES if language.matches(name, text)), None)


def _listed(choices: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))


def _sentences(advice: str) -> tuple[str, str]:
    first, mark, rest = re.fullmatch(r"(.*?)(?:([.?!]) (.*))?", advice, re.DOTALL).groups("")  # type: ignore[union-attr]  # the pattern fits any text
    return first + mark, rest
