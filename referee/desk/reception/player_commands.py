"""What players command: each command with the use case that answers it in a sentence or more."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from referee.desk.base.attachments import drawn
from referee.desk.base.outbox_writer import Slip, mailbox
from referee.desk.games import house_rules
from referee.desk.orders import deputy_rights, readiness, sheets, standing_orders
from referee.desk.orders.letter_context import Visit
from referee.desk.orders.sheets import open_sheet
from referee.desk.players import (
    address_changes,
    help_examples,
    history,
    player_list,
    player_settings,
    press,
    queries,
    undo,
    votes,
)
from referee.desk.players.help import help_on
from referee.desk.reception import gm_commands
from referee.desk.reports.report_formats import full_report
from referee.desk.seats import absences, observers, registration, standbys, takeover
from referee.desk.seats import deputies as deputizing
from referee.domain.commands import (
    Absent,
    Add,
    AttachmentKind,
    Check,
    Clear,
    Command,
    Confirm,
    CountOrders,
    Create,
    Decline,
    DropDeputy,
    Help,
    History,
    Join,
    ListGames,
    NoAbsence,
    NoStanding,
    Recall,
    ShowMap,
    ShowOrders,
    ShowPlayers,
    ShowReport,
    ShowRules,
    ShowSettings,
    ShowStandby,
    ShowStanding,
    StandBy,
    StandDown,
    Status,
    StopObserving,
    Undo,
    Vote,
    Wait,
)
from referee.domain.commands import (
    Final as FinalCommand,
)
from referee.domain.trust import Trust
from referee.letters.outgoing.notices import HelpPage, Map
from referee.reports.text import text
from referee.rules.ruleset import Mistake, Seat
from referee.store.games.games import seats_of


def answer_help(visit: Visit, command: Help) -> str:
    """HELP [topic]: the page is a letter of its own; HOUSE RULES are those of the letter's game."""
    topic = command.topic
    if topic.upper().split() == ["HOUSE", "RULES"]:
        if visit.identity.game is not None:
            return house_rules.answer_rules(visit, ShowRules())
        # The chapter that says what they are is asked for by its first word.
        topic = "HOUSE"
    text = help_on(topic, visit.house, visit.table)
    page = HelpPage(
        command.topic.lower(), text, tuple(help_examples.examples(visit, command.topic))
    )
    serial = f"help{len(visit.letters)}x"
    visit.letters.append((page, visit.slip(serial)))
    return ""


def answer_list(visit: Visit, _command: ListGames) -> str:
    """LIST."""
    return queries.list_games(visit.session, visit.house)


def answer_status(visit: Visit, _command: Status) -> str:
    """STATUS, with more for the game's GM; who plays nowhere reads what he stands by for."""
    person = visit.identity.person
    names_none = visit.identity.game is None and not visit.identity.missing
    if names_none and person is not None and not seats_of(visit.session, person):
        return standbys.show_standby(visit, ShowStandby())
    game = visit.game()
    seat = visit.identity.seat
    holder = seat.person if seat is not None and visit.identity.deputy is None else None
    asker = holder or person
    if asker is None:
        raise Mistake(f"You have no seat in {game.name}.")
    master = visit.identity.is_master and seat is None
    told = queries.game_status(visit.session, game, asker, visit.now, master=master)
    lines = (told, *_about_seat(visit), *standbys.own_lines(visit, asker))
    told = "\n".join(lines)
    if master or visit.identity.deputy is not None:
        return told
    return f"{told}\n\n{player_settings.overview(visit)}"


def _about_seat(visit: Visit) -> Iterator[str]:
    """Say when the player of the letter's seat is away, and who orders for him then."""
    if visit.identity.seat is not None and visit.identity.trust is not Trust.NONE:
        yield from absences.own_lines(visit)
        yield from deputy_rights.status_lines(visit)


def answer_join(visit: Visit, command: Join) -> str:
    """JOIN: the welcome is a letter of its own."""
    name = visit.letter.senders[0].name if visit.letter.senders else ""
    row, welcome = registration.join(
        visit.session, visit.house, visit.identity.address, name, command, visit.now
    )
    assert row.person is not None
    slip = Slip(
        to=mailbox(row.person),
        serial="welcome",
        answers=visit.row,
        answered_id=visit.answered_id,
        game=row.game,
        seat=row,
    )
    visit.letters.append((welcome, slip))
    return ""


def answer_orders(visit: Visit, command: ShowOrders) -> str:
    """ORDERS [turn]."""
    table, row = visit.table_in_play(), visit.seat()
    turn = command.turn or visit.identity.turn or table.game.turn
    return queries.orders_on_file(visit.session, table, row, max(turn, table.game.turn))


