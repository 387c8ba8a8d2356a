"""One word for each thing: no term of the glossary is explained twice."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_glossary_explains_no_term_twice() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = Counter(re.findall(r"^- \*\*(.+?)\*\*", glossary, re.MULTILINE))
    assert [term for term, times in terms.items() if times > 1] == []
