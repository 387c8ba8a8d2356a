"""What is read in a text, for tests that have it as a string."""

from collections.abc import Container

from referee.domain.effort import FREE, Effort
from referee.domain.mail_transfer import Line
from referee.letters.incoming import quoting, sheet_edits
from referee.letters.incoming.quoting import OwnText
from referee.letters.incoming.seen_lines import SeenLines
from referee.letters.incoming.sheet_edits import EditedSheet


def own_text(text: str, ours: str = "", effort: Effort = FREE) -> OwnText:
    """Return what the sender typed of a text that answers *ours*, if that is not empty."""
    return quoting.own_text(SeenLines.of(text), SeenLines.of(ours) if ours else None, effort)


def foreign_quotes(text: str, own: OwnText, ours: str, least: int = 1) -> list[Line]:
    """Return the quoted lines of a text that are not in *ours*."""
    return quoting.foreign_quotes(SeenLines.of(text), own, SeenLines.of(ours), least)


def edited(
    reply: str, ours: str, seal: str, typed: Container[int] = frozenset()
) -> EditedSheet | None:
    """Return the edited order sheet of *ours* in a reply."""
    return sheet_edits.edited(SeenLines.of(reply), SeenLines.of(ours), seal, typed)
