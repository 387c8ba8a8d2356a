"""The table of commands agrees with the lists there were before it."""

from referee.desk.orders import deputy_rights
from referee.desk.reception import execution, gm_commands, player_commands
from referee.desk.reception.commands import BINDING, COMMANDS, OF_DEPUTIES, Effect, For
from referee.domain import commands as c


def having(*effects: Effect) -> set[type[c.Command]]:
    return {entry.command for entry in COMMANDS.values() if entry.effect in effects}


def test_the_table_does_what_the_lists_did() -> None:
    done = {
        **player_commands.PUBLIC,
        **player_commands.SEATED,
        **gm_commands.INSPECTIONS,
        **{kind: each.deed for kind, each in gm_commands.CONSEQUENTIAL.items()},
        c.Create: gm_commands.create,
    }
    on_sheet = {*execution.SAID_BY_SHEET, c.Cancel}
    assert set(COMMANDS) == {*done, *on_sheet}
    assert {k: e.run for k, e in COMMANDS.items() if k not in on_sheet} == done


def test_the_table_shows_what_the_lists_showed() -> None:
    previews = {kind: each.preview for kind, each in gm_commands.CONSEQUENTIAL.items()}
    held = {k: e.preview for k, e in COMMANDS.items() if e.effect is Effect.CONFIRMED}
    assert held == previews


def test_the_effects_are_those_of_the_lists() -> None:
    assert having(Effect.ASKS, Effect.READS) == set(player_commands.QUESTIONS)
    assert having(Effect.OWN) == set(player_commands._FOR_HIMSELF)
    assert having(Effect.READS) == set(execution.SAID_BY_SHEET)
    assert having(Effect.CONFIRMED) == set(gm_commands.CONSEQUENTIAL)
    assert having(Effect.SETS) == {kind for kind in COMMANDS if issubclass(kind, c.Setting)}
    binding = {kind for kind in COMMANDS if player_commands.binds(object.__new__(kind))}
    assert having(*BINDING) == binding


def test_who_may_send_a_command_is_as_in_the_lists() -> None:
    by_gms = {entry.command for entry in COMMANDS.values() if entry.who is For.GM}
    assert set(OF_DEPUTIES) == set(deputy_rights._ALLOWED)
    assert by_gms >= set(gm_commands.INSPECTIONS)
    anybody = {entry.command for entry in COMMANDS.values() if For.ANYONE in entry.who}
    assert anybody == {*player_commands.PUBLIC, c.Create, c.Confirm, c.TakeOver, c.Observe}