def answer_report(visit: Visit, command: ShowReport) -> str:
    """REPORT [FULL] [turn]: the old report is a letter of its own."""
    if command.full:
        report = full_report(visit.session, visit.house, visit.seat(), command.turn)
    else:
        report = queries.old_report(visit.session, visit.seat(), command.turn)
    kind = "full" if command.full else "again"
    visit.letters.append((report, visit.slip(f"{kind}{report.turn}x")))
    return ""


def answer_map(visit: Visit, _command: ShowMap) -> str:
    """MAP: the map is a letter of its own, with the pictures."""
    table, row = visit.table_in_play(), visit.seat()
    files = tuple(drawn(table, row, kind) for kind in (AttachmentKind.MAP, AttachmentKind.PNG))
    chart = table.ruleset.chart(table.state, Seat(row.number))
    names = tuple(file.name for file in files)
    notice = Map(table.game.name, table.game.turn, row.name, text((chart,)), names)
    slip = visit.slip(f"map{len(visit.letters)}x")
    visit.letters.append((notice, replace(slip, files=files)))
    return ""


def answer_final(visit: Visit, _command: FinalCommand) -> str:
    """FINAL: without a sheet on file an empty one is filed, unless standing orders provide."""
    table, row = visit.table_for_orders(), visit.seat()
    sheet = visit.sheet_of(table.game.turn)
    sheet.present = True
    sheets.file(visit.session, sheet, visit.now)
    return readiness.declare_final(visit.session, table, row, visit.row, visit.now)


def answer_wait(visit: Visit, _command: Wait) -> str:
    """WAIT."""
    return readiness.declare_wait(
        visit.session, visit.table_for_orders(), visit.seat(), visit.row, visit.now
    )


def answer_clear(visit: Visit, command: Clear) -> str:
    """CLEAR T12, beside the sheet that the letter is about."""
    assert command.turn is not None
    sheet = open_sheet(
        visit.session, visit.table_for_orders(), visit.seat(), visit.row, command.turn
    )
    return sheets.withdraw(visit.session, sheet, visit.now)


def answer_standing(visit: Visit, _command: ShowStanding) -> str:
    """STANDING alone."""
    return standing_orders.shown(visit.playing(), visit.seat())


def answer_no_standing(visit: Visit, _command: NoStanding) -> str:
    """STANDING NONE."""
    return standing_orders.keep(
        visit.session, visit.table_for_orders(), visit.seat(), visit.row, ()
    )


def answer_undo(visit: Visit, command: Undo) -> str:
    """UNDO [#receipt]."""
    return undo.take_back(visit, command)


def answer_history(visit: Visit, command: History) -> str:
    """HISTORY [turn]: the history is a letter of its own."""
    notice = history.history(visit, command.turn)
    visit.letters.append((notice, visit.slip(f"history{len(visit.letters)}x")))
    return ""


PUBLIC: Final[Mapping[type[Command], Callable[[Visit, Any], str]]] = {
    Help: answer_help,
    ListGames: answer_list,
    ShowRules: house_rules.answer_rules,
    Join: answer_join,
    StandBy: standbys.stand_by,
    StandDown: standbys.stand_down,
    ShowStandby: standbys.show_standby,
    Decline: takeover.decline,
    StopObserving: observers.stop,
}
"""What anybody may ask for."""

SEATED: Final[Mapping[type[Command], Callable[[Visit, Any], str]]] = {
    Status: answer_status,
    ShowOrders: answer_orders,
    ShowReport: answer_report,
    ShowMap: answer_map,
    FinalCommand: answer_final,
    Wait: answer_wait,
    Recall: press.recall,
    Clear: answer_clear,
    Undo: answer_undo,
    History: answer_history,
    ShowStanding: answer_standing,
    NoStanding: answer_no_standing,
    ShowPlayers: player_list.show_players,
    Vote: votes.answer_vote,
    Absent: absences.announce,
    NoAbsence: absences.withdraw,
    DropDeputy: deputizing.drop,
    **player_settings.SETTINGS,
    **address_changes.ADDRESSES,
}
"""What a player may ask for whose letter is believed."""

QUESTIONS: Final = (
    *(Help, ListGames, ShowRules, ShowStandby, Status, ShowOrders, ShowReport, ShowMap, History),
    *(ShowStanding, ShowPlayers, ShowSettings, CountOrders, Check, Confirm, Add),
    *gm_commands.INSPECTIONS,
)
"""What changes nothing by itself; every other command is binding, whatever is invented later."""

_FOR_HIMSELF: Final = (Create, Join, StandBy, StandDown, Decline, StopObserving)
"""What somebody does for himself, and in no seat's name."""


def is_question(command: Command) -> bool:
    """Say whether a command merely asks, so that a letter that is a CHECK does it, too."""
    return isinstance(command, QUESTIONS)


def binds(command: Command) -> bool:
    """Say whether a command does something in a seat's name, so that it has to be believed."""
    return not is_question(command) and not isinstance(command, _FOR_HIMSELF)
