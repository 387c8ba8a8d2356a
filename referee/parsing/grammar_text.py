"""The text of a grammar from a file or a string, for the parser and the help page."""

from functools import cache

from referee.resources import folder, located


def names_file(source: str) -> bool:
    """Return whether ``Grammar.source`` names a file; otherwise it is the text itself."""
    return source.endswith(".lark") and "\n" not in source


@cache
def grammar_text(source: str) -> str:
    """Return the Lark text of ``Grammar.source``, which names a file or is the text itself.

    Raises OSError or ImportError if the file or its package is missing, ValueError if it is outside
    its folder.
    """
    if names_file(source):
        return located(source, folder("grammars")).read_text(encoding="utf-8")
    return source
