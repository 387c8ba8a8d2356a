"""Which commands merely ask, and which do something and so wait for belief and no CHECK."""

import inspect
from collections.abc import Iterable
from types import ModuleType

import pytest

from referee.desk.reception import execution, player_commands
from referee.desk.reception import gm_commands as moderation
from referee.domain import commands, gm_commands
from referee.domain.commands import Command


def classes(module: ModuleType) -> list[type[Command]]:
    found = [each for _, each in inspect.getmembers(module, inspect.isclass)]
    return [
        each for each in found if issubclass(each, Command) and each.__module__ == module.__name__
    ]


ALL = frozenset((*classes(commands), *classes(gm_commands))) - {Command, commands.Setting}
ASK = """
    Add Check Confirm CountOrders Help History ListGames ShowMap ShowOrders ShowPlayers
    ShowReport ShowRules ShowSettings ShowStandby ShowStanding Status
    Export Preview Replay ShowAudit ShowObservers ShowPool ShowQuarantine ShowReportOf ShowSheets
"""
BIND = """
    Absent Broadcast Cancel Clear DropDeputy Final Hold NameDeputy NoAbsence NoStanding Observe
    Recall Resign Resume SetAddress SetAttachments SetDigest SetFormat SetName SetQuiet
    SetReminders SetSchedule SetSecondAddress SetZone Start TakeOver Undo Vote Wait
"""
FOR_HIMSELF = frozenset(("Create", "Decline", "Join", "StandBy", "StandDown", "StopObserving"))


def called(kinds: Iterable[type[Command]]) -> set[str]:
    return {kind.__name__ for kind in kinds}


def test_every_command_is_a_question_or_not() -> None:
    assert called(player_commands.QUESTIONS) == set(ASK.split())
    doing = called(classes(commands)) - called(player_commands.QUESTIONS) - {"Command", "Setting"}
    assert doing == FOR_HIMSELF | set(BIND.split())


def test_no_question_is_of_consequence() -> None:
    assert not set(player_commands.QUESTIONS) & set(moderation.CONSEQUENTIAL)
    assert set(moderation.INSPECTIONS) <= set(player_commands.QUESTIONS)


def test_every_command_has_its_use_case() -> None:
    tables = (
        player_commands.PUBLIC,
        player_commands.SEATED,
        moderation.CONSEQUENTIAL,
        moderation.INSPECTIONS,
    )
    answered: set[type[Command]] = {kind for table in tables for kind in table}
    on_the_sheet = {*execution.SAID_BY_SHEET, commands.Cancel, commands.Create}
    assert set() == ALL - answered - on_the_sheet


@pytest.mark.parametrize("kind", sorted(ALL, key=str))
def test_what_binds_is_no_question(kind: type[Command]) -> None:
    command = object.__new__(kind)
    assert player_commands.binds(command) == (
        not player_commands.is_question(command) and kind.__name__ not in FOR_HIMSELF
    )
