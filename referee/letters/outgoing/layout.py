"""Parts of a letter, set in its 78 columns and as HTML; every function is total and pure.

Unless it says otherwise, a function that sets something returns a pair of both.
"""

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from referee.domain.tokens import without_tokens
from referee.letters.incoming import sheet_edits
from referee.letters.incoming.press_marks import MARK, MARKER, marked, shows_press
from referee.letters.outgoing.notices import (
    CommandReply,
    LineError,
    OrderResult,
    RuledOrder,
    UnreadPart,
)
from referee.letters.outgoing.pairs import Drawn, around, markup, pair, text_of
from referee.rules.ruleset import Event

WIDTH: Final = 78
_PROSE: Final = 72
_WINDOW: Final = 50
"""How many characters of a long line are shown."""
_SUBJECT: Final = 60
"""The longest fact in a subject line."""
_OPENERS: Final = frozenset(
    ("A", "All", "An", "Another", "No", "Nobody", "The", "This", "Turn", "You", "Your")
)
"""The words at the beginning of a fact that are no names."""
_TWO_WORDS: Final = frozenset(("ACCEPT", "END", "FORGET", "MY", "SET"))
"""The commands that a subject line names by two words, because the first says too little.

So are those whose second word is OFF."""
_MOST_NAMED: Final = (
    *((3, 3, 3, 3), (1, 1, 1, 1), (3, 1, 0, 3), (1, 1, 0, 1)),
    *((3, 1, 0, 0), (1, 1, 0, 0), (0, 1, 0, 0)),
)
"""How many commands of each group a subject line names: as many as fit.

The groups are: not done, left to the GM, done, answered.
"""
_JOINERS: Final = "\u200c\u200d"
_BLANK: Final = "\N{OPEN BOX}"
"""A blank at which no line ends."""
_SHORT: Final = 30
"""The longest command in a sentence that a narrow screen shows in one line."""
_LABEL: Final = 40
"""The longest label that shares a line with its text."""
_KINDS: Final = {"fault": "bad", "rejected": "bad", "failed": "bad", "warned": "warn"}
"""How an item of a list is marked, by the function that sets it."""
_MARKED: Final = re.compile(rf"(?m)^ *{MARK}")
MARKED: Final = pair(MARKER, f'<p class="marker">{MARKER}</p>')
"""The line above which one replies."""


def fill(text: str, indent: int = 0, hang: int = 0, *typed: str) -> str:
    """Set a paragraph, whatever blanks and line ends it had; *typed* is what is typed like that."""
    words = _words(text)
    shown, rest = "", words
    for command in filter(None, map(_words, typed)):
        before, found, rest = rest.partition(command)
        kind = ' class="short"' if len(found) <= _SHORT else ""
        shown += markup(before) + (f"<code{kind}>{markup(found)}</code>" if found else "")
    shown += markup(rest)
    return pair(_fill(words, " " * indent, " " * (indent + hang)), f"<p>{shown}</p>")


def heading(title: str, tag: str = "h2") -> str:
    """Set a heading: a line of its own, or a paragraph that is set already."""
    title = text_of(title)
    return pair(title, f"<{tag}>{markup(' '.join(title.split()))}</{tag}>")


def each(items: Iterable[object], form: str, *places: object) -> list[str]:
    """Set each of *items* as the function of this module called *form* sets one."""
    setter = globals()[form]
    return [around(setter(item, *places), "li", _KINDS.get(form, "")) for item in items]


def told(news: Iterable[Event]) -> list[str]:
    """Set each piece of news; its weight is that to the eye."""
    return [around(fill(event.text, 2, 2), "li", event.weight.name.lower()) for event in news]


def stacked(items: Iterable[str], between: str = "\n") -> str:
    """Set items that are set already below each other."""
    return around(between.join(items), "ul")


def boxed(text: str) -> str:
    """Set lines that one copies, as they are."""
    lines = text.rstrip("\n")
    return f"{_fixed(lines, 'box')}{text[len(lines) :]}"


