"""Diaries: their limits, long ones, and the secrets that are not kept in them."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import select

from referee.store.games.diaries import DiaryEntry
from tests.attacks.siege import FRODO, SAM, Siege


@pytest.fixture
def siege() -> Iterator[Siege]:
    with closing(Siege()) as siege:
        yield siege


def kept(siege: Siege) -> list[DiaryEntry]:
    with siege.store.read() as session:
        return list(session.scalars(select(DiaryEntry).order_by(DiaryEntry.id)))


def entry(text: str) -> str:
    return f"DIARY\n{text}\nEND\n"


def answer_to(siege: Siege, body: str) -> str:
    siege.reply(FRODO, body, "report")
    return " ".join(siege.last(FRODO).text.split())


@pytest.mark.slow
def test_a_diary_has_20_entries_in_a_turn(siege: Siege) -> None:
    body = "".join(entry(f"Note {number}.") for number in range(21))
    assert "A diary can have 20 entries in a turn, and yours has." in answer_to(siege, body)
    assert [each.number for each in kept(siege)] == [*range(1, 21)]


@pytest.mark.slow
def test_an_entry_has_at_most_10_000_characters(siege: Siege) -> None:
    told = answer_to(siege, entry("x" * 60 + "\n" + "y " * 5000))
    assert "An entry can have at most 10000 characters. It was not kept." in told
    assert kept(siege) == []


def test_a_diary_has_50_kb_in_a_turn_and_each_player_their_own(siege: Siege) -> None:
    lines = "\n".join(["word " * 12] * 160)
    told = answer_to(siege, "".join(entry(f"{number}\n{lines}") for number in range(6)))
    assert "A diary can have 50 kB in a turn. With this entry, yours would have more" in told
    siege.reply(SAM, entry(lines), "report")
    assert [(each.seat_number, each.number) for each in kept(siege)] == [
        *((1, number) for number in range(1, 6)),
        (2, 1),
    ]


@pytest.mark.slow
def test_a_long_diary_is_attached(siege: Siege) -> None:
    lines = "\n".join(["word " * 12] * 160)
    for turn in range(3):
        answer_to(siege, "".join(entry(f"{turn} {number}\n{lines}") for number in range(4)))
        with siege.store.write() as session:
            for each in session.scalars(select(DiaryEntry)):
                each.turn += 1
    told = answer_to(siege, "DIARY")
    assert "Here is your diary of SW-1: 12 entries. It is long, so it is attached: " in told
    assert siege.last(FRODO).files == ("sw-1-diary.txt",)


def test_the_code_and_reply_addresses_are_not_kept(siege: Siege) -> None:
    address = siege.last(FRODO, "report").reply_to
    told = answer_to(siege, entry(f"I reply to {address}"))
    assert "Your entry was not kept, because it contains one of your reply addresses." in told
    assert kept(siege) == []


def test_an_address_in_from_keeps_nothing_and_decides_nothing(siege: Siege) -> None:
    siege.raw(f"From: {FRODO}\nSubject: SW-1\n\n{entry('Forged.')}SHARE PRESS YES\n")
    assert siege.last(FRODO).subject.endswith("confirm: SHARE PRESS, a diary entry")
    assert kept(siege) == []
