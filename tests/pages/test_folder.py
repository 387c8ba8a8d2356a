"""The folder of the pages: whole files, none of anybody else, and nothing old."""

import os
from pathlib import Path

import pytest

from referee.errors import ResourceError
from referee.pages.document import PageFile
from referee.pages.folder import BEGUN, LIST, PageFolder, open_folder


def put(folder: PageFolder, name: str, mark: str, *paths: str) -> None:
    for path in paths:
        folder.write(PageFile(path, path.encode()))
    folder.keep(name, mark, paths)


def files(place: Path) -> list[str]:
    return sorted(str(file.relative_to(place)) for file in place.rglob("*") if file.is_file())


def test_everyone_can_read_the_pages_whatever_the_service_may_do(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        put(open_folder(tmp_path), "sw-1", "a", "sw-1/index.html")
    finally:
        os.umask(before)
    modes = {
        name: (tmp_path / name).stat().st_mode & 0o777 for name in ("sw-1", "sw-1/index.html", LIST)
    }
    assert modes == {"sw-1": 0o755, "sw-1/index.html": 0o644, LIST: 0o600}


def test_old_files_go_and_those_of_others_stay(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text("User-agent: *")
    folder = open_folder(tmp_path)
    put(folder, "sw-1", "a", "sw-1/index.html", "sw-1/turn-1.html")
    put(folder, "sw-2", "a", "sw-2/index.html")
    (tmp_path / "sw-2" / "notes.txt").write_text("mine")

    again = open_folder(tmp_path)
    assert again.is_current("sw-1", "a")
    assert not again.is_current("sw-1", "b")
    put(again, "sw-1", "b", "sw-1/index.html")
    again.remove("sw-2")
    assert files(tmp_path) == [LIST, "robots.txt", "sw-1/index.html", "sw-2/notes.txt"]
    again.remove("sw-1")
    assert not (tmp_path / "sw-1").exists()
    assert open_folder(tmp_path).parts == {}


def test_a_part_is_written_again_if_a_file_is_gone(tmp_path: Path) -> None:
    folder = open_folder(tmp_path)
    put(folder, "sw-1", "a", "sw-1/index.html")
    (tmp_path / "sw-1" / "index.html").unlink()
    assert not open_folder(tmp_path).is_current("sw-1", "a")


def test_a_file_that_is_the_same_is_not_written_again(tmp_path: Path) -> None:
    folder = open_folder(tmp_path)
    put(folder, "index", "", "index.html")
    before = (tmp_path / "index.html").stat().st_mtime_ns
    put(folder, "index", "", "index.html")
    assert (tmp_path / "index.html").stat().st_mtime_ns == before


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    folder = open_folder(tmp_path)
    folder.write(PageFile("index.html", b"old"))
    with (tmp_path / "index.html").open("rb") as reader:
        # What an interrupted draft left does no harm.
        (tmp_path / ".index.html.new").write_bytes(b"half of a draft")
        folder.write(PageFile("index.html", b"new"))
        # A reader of the old page reads it to its end.
        assert reader.read() == b"old"
    assert (tmp_path / "index.html").read_bytes() == b"new"
    assert files(tmp_path) == [BEGUN, "index.html"]


def test_a_folder_with_pages_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("my home page")
    with pytest.raises(ResourceError, match="has not written"):
        open_folder(tmp_path)


@pytest.mark.parametrize(
    "told", ["", "[]", '{"sw-1": {}}', '{"sw-1": {"mark": "", "files": ["../../etc/passwd"]}}']
)
def test_a_damaged_list_is_refused(tmp_path: Path, told: str) -> None:
    (tmp_path / LIST).write_text(told)
    with pytest.raises(ResourceError, match="damaged"):
        open_folder(tmp_path)


@pytest.mark.parametrize("path", ["games.xml", "sw-1/index.html"])
def test_a_file_of_somebody_else_is_not_overwritten(tmp_path: Path, path: str) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text("mine")
    with pytest.raises(ResourceError, match="has not written"):
        open_folder(tmp_path).write(PageFile(path, b"ours"))
    assert (tmp_path / path).read_text() == "mine"


def test_nothing_is_written_or_deleted_behind_a_link(tmp_path: Path) -> None:
    place, outside = tmp_path / "pages", tmp_path / "outside"
    outside.mkdir()
    folder = open_folder(place)
    (place / "sw-1").symlink_to(outside)
    with pytest.raises(ResourceError, match="has not written"):
        folder.write(PageFile("sw-1/index.html", b"ours"))
    put(folder, "sw-2", "a", "sw-2/index.html")
    (place / "sw-2").rename(tmp_path / "moved")
    (place / "sw-2").symlink_to(tmp_path / "moved")
    open_folder(place).remove("sw-2")
    assert (tmp_path / "moved" / "index.html").exists()


def test_files_of_an_interrupted_writing_are_known_and_go(tmp_path: Path) -> None:
    open_folder(tmp_path).write(PageFile("sw-1/index.html", b"half of a game"))
    again = open_folder(tmp_path)
    assert not again.is_current("sw-1", "a")
    again.remove("sw-1")
    assert files(tmp_path) == [LIST]


def test_two_programs_can_write_the_same_pages(tmp_path: Path) -> None:
    one, other = open_folder(tmp_path), open_folder(tmp_path)
    one.write(PageFile("sw-1/index.html", b"page"))
    put(other, "sw-1", "a", "sw-1/index.html", "sw-1/turn-1.html")
    one.write(PageFile("sw-1/turn-1.html", b"page"))
    assert files(tmp_path).count("sw-1/turn-1.html") == 1