def sheet(lines: Iterable[str], last: str) -> str:
    """Set the lines of an order sheet, and its last line."""
    return _fixed("\n".join([*(text_of(fold(line, 2)) for line in lines), f"  {last}"]), "sheet")


def _fixed(text: str, kind: str = "") -> str:
    shown = markup(textwrap.dedent(text))
    if not kind:
        return pair(text, f"<pre>{shown}</pre>")
    # Each line hangs, so that the rest of a broken comment does not look like an order.
    lines = "".join(f"<span>{line}</span>" for line in shown.splitlines(keepends=True))
    return pair(text, f'<pre class="{kind}">{lines}</pre>')


def instruct(text: str, indent: int = 0) -> str:
    """Set a paragraph in which no command in backquotes is cut in two: one copies it."""
    whole = re.sub(r"`[^`]*`", lambda command: command[0].replace(" ", _BLANK), text)
    return fill(whole, indent).replace(_BLANK, " ")


def fold(text: str | Drawn, indent: int = 0) -> str:
    """Set *text* line by line as it is, indented; only lines that are too long are folded."""
    if isinstance(text, Drawn):
        return pair(folded(text.text, indent), text.html)
    return _fixed(folded(text, indent))


def resealed(drawn: Drawn, seal: str) -> Drawn:
    """Return the words of an earlier letter with the seal of the letter that repeats it."""
    return Drawn(*(sheet_edits.resealed(half, seal) for half in (drawn.text, drawn.html)))


def folded(text: str, indent: int = 0) -> str:
    """Return the lines of *text* as text only, folded if they are too long."""
    lines = _plain(text).split("\n")
    if indent:
        lines = [" " * indent + line if line else "" for line in lines]
    if max(map(len, lines)) > WIDTH:
        lines = [_folded(line) for line in lines]
    return "\n".join(lines)


def press(text: str, indent: int = 0) -> str:
    """Set other people's words: every line has the mark of press, also when it is folded."""
    return _quoted(pressed(text, indent))


def pressed(text: str, indent: int = 0) -> str:
    """Return other people's words as text only, every line with the mark of press."""
    return folded(marked(_plain(text)), indent)


def _quoted(text: str) -> str:
    """Return lines that have the mark of press as a pair."""
    shown = _MARKED.sub(r"<span>\g<0></span>", markup(textwrap.dedent(text)))
    return pair(text, f'<pre class="press">{shown}</pre>')


def promised(line: str) -> str:
    """Set a line of a preview; a message below its first line is marked as press."""
    sentence, _, message = line.partition("\n")
    shown = fill(sentence, 2, 2)
    return f"{shown}\n{press(message, 4)}" if message else shown


def repeated(both: str) -> str:
    """Mark every line of a part that repeats an email as press is marked, so it is never read."""
    lines = text_of(both).split("\n")
    kept = (line if shows_press(line) else f"  {MARK} {line[2:]}".rstrip() for line in lines)
    return _quoted("\n".join(kept))


def set_in(drawn: Drawn) -> str:
    """Indent a drawn text by two blanks, unless that makes a line too long."""
    lines = _plain(drawn.text).split("\n")
    return fold(drawn, 2 if max(map(len, lines)) <= WIDTH - 2 else 0)


def ruled(order: RuledOrder) -> str:
    """Set an order and what it means."""
    return _labelled(_one_line(order.text), order.meaning)


def warned(order: RuledOrder) -> str:
    """Set an order with its place in the email, then the warning."""
    return _placed(order.line, order.text, order.warning)


def failed(order: OrderResult) -> str:
    """Set an order that failed and the reason."""
    return _labelled(_one_line(order.text), order.outcome)


def said(answer: CommandReply) -> str:
    """Set a command and the answer to it; an answer of several lines keeps them."""
    typed = _one_line(answer.text)
    head = fill(f"{_place(answer.line)}{typed}", 2, 2, typed) if answer.text else ""
    body = answer.answer.strip("\n")
    indent = 4 if head else 2
    body = fold(body, indent) if "\n" in body else fill(body, indent)
    return "\n".join(filter(None, (head, body)))


