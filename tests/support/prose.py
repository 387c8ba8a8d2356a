"""Checks of our own prose: words and phrases that plain English avoids, and the form of letters.

Prose is also in the comments of conversations and of TOML files, in the names of scenarios, and in
the names of tests.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PHRASES: Final = {
    "pronoun": r"(?i)\b(he|him|his|himself)\b",
    "who as subject": r"(?:^|[.;:] )(?:Whoever|Who)\b(?!.*\?)(?! [a-z]+ed by\b)",
    "no more": (
        r"(?i)\b(?:is|are|was|counts?|waits?|has|have|do|does) (?:\w+ )?no more(?= ?[.,;:]| ?$)"
        r"|\b(?:no|nobody|nor|not|nothing|never) (?:[\w']+ ){0,6}any more\b"
    ),
    "must follow": (
        r"(?i)\bmust follow\b|\bthere is no (?:word|such word)\b"
        r"|\bis no (?:order|command|day|file|address|name)\b"
    ),
    "stands": (
        r"(?i)\b(?:that|it|order|orders|which|what) stands?\b(?! for)"
        r"|\bstands? (?:in|on|there|here|above|below)\b"
    ),
    "archaic": (
        r"(?i)\b(?:beside|anybody's|nobody's|so much as|of late|be had"  # voice: ok
        r"|comes? to pass|let go|mend(?:s|ed)?|ails?)\b"  # voice: ok
    ),
    "told": r"(?i)\b(?:is|are) told\b|\btells? (?:once|that|how|what|whether|of)\b",
    "look whether": r"(?i)\b(?:look|see|say|know|tell) whether\b",
}
FIRST_WORDS: Final = {
    "Give",
    "Say",
    "Let",
    "Tell",
    "Note",
    "Lay",
    "Part",
    "Have",
    "Raises",
    "Gives",
}
"""With these no docstring of a function begins: it says what it returns or does (PEP 257)."""
NAMELESS: Final = re.compile(
    r"(?:What|It|Which)\b|[A-Z]\w+\s+(?:what|it|which)\b"
    r"|(?:Return|Yield)\s+that\b|(?:Return\s+w|W)hether\s+(?:it|that)\b"
)
"""With these no docstring of the program begins, not even of an attribute: it names its thing."""
_COMMENTED: Final = {".toml", ".txt"}
"""Files of data whose prose is in their comments."""
_IN_DATA: Final = re.compile(r'# (.*)|name = "(.*)"|[^#]*[\["{,\]}] *# (.*)')
_EXEMPT: Final = "voice: ok"
_SENTENCE: Final = 25
"""The most words of a sentence in a letter."""
_COMMENT = re.compile(r"(?:^\s*+|  )#(.*)")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def faults(path: Path) -> Iterator[str]:
    """Yield each violation in a file as ``line: name: excerpt``."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, text, is_function in _pieces(path, lines):
        if lines[number - 1 : number] and lines[number - 1].endswith(_EXEMPT):
            continue
        flat = " ".join(text.split())
        if is_function and flat.split(" ", 1)[0] in FIRST_WORDS:
            yield f"{number}: first word: {flat[:60]}"
        for name, pattern in PHRASES.items():
            for hit in re.finditer(pattern, flat):
                yield f"{number}: {name}: {flat[max(0, hit.start() - 20) : hit.end() + 20]}"


def nameless(tree: ast.Module) -> Iterator[str]:
    """Yield each docstring of a module that does not name its thing, as ``faults`` does."""
    for node in _statements(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))) if NAMELESS.match(text):
                yield f"{node.lineno}: nameless: {text[:60]}"


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements in a module or in a statement; expressions have no docstrings."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for each in getattr(node, name, ()):
            yield each
            yield from _statements(each)


def _pieces(path: Path, lines: list[str]) -> Iterator[tuple[int, str, bool]]:
    """Yield the prose of a file: its line, its text, and whether the text is of a function."""
    if path.suffix == ".py":
        return _python(path)
    return _data(lines) if path.suffix in _COMMENTED else _text(path, lines)


def _data(lines: list[str]) -> Iterator[tuple[int, str, bool]]:
    """Yield the comments of conversations and TOML files, and the names of scenarios."""
    for number, line in enumerate(lines, 1):
        if found := _IN_DATA.match(line):
            yield number, _sentence(*found.groups("")), True


def _sentence(*parts: str) -> str:
    text = "".join(parts)
    return text[:1].upper() + text[1:]


def _text(path: Path, lines: list[str]) -> Iterator[tuple[int, str, bool]]:
    is_code = False
    for number, line in enumerate(lines, 1):
        is_code ^= line.startswith("```")
        if not is_code:
            # The words of a template are in its expressions, so only Markdown code is left out.
            yield number, line if path.suffix == ".j2" else re.sub(r"`[^`]*`", " X ", line), False


def _python(path: Path) -> Iterator[tuple[int, str, bool]]:
    source = path.read_text(encoding="utf-8")
    nodes = [*ast.walk(ast.parse(source))]
    docstrings, inside = set[int](), set[int]()
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and path.name.startswith("test_"):
            name = node.name.removeprefix("test_").replace("_", " ")
            yield node.lineno, _sentence(name), False
        if isinstance(node, _DOCUMENTED) and (text := ast.get_docstring(node)):
            docstrings.add(id(node.body[0].value))  # type: ignore[attr-defined]  # it is there
            yield node.body[0].lineno, text, isinstance(node, ast.FunctionDef)
        if isinstance(node, (ast.Constant, ast.JoinedStr)):
            inside.update(range(node.lineno, node.end_lineno or node.lineno))
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if id(node) not in docstrings and len(node.value.split()) >= 3:
            yield node.lineno, node.value, False
    # The form of comments is that of ruff: on a line of their own, or after two blanks.
    for number, line in enumerate(source.splitlines(), 1):
        if number not in inside and (found := _COMMENT.search(line)):
            yield number, found[1].lstrip("# "), False


def letter_faults(subject: str, text: str) -> Iterator[str]:
    """Yield what is wrong with the form of a letter: for a phone, and for a screen reader."""
    fact = re.sub(r"^(Re: )?(\[[^\]]*\] )?", "", subject)
    if len(fact) > 60:
        yield f"the subject has {len(fact)} characters after the tag"
    lead, marker, _ = text.partition("\n--- Reply above this line ---")
    if marker and len(lead.strip().splitlines()) > 4:
        yield f"{len(lead.strip().splitlines())} lines above the marker"
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > 78:
            yield f"line {number}: {len(line)} columns"
        # The numbers of a game's printout have columns, words have none.
        if re.search(r"[A-Za-z.,;] {3,}[A-Za-z]", line) and "#" not in line:
            yield f"line {number}: aligned columns"
        if re.fullmatch(r"\s*\^.*", line) or re.search(r"(?:- ){5,}", line):
            yield f"line {number}: noise for a screen reader"
    yield from _long_sentences(text)


def _long_sentences(text: str) -> Iterator[str]:
    prose = re.sub(r"(?m)^\s*(W\d+ \(|F\d+\[|#|Game ).*$", "", text)
    # A heading ends a sentence.
    prose = re.sub(r"(?m)^( *[A-Z][A-Z ,0-9()-]+)$", r"\1.", prose)
    for sentence in re.split(r"(?<=[.?!:])\s+|\n\n", prose):
        words = sentence.split()
        if len(words) > _SENTENCE:
            yield f"a sentence of {len(words)} words: {' '.join(words)[:50]}"
