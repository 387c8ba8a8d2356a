"""``python -m tests.support.same_sql`` writes SAME_SQL of tests/test_conversations.py anew.

It plays all conversations, which takes some minutes, and lists those whose SQL others have.
"""

import re
import tempfile
import textwrap
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine, event

from referee.testing.conversation import Conversation
from tests.support.databases import Files
from tests.support.rulesets import RULESETS

_FOLDER: Final = Path(__file__).parents[1] / "conversations"
_COLUMNS: Final = re.compile(
    r"(UPDATE \w+|INSERT INTO \w+) (?:SET (.*?) (WHERE .*)|\((.*?)\))", re.S
)


def parts(statement: str) -> Iterator[str]:
    """Yield what a database does not know from other statements: its form, or each column set."""
    changing = _COLUMNS.match(statement)
    if changing is None:
        yield re.sub(r"\(\?(?:, \?)*\)", "(?)", statement)
        return
    table, columns, condition, inserted = changing.groups()
    yield f"{table} {condition}"
    for column in (columns or inserted).split(", "):
        yield f"{table} {column}"


def played(file: Path) -> tuple[float, frozenset[str]]:
    """Return the processor seconds of a conversation, and the parts of its SQL."""
    heard = set[str]()

    def hear(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        heard.add(statement)

    event.listen(Engine, "before_cursor_execute", hear)
    begun = time.process_time()
    with closing(Conversation(RULESETS)) as talk:
        talk.run(file.read_text(encoding="utf-8"))
    event.remove(Engine, "before_cursor_execute", hear)
    known = {part for each in heard for part in parts(each)}
    return time.process_time() - begun, frozenset(known)


def fewest(talks: Mapping[str, tuple[float, frozenset[str]]]) -> list[str]:
    """Return conversations that have all parts, each with the most new ones for its time."""
    left, chosen = set[str]().union(*(known for _, known in talks.values())), list[str]()
    while left:
        best = max(talks, key=lambda name: len(talks[name][1] & left) / (talks[name][0] + 0.05))
        left -= talks[best][1]
        chosen.append(best)
    # What the first ones had, later ones can have, too.
    for name in sorted(chosen, key=lambda name: -talks[name][0]):
        others = set[str]().union(*(talks[each][1] for each in chosen if each != name))
        if talks[name][1] <= others:
            chosen.remove(name)
    return chosen


def main() -> None:
    """Print the names, in lines as long as there."""
    with tempfile.TemporaryDirectory() as folder:
        files = Files(Path(folder))
        # The first store draws the tables.
        files.in_memory().close()
        Conversation.new_store = staticmethod(files.in_memory)
        talks = {file.stem: played(file) for file in sorted(_FOLDER.glob("*.txt"))}
    repeated = sorted({*talks} - {*fewest(talks)})
    print(textwrap.fill(" ".join(repeated), 100, break_on_hyphens=False))  # noqa: T201


if __name__ == "__main__":
    main()
