"""The house rules mention every setting of a game, in words for a letter."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from referee.desk.base.loaded_games import choose, house_options
from referee.desk.games.house_rules import charter
from referee.domain.house_rules import HOUSE_OPTIONS
from referee.domain.press import PressRule, PressRules
from referee.letters.outgoing.notices import HouseRulesText
from referee.plugins import installed_rulesets
from referee.rules.ruleset import Option
from referee.store.models import Game, GameStatus

RULESETS = installed_rulesets()
INFO = RULESETS["starweb"].info
CHANGES: Mapping[str, object] = {
    "schedule": "weekdays 20:00 UTC",
    "grace_seconds": 7200,
    "bank_seconds": 86400,
    "extension_seconds": 3600,
    "reminders": [3600],
    "missed_limit": 3,
    "standby": False,
    "observers_behind": 3,
    "options": {"worlds": 60},
}
"""Settings of a GM that are not options, each with another value than below."""


def a_game(**changes: object) -> Game:
    values: dict[str, object] = {
        "name": "SW-1",
        "title": "",
        "options": {},
        "schedule": "5 days",
        "reminders": [259200, 10800],
        "grace_seconds": 0,
        "bank_seconds": 0,
        "extension_seconds": 604800,
        "missed_limit": 2,
        "standby": True,
        "observers_behind": None,
        "trust": "token",
        "status": GameStatus.FORMING,
        "press_rules": PressRules(PressRule.MET),
        "options_of_house": {},
        "rules_version": 1,
        "created_at": datetime(2026, 9, 1, 12, tzinfo=UTC),
    }
    return Game(**{**values, **changes})


def rules_of(**changes: object) -> HouseRulesText:
    return charter(INFO, a_game(**changes))


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_no_option_of_a_ruleset_is_called_as_one_of_the_house(key: str) -> None:
    ours = {option.name for option in HOUSE_OPTIONS}
    assert ours & {option.name for option in RULESETS[key].info.options} == set()


@pytest.mark.parametrize("option", HOUSE_OPTIONS, ids=lambda option: str(option.name))
def test_the_house_rules_show_every_house_option(option: Option) -> None:
    known = (True, False) if option.kind is bool else option.choices or (option.highest,)
    others = [choice for choice in known if choice != option.default]
    assert others
    for value in others:
        game = a_game()
        choose(game, {option.name: value})
        assert house_options(game)[option.name] == value
        assert charter(INFO, game).chapters != rules_of().chapters


@pytest.mark.parametrize("name", CHANGES)
def test_the_house_rules_show_every_other_setting_of_a_gm(name: str) -> None:
    assert rules_of(**{name: CHANGES[name]}).chapters != rules_of().chapters


@pytest.mark.parametrize(
    "rules",
    [
        PressRules(PressRule.NONE),
        PressRules(PressRule.ALL),
        PressRules(PressRule.MET, anonymous=False),
        PressRules(PressRule.MET, at_once=True),
        PressRules(PressRule.MET, broadcast=False),
        PressRules(PressRule.MET, limit=5),
    ],
)
def test_the_house_rules_show_every_press_rule(rules: PressRules) -> None:
    assert rules_of(press_rules=rules).chapters != rules_of().chapters


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_the_house_rules_of_every_ruleset_are_sentences(key: str) -> None:
    info = RULESETS[key].info
    defaults = {option.name: option.default for option in info.options}
    for chapter in charter(info, a_game(options=defaults)).chapters:
        assert chapter.title.isupper()
        assert [line for line in chapter.lines if not line.endswith((".", "!"))] == []


@pytest.mark.parametrize(
    ("schedule", "due", "promise"),
    [
        ("5 days", "every 5 days", "3 days, 1 day and 3 hours"),
        ("1 day", "every day", "3 hours"),
        ("3 hours", "every 3 hours", ""),
        ("2 hours, in orders 2 days", "every 2 hours, in orders 2 days", "1 day and 3 hours"),
        ("daily 20:00 UTC", "daily 20:00 UTC", "3 hours"),
        ("weekdays 20:00 UTC", "on weekdays 20:00 UTC", "1 day and 3 hours"),
        (
            "every second Friday 18:00 UTC",
            "every second Friday 18:00 UTC",
            "3 days, 1 day and 3 hours",
        ),
    ],
)
def test_only_reminders_that_are_shorter_than_a_turn_are_promised(
    schedule: str, due: str, promise: str
) -> None:
    rules = rules_of(schedule=schedule, reminders=[259200, 86400, 10800])
    (lines,) = [chapter.lines for chapter in rules.chapters if chapter.title == "DEADLINES"]
    assert lines[0] == f"Turns are due {due}."
    reminding = f"We remind you {promise} before the deadline if your orders are missing."
    assert [line for line in lines if "remind" in line] == ([reminding] if promise else [])
