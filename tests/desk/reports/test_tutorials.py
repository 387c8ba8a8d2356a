"""The tutorials: played to their end with the orders that they ask for, and with other orders."""

import re
from collections.abc import Iterator
from contextlib import closing

import pytest

from referee.desk.base.tutorials import Exercise, Tutorial, tutorial_of
from referee.plugins import installed_rulesets
from referee.rules.extras import extras_of
from referee.testing.conversation import ADDRESS, Conversation
from referee.testing.correspondents import Correspondent, Received

GAMES = installed_rulesets()
TAUGHT = sorted(key for key, rules in GAMES.items() if extras_of(rules).tutorial)


@pytest.fixture
def talk() -> Iterator[Conversation]:
    with closing(Conversation(GAMES)) as conversation:
        yield conversation


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("key", TAUGHT)
def test_a_tutorial_is_played_to_its_end_with_the_orders_it_asks_for(
    talk: Conversation, key: str
) -> None:
    tutorial = _tutorial(key)
    # The second player and their robots get other names, but the same position.
    for name in ("frodo", "sam"):
        player = talk.person(f"{name}@shire.example")
        _write(talk, player, _play(key))
        for number, step in enumerate(tutorial.steps, start=1):
            report = _report(player, f"TUTORIAL {number} OF {len(tutorial.steps)}: {step.title}")
            asked = _asked(report)
            assert _joined(asked) == _joined([each for t in step.exercises for each in t.orders])
            if not asked:
                # The turn is resolved without the player.
                continue
            sheet = "\n".join(asked)
            answer = _write(talk, player, f"{sheet}\nFINAL\n", report)
            assert re.search(r"\] (\d+ orders? accepted \(#\d+\)|done: FINAL)$", answer.subject)
            said = _joined([_report(player).text])
            assert [t.done for t in step.exercises if _joined([t.done]) not in said] == []
        assert "YOU HAVE FINISHED THE TUTORIAL\n" in _report(player).text
        _write(talk, player, "FINAL\n", _report(player))
        assert "TUTORIAL" not in _report(player).text


@pytest.mark.slow
@pytest.mark.parametrize("key", TAUGHT)
def test_a_tutorial_without_orders_says_what_is_missing(talk: Conversation, key: str) -> None:
    player = talk.person("frodo@shire.example")
    _write(talk, player, _play(key))
    for step in _tutorial(key).steps:
        if not step.exercises:
            continue
        _check(talk, player, _report(player))
        _write(talk, player, "FINAL\n", _report(player))
        said = _joined([_report(player).text])
        assert [t.missing for t in step.exercises if _joined([t.missing]) not in said] == []
    assert "YOU HAVE FINISHED THE TUTORIAL\n" in _report(player).text


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("key", TAUGHT)
def test_a_tutorial_reacts_to_orders_of_other_lessons(talk: Conversation, key: str) -> None:
    player, tutorial = talk.person("frodo@shire.example"), _tutorial(key)
    _write(talk, player, _play(key))
    not_done = list[Exercise]()
    for step in tutorial.steps:
        if not step.exercises:
            continue
        report = _report(player)
        _check(talk, player, report)
        others = (each for other in tutorial.steps if other is not step for each in other.exercises)
        sheet = "\n".join(order for each in others for order in each.orders)
        _write(talk, player, f"{sheet}\n", report)
        _write(talk, player, "FINAL\n", report)
        said = _joined([_report(player).text])
        for each in step.exercises:
            possible = (each.done, each.missing, each.failed, "did not work. FAILED ORDERS below")
            assert any(_joined([one]) in said for one in possible), each.orders
        not_done += [each for each in step.exercises if _joined([each.done]) not in said]
    assert len(not_done) > 0
    assert "YOU HAVE FINISHED THE TUTORIAL\n" in _report(player).text


def _check(talk: Conversation, player: Correspondent, report: Received) -> None:
    """Check that the orders to try in a lesson can be sent as they are, whatever came before."""
    asked = _asked(report)
    answer = _write(talk, player, "CHECK\n{}\n".format("\n".join(asked)), report)
    assert re.search(r"\] CHECK only: \d+ orders? accepted \(#\d+\)$", answer.subject), asked


def _tutorial(key: str) -> Tutorial:
    found = tutorial_of(GAMES[key])
    assert found is not None
    return found


def _play(key: str) -> str:
    return f"PLAY TUTORIAL {GAMES[key].info.title.upper()}\n"


def _joined(lines: list[str]) -> str:
    """Return the words of *lines* with single blanks."""
    return " ".join(" ".join(lines).split())


def _asked(report: Received) -> list[str]:
    """Return the lines of orders that a lesson asks for."""
    _, _, part = report.text.partition("\nTRY THIS\n")
    part = part.partition("\n  Copy the orders ")[0]
    return [line[2:] for line in part.split("\n") if re.match(r"  \S", line)]


def _report(player: Correspondent, heading: str = "") -> Received:
    """Return the last report, or the last one with a lesson of that *heading*."""
    reports = (each for each in reversed(player.got) if "report" in each.subject)
    return next(each for each in reports if f"{heading.upper()}\n" in each.text)


def _write(
    talk: Conversation, player: Correspondent, body: str, answered: Received | None = None
) -> Received:
    before = len(player.got)
    if answered is None:
        talk.arrive(player.letter(ADDRESS, "", body, talk.now, {}))
    else:
        talk.arrive(player.reply(answered, body, talk.now, {}), answered.reply_to)
    return player.got[before]