def fault(wrong: LineError) -> str:
    """Set a line that was rejected with its place in the email, then the reason and the fix."""
    text = " ".join(f"{wrong.reason} {wrong.advice}".split())
    first = text.partition(" ")[0]
    # An address keeps its small letters, and so does the name of a ship in the order.
    if "@" not in first and first not in wrong.text.split():
        text = text[:1].upper() + text[1:]
    return _to_send(_placed(wrong.line, _window(wrong.text, wrong.at), text), wrong)


_COUNTS_ONCE: Final = "The order counts once. Its copy stays on your sheet and does nothing."
_STAYS: Final = "The order stays on your sheet, and fails unless the position changes."


def rejected(wrong: LineError, filed: bool) -> str:
    """Set a rejected order, whether it is on the sheet, and the topic of HELP on its kind.

    *filed* means that the email filed its orders.
    """
    more = f"\n{fill(f'More: HELP {wrong.topic}', 4)}" if wrong.topic else ""
    return f"{_rejected(wrong, filed)}{more}"


def _rejected(wrong: LineError, filed: bool) -> str:
    if not filed:
        return fault(wrong)
    if wrong.filed:
        return f"{fault(wrong)}\n{fill(_COUNTS_ONCE if wrong.repeats else _STAYS, 4)}"
    return fault(replace(wrong, advice=f"{wrong.advice} Not on your sheet."))


def answered(
    done: Sequence[CommandReply], answers: Sequence[CommandReply], faults: Sequence[LineError]
) -> str:
    """Return the subject of answers to commands: ``not done: PRESS; done: EXTEND and 2 more``.

    A telephone shows only the beginning, so what was not done comes first. As many commands are
    named as fit; of the other groups only the number is left, and commands that were not done are
    named the longest.
    """
    groups: tuple[tuple[Sequence[CommandReply | LineError], str], ...] = (
        (faults, "not done"),
        ([reply for reply in done if reply.is_asked], "the GM decides"),
        ([reply for reply in done if not reply.is_asked], "done"),
        (answers, "answered"),
    )
    subject = ""
    for most in _MOST_NAMED:
        parts = (_group(*group, n) for group, n in zip(groups, most, strict=True))
        subject = "; ".join(filter(None, parts))
        if len(subject) <= _SUBJECT:
            break
    return subject or "about your email"


def _group(items: Sequence[CommandReply | LineError], word: str, most: int) -> str:
    """Return a group of commands for a subject line, with up to *most* of them by name."""
    names = [*dict.fromkeys(filter(None, map(_command, items)))]
    if not names:
        return f"{word}: your email" if items and word == "not done" else ""
    if not most:
        return f"{len(items)} {word}"
    more = f" and {len(names) - most} more" if len(names) > most else ""
    shown = _one_line(", ".join(name[:20] for name in names[:most]))
    return f"{'answer' if word == 'answered' else word}: {shown}{more}"


def _command(item: CommandReply | LineError) -> str:
    """Return the command in a line, or "": its first word, or two if one says too little.

    A part of the email that is no line has its own name.
    """
    if isinstance(item, UnreadPart):
        return item.text
    words = item.text.upper().split()
    is_pair = words[1:2] == ["OFF"] or (words[:1] and words[0] in _TWO_WORDS)
    return " ".join(words[: 2 if is_pair else 1]).rstrip(",;:.")


def first_fact(text: str) -> str:
    """Return the first sentence of *text* for a subject line, or "" if it is too long for one.

    Only names keep a capital at its beginning.
    """
    sentence = re.split(r"[.;:] ", " ".join(text.split()))[0].rstrip(".")
    if sentence.split(" ")[0] in _OPENERS:
        sentence = sentence[0].lower() + sentence[1:]
    return sentence if len(sentence) <= _SUBJECT else ""


