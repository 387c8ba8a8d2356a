"""A fresh file: nothing that another user put in its place is written to."""

import os
from pathlib import Path

import pytest

from referee.cli.game_files import write_private
from referee.errors import ResourceError
from referee.fresh_file import fresh_file, written_anew


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("of another user")
    (tmp_path / "file").symlink_to(other)
    write_private(tmp_path / "file", b"secret")
    assert other.read_text() == "of another user"
    assert not (tmp_path / "file").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"secret"
    assert names(tmp_path) == ["file", "other"]


def test_a_file_that_another_user_holds_open_gets_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch(0o666)
    with file.open("rb") as reader:
        write_private(file, b"secret")
        assert reader.read() == b""
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "file")
    write_private(tmp_path / "file", b"secret")
    assert (tmp_path / "file").read_bytes() == b"secret"


def test_after_an_error_there_is_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    with pytest.raises(TypeError), fresh_file(tmp_path / "file") as writer:
        writer.writelines([b"half", None])  # type: ignore[list-item]  # the error of the test
    assert (tmp_path / "file").read_text() == "old"
    assert names(tmp_path) == ["file"]


def test_an_existing_file_stays_if_nothing_is_to_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    with (
        pytest.raises(FileExistsError),
        fresh_file(tmp_path / "file", replaces=False) as writer,
    ):
        writer.write(b"new")
    assert (tmp_path / "file").read_text() == "old"
    assert names(tmp_path) == ["file"]


def test_a_device_is_written_to() -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as pipe:
        write_private(Path(f"/dev/fd/{writer}"), b"secret")
        os.close(writer)
        assert pipe.read() == b"secret"


def test_a_folder_in_its_place_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be written"):
        write_private(tmp_path, b"secret")


def test_a_draft_of_another_user_is_not_written_to(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("of another user")
    (tmp_path / "draft").hardlink_to(other)
    with written_anew(tmp_path / "draft") as writer:
        writer.write(b"ours")
    assert other.read_text() == "of another user"
