"""After a crash anywhere, nothing is lost or doubled, and every letter is answered.

By default every fourth, fifth or sixth point of a long way is tried, half of them in a run with few
examples; with ``FAULTS=all`` in the environment, all are.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from referee.testing.correspondents import Received
from tests.exactly_once.disturbing import Story
from tests.exactly_once.play import ANSWERS, FRODO, GM
from tests.support.examples import is_few

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sqlite("the points where its driver can be killed"),
]

ROOT = Path(__file__).parents[2]


def step(every: int) -> int:
    """Return the distance between the points that are tried."""
    if os.environ.get("FAULTS") == "all":
        return 1
    return every * 2 if every > 1 and is_few() else every


def told(way: str, folder: Path, every: int) -> Story:
    """Run one kind of crash test in its own process."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.exactly_once", way, folder, str(step(every))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Story(**json.loads(done.stdout))


def test_a_crash_at_any_point_changes_nothing(tmp_path: Path) -> None:
    story = told("maildir", tmp_path, every=5)
    letters = [Received(raw.encode()) for raw in story.sent]
    assert {n: c for n, c in Counter(x.message_id for x in letters).items() if c > 1} == {}
    answered = Counter(x.headers.get("In-Reply-To", "") for x in letters)
    assert {number: answered[number] for number in ANSWERS} == ANSWERS
    assert story.tried >= len(story.points) // step(5) > 10
    assert story.faults == []


def test_a_mail_server_gets_a_letter_again_only_if_its_result_is_unknown(tmp_path: Path) -> None:
    story = told("smtp", tmp_path, every=6)
    assert story.tried >= len(story.points) // step(6) > 10
    assert "smtplib.send a letter" in story.points
    assert story.faults == []


@pytest.mark.release
def test_a_careless_referee_is_detected(tmp_path: Path) -> None:
    story = told("forgetful", tmp_path, every=1)
    assert {fault.partition(": ")[2] for fault in story.faults} == {"other letters went out"}


@pytest.mark.release
def test_a_crash_in_the_first_start_changes_nothing(tmp_path: Path) -> None:
    story = told("from nothing", tmp_path, every=1)
    assert story.tried == len(story.points) > 4
    assert {"os.link", "commit"} <= set(story.points)
    assert story.faults == []


@pytest.mark.release
def test_a_crash_while_letters_are_fetched_changes_nothing(tmp_path: Path) -> None:
    story = told("imap", tmp_path, every=4)
    answered = Counter(Received(raw.encode()).headers.get("In-Reply-To") for raw in story.sent)
    assert [answered[f"<1.{address}>"] for address in (GM, FRODO)] == [1, 1]
    assert story.tried >= len(story.points) // step(4) > 3
    assert {"imaplib.send LOGIN", "imaplib.send UID MOVE", "commit"} <= set(story.points)
    assert story.faults == []
