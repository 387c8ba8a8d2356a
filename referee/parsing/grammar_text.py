"""The text of a grammar, wherever its source says it is: for the parser and the help page."""

from functools import cache

from referee.resources import folder, located


@cache
def grammar_text(source: str) -> str:
    """Return the Lark text of ``Grammar.source``, which names a file or is the text itself.

    Raises OSError or ImportError if the file or its package is missing.
    """
    if source.endswith(".lark") and "\n" not in source:
        return located(source, folder("grammars")).read_text(encoding="utf-8")
    return source
