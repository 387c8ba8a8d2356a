"""What players command: each command with the use case that answers it in a sentence or more."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.desk.games import house_rules
from referee.desk.orders import readiness, standing_orders
from referee.desk.orders.letter_context import Visit
from referee.desk.players import (
    address_changes,
    history,
    order_sheet,
    player_list,
    player_settings,
    press,
    queries,
    status,
    undo,
    votes,
)
from referee.desk.players.help import answer_help
from referee.desk.reception import gm_commands
from referee.desk.seats import absences, observers, registration, standbys, takeover
from referee.desk.seats import deputies as deputizing
from referee.domain.commands import (
    Absent,
    Add,
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

PUBLIC: Final[Mapping[type[Command], Callable[[Visit, Any], str]]] = {
    Help: answer_help,
    ListGames: queries.answer_list,
    ShowRules: house_rules.answer_rules,
    Join: registration.answer_join,
    StandBy: standbys.stand_by,
    StandDown: standbys.stand_down,
    ShowStandby: standbys.show_standby,
    Decline: takeover.decline,
    StopObserving: observers.stop,
}
"""What anybody may ask for."""

SEATED: Final[Mapping[type[Command], Callable[[Visit, Any], str]]] = {
    Status: status.answer_status,
    ShowOrders: queries.answer_orders,
    ShowReport: queries.answer_report,
    ShowMap: queries.answer_map,
    FinalCommand: readiness.answer_final,
    Wait: readiness.answer_wait,
    Recall: press.recall,
    Clear: order_sheet.edit,
    Undo: undo.take_back,
    History: history.answer_history,
    ShowStanding: standing_orders.answer_standing,
    NoStanding: standing_orders.answer_no_standing,
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
