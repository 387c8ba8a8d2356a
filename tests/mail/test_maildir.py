"""Maildirs: letters are read, moved and delivered without duplicates."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.domain.mail_transfer import BEGINNING_OCTETS, MOST_OCTETS, Delivery, IncomingMail
from referee.errors import OverQuota, StoreBusy
from referee.mail.maildir import MaildirSender, MaildirSource
from tests.mail.samples import NOW, RAW, clock, letter


@pytest.fixture
def box(tmp_path: Path) -> Path:
    for folder in ("tmp", "new", "cur"):
        (tmp_path / folder).mkdir()
    return tmp_path


def put(box: Path, name: str, raw: bytes = RAW, age: timedelta = timedelta()) -> Path:
    file = box / "new" / name
    file.write_bytes(raw)
    moment = (NOW - age).timestamp()
    os.utime(file, (moment, moment))
    return file


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_letters_are_taken_in_order_and_then_moved(box: Path) -> None:
    put(box, "2.b.host", b"second")
    put(box, "1.a.host", b"first")
    arrivals: list[IncomingMail] = []
    assert MaildirSource("orders", box).take(arrivals.extend, clock) == 2
    assert [(a.source, a.source_id, a.raw) for a in arrivals] == [
        ("maildir:orders", "1.a.host", b"first"),
        ("maildir:orders", "2.b.host", b"second"),
    ]
    assert names(box / "new") == []
    assert names(box / "cur") == ["1.a.host:2,", "2.b.host:2,"]
    assert MaildirSource("orders", box).take(arrivals.extend, clock) == 0


def test_new_mail_is_noticed_without_a_look_at_it(box: Path) -> None:
    source = MaildirSource("orders", box)
    put(box, "1.host")
    assert source.has_mail()
    source.take(lambda _: None, lambda: NOW)
    # The move of the letter has changed the folder, and is looked at once.
    assert source.take(lambda _: None, lambda: NOW) == 0
    assert not source.has_mail()
    put(box, "2.host")
    assert source.has_mail()
    assert not MaildirSource("none", box / "none").has_mail()


def test_a_letter_is_accepted_before_it_is_moved(box: Path) -> None:
    file = put(box, "1.a.host")
    seen: list[bool] = []
    MaildirSource("orders", box).take(lambda arrivals: seen.append(file.exists()), clock)
    assert seen == [True]


def test_a_letter_over_a_quota_stays_and_is_tried_again_after_an_hour(box: Path) -> None:
    for name in "abcde":
        put(box, name, name.encode())
    quota, taken = {b"b", b"d"}, list[bytes]()

    def accept(arrivals: Sequence[IncomingMail]) -> None:
        if any(arrival.raw in quota for arrival in arrivals):
            raise OverQuota()
        taken.extend(arrival.raw for arrival in arrivals)

    source = MaildirSource("orders", box)
    assert source.take(accept, clock) == 3
    assert taken == [b"a", b"c", b"e"]
    assert names(box / "new") == ["b", "d"]
    quota.clear()
    assert source.take(accept, clock) == 0
    assert source.take(accept, lambda: NOW + timedelta(hours=1)) == 2
    assert names(box / "new") == []


def test_a_letter_that_could_not_be_committed_stays_for_the_next_time(box: Path) -> None:
    put(box, "1.a.host")

    def accept(arrivals: Sequence[IncomingMail]) -> None:
        raise StoreBusy("locked")

    with pytest.raises(StoreBusy):
        MaildirSource("orders", box).take(accept, clock)
    assert names(box / "new") == ["1.a.host"]


def test_the_arrival_is_the_delivery_time_but_not_later_than_now(box: Path) -> None:
    put(box, "1.early", age=timedelta(hours=3))
    put(box, "2.future", age=timedelta(hours=-3))
    arrivals: list[IncomingMail] = []
    MaildirSource("orders", box).take(arrivals.extend, clock)
    assert [a.arrived_at for a in arrivals] == [NOW - timedelta(hours=3), NOW]
    assert arrivals[0].arrived_at == datetime(2026, 9, 17, 18, 4, tzinfo=UTC)


def test_an_unreadable_file_does_not_stop_the_others(box: Path) -> None:
    (box / "new" / "0.folder").mkdir()
    (box / "new" / "1.gone").symlink_to(box / "nowhere")
    secret = box.parent / "secret"
    secret.write_bytes(b"the key of the site")
    (box / "new" / "1.link").symlink_to(secret)
    put(box, "2.good")
    arrivals: list[IncomingMail] = []
    assert MaildirSource("orders", box).take(arrivals.extend, clock) == 1
    assert [a.source_id for a in arrivals] == ["2.good"]


def test_an_empty_pipe_does_not_stop_the_others(box: Path) -> None:
    os.mkfifo(box / "new" / "0.pipe")
    put(box, "1.good")
    arrivals: list[IncomingMail] = []
    assert MaildirSource("orders", box).take(arrivals.extend, clock) == 1


def test_a_huge_letter_is_cut(box: Path) -> None:
    put(box, "1.big", b"x" * 5000)
    arrivals: list[IncomingMail] = []
    MaildirSource("orders", box, size_limit=1000).take(arrivals.extend, clock)
    assert arrivals[0].raw == b"x" * 1000


def test_only_the_beginning_is_read_of_a_letter_that_is_too_big(box: Path) -> None:
    put(box, "1.big", b"x" * (MOST_OCTETS + 1))
    put(box, "2.most", b"x" * MOST_OCTETS)
    arrivals: list[IncomingMail] = []
    MaildirSource("orders", box).take(arrivals.extend, clock)
    sizes = [(len(arrival.raw), arrival.size) for arrival in arrivals]
    assert sizes == [(BEGINNING_OCTETS, MOST_OCTETS + 1), (MOST_OCTETS, 0)]


def test_a_name_of_any_bytes_becomes_text(box: Path) -> None:
    Path(os.fsdecode(os.fsencode(box / "new") + b"/1.\xff.host")).write_bytes(RAW)
    arrivals: list[IncomingMail] = []
    assert MaildirSource("orders", box).take(arrivals.extend, clock) == 1
    assert arrivals[0].source_id == "1.\\xff.host"


def test_a_missing_maildir_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        MaildirSource("orders", tmp_path / "nowhere").take(list[IncomingMail]().extend, clock)


def test_sent_letters_are_in_new_in_the_order_of_writing(tmp_path: Path) -> None:
    box = tmp_path / "sent"
    attempts = list(MaildirSender(box).send([letter(10, raw=b"ten"), letter(9, raw=b"nine")]))
    assert [attempt.delivery for attempt in attempts] == [Delivery.SENT, Delivery.SENT]
    assert [(box / "new" / n).read_bytes() for n in names(box / "new")] == [b"nine", b"ten"]
    assert names(box / "tmp") == []


def test_the_same_letter_again_is_the_same_file(box: Path) -> None:
    for _ in range(2):
        list(MaildirSender(box).send([letter(1)]))
    assert len(names(box / "new")) == 1


def test_a_letter_that_was_read_is_not_delivered_again(box: Path) -> None:
    list(MaildirSender(box).send([letter(1)]))
    (file,) = (box / "new").iterdir()
    file.rename(box / "cur" / f"{file.name}:2,S")
    (attempt,) = MaildirSender(box).send([letter(1)])
    assert attempt.delivery is Delivery.SENT
    assert names(box / "new") == []


def test_only_its_owner_can_read_a_maildir_that_the_referee_makes(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        list(MaildirSender(tmp_path / "sent").send([letter(1)]))
    finally:
        os.umask(before)
    folders = [tmp_path / "sent", *(tmp_path / "sent" / name for name in ("cur", "new", "tmp"))]
    assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o700] * 4


def test_a_maildir_that_others_can_read_stays_so(box: Path) -> None:
    box.chmod(0o750)
    list(MaildirSender(box).send([letter(1)]))
    assert box.stat().st_mode & 0o777 == 0o750


def test_a_draft_left_by_a_crash_is_overwritten(box: Path) -> None:
    list(MaildirSender(box).send([letter(1)]))
    (file,) = (box / "new").iterdir()
    (box / "tmp" / file.name).write_bytes(b"half")
    file.unlink()
    list(MaildirSender(box).send([letter(1)]))
    assert (box / "new" / file.name).read_bytes() == RAW
    assert names(box / "tmp") == []


def test_a_disk_failure_defers_a_letter(tmp_path: Path) -> None:
    (tmp_path / "sent").write_text("a file where the folder should be")
    (attempt,) = MaildirSender(tmp_path / "sent").send([letter(1)])
    assert attempt.delivery is Delivery.DEFERRED
    assert attempt.reason in ("File exists", "Not a directory")