def words(quoted: LineError) -> str:
    """Set a line of words: its place and what it says, and lines to send for the orders in it."""
    said = _window(quoted.text, 0)
    return _to_send(fill(f"{_place(quoted.line)}{said}", 2, 2, said), quoted)


def _to_send(said: str, wrong: LineError) -> str:
    lines = [fill(f"To order it, send: {line}", 4, 0, line) for line in wrong.to_send]
    if wrong.instead:
        lines += [fill("You can send this:", 4), boxed(textwrap.indent(wrong.instead, " " * 6))]
    return "\n".join((said, *lines))


def labelled(label: str, text: str) -> str:
    """Return ``label: text``, or only the label, as text; a long label gets its own line."""
    return text_of(_labelled(label, text))


def _labelled(label: str, text: str) -> str:
    text = " ".join(text.split())
    if not text:
        return fill(label, 2, 2, label)
    if len(label) > _LABEL:
        return f"{fill(label, 2, 2, label)}\n{fill(text, 4)}"
    return fill(f"{label}: {text}", 2, 2, label)


def _placed(line: int, typed: str, text: str) -> str:
    """Set the typed words under their place, and the sentences about them below, indented."""
    typed = _one_line(typed)
    if not typed:
        return fill(f"{_place(line)}{text}", 2, 2 if line else 0)
    return f"{fill(f'{_place(line)}{typed}', 2, 2, typed)}\n{fill(text, 4)}".rstrip()


def _place(line: int) -> str:
    return f"Line {line}: " if line else ""


def _window(typed: str, at: int) -> str:
    """Return the part of a long line around the place of the mistake."""
    is_printable = typed.isprintable()
    text = typed if is_printable else "".join(c if c.isprintable() else " " for c in typed)
    if len(text) <= _WINDOW:
        return text
    start = max(0, min(at, len(text)) - _WINDOW // 2)
    part = text[start : start + _WINDOW]
    return f"{'... ' if start else ''}{part}{' ...' if start + len(part) < len(text) else ''}"


def _one_line(text: str) -> str:
    return " ".join(_plain(text).split())


def _plain(text: str) -> str:
    """Return *text* without what would break its lines; a tab is a blank."""
    if text.replace("\n", "").isprintable():
        return text
    return _printable(text.replace("\r\n", "\n"), "\n")


def _folded(line: str) -> str:
    if len(line) <= WIDTH:
        return line
    words = line.strip()
    blanks = " " * min(len(line) - len(line.lstrip(" ")), WIDTH // 2)
    if not shows_press(words):
        return _fill(_clean(words), blanks, f"{blanks}  ", WIDTH)
    mark = f"{blanks}{MARK} "
    return _fill(_clean(words.removeprefix(MARK).strip()), mark, mark, WIDTH)


def _words(text: str) -> str:
    """Return *text* as one line, as a paragraph has it."""
    return _clean(" ".join(text.split()))


def _clean(text: str) -> str:
    """Return a line without what cannot be printed, or has the form of a token."""
    if not text.isprintable():
        text = _printable(text).strip()
    # A reply address must go before it is broken over lines.
    return without_tokens(text)


def _fill(text: str, first: str, later: str, width: int = _PROSE) -> str:
    """Fill a line of words."""
    # A narrow column at the right edge still gets room for a few words.
    width = min(WIDTH, max(width, len(later) + 24))
    # Nearly all there is to set fits into a line.
    if len(first) + len(text) <= width:
        return f"{first}{text}".rstrip()
    wrapped = textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_on_hyphens=False,
    )
    return "\n".join(line.rstrip() for line in wrapped) or first.rstrip()


def _printable(text: str, kept: str = "") -> str:
    """Return *text* with blanks for what cannot be printed, but for the *kept* characters.

    A zero-width joiner stays where it joins: in emoji, and in scripts such as Persian.
    """
    around = zip(f" {text}", text, f"{text[1:]} ", strict=False)
    return "".join(
        c
        if c.isprintable()
        or c in kept
        or (c in _JOINERS and not (before.isascii() or after.isascii()))
        else " "
        for before, c, after in around
    )
