"""The files of golden games, whose parts can be joined and split again without a change."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.testing import golden
from referee.testing.golden import Played, join, split, stored_sheets

HEADINGS = st.from_regex(r"[a-zA-Z ]{1,12}", fullmatch=True)
CONTENTS = st.text(alphabet="=[] a\n\r\x85\u2028")
TURN = Played(7, {"ALMA": "News\n", "BRUNO": "\n"}, {"ALMA": "W1B2T\nF1W2\n", "BRUNO": "H7"})


@given(st.dictionaries(HEADINGS, CONTENTS))
def test_parts_are_split_unchanged_or_rejected(parts: dict[str, str]) -> None:
    if any(line.startswith("=== ") for content in parts.values() for line in content.split("\n")):
        with pytest.raises(ValueError, match="begins like a heading"):
            join(parts)
    else:
        assert split(join(parts)) == parts


@pytest.mark.parametrize("content", ["=== orders", "News\n=== report ALMA\n"])
def test_a_line_like_a_heading_is_rejected(content: str) -> None:
    with pytest.raises(ValueError, match="a line of the report BRUNO begins like a heading"):
        join({"report BRUNO": content})


def test_a_sheet_with_a_name_in_brackets_is_rejected() -> None:
    with pytest.raises(ValueError, match="a line of the sheet of ALMA is in brackets"):
        Played(1, {}, {"ALMA": "H7\n[BRUNO]\nH8"}).parts()


def test_a_turn_is_one_file(tmp_path: Path) -> None:
    golden.keep(tmp_path, golden.files([TURN]))
    assert golden.kept(tmp_path) == {
        "turn-07.txt": "=== report ALMA\nNews\n\n=== report BRUNO\n\n\n"
        "=== orders\n[ALMA]\nW1B2T\nF1W2\n\n[BRUNO]\nH7\n"
    }


def test_a_game_kept_by_several_programs_is_kept_once(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    written = [{f"turn-{number:02}.txt": str(who) for number in range(9)} for who in range(6)]
    with ThreadPoolExecutor(len(written)) as pool:
        list(pool.map(lambda each: golden.keep(folder, each), written * 5))
    assert golden.kept(folder) in written
    assert [*tmp_path.iterdir()] == [folder]


def test_a_game_that_cannot_be_written_whole_leaves_the_old_files(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    golden.keep(folder, {"turn-01.txt": "old"})
    with pytest.raises(OSError, match="Is a directory"):
        golden.keep(folder, {"turn-01.txt": "new", "deep/turn-02.txt": "", "deep": ""})
    assert golden.kept(folder) == {"turn-01.txt": "old"}
    assert [*tmp_path.iterdir()] == [folder]


def test_the_sheets_of_a_file_are_those_that_were_sent(tmp_path: Path) -> None:
    golden.keep(tmp_path, golden.files([TURN]))
    write = stored_sheets(tmp_path)
    assert [write(7, name, "") for name in ("ALMA", "BRUNO", "CHLOE")] == [
        *TURN.sheets.values(),
        "",
    ]


def test_the_standings_end_the_last_file() -> None:
    last = Played(8, {"ALMA": "You have won.\n"}, {}, standing="1. ALMA\n")
    assert split(join(last.parts())) == {
        "report ALMA": "You have won.\n",
        "standing": "1. ALMA\n",
    }
