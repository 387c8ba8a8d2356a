"""Commands of consequence: shown first, carried out when the sender has confirmed them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.desk.gm import (
    elimination,
    game_end,
    game_options,
    late_orders,
    messages,
    queries,
    roles,
    rollback,
    schedules,
    seat_assignment,
    time_limits,
)
from referee.desk.orders.gm_authority import Consequence
from referee.desk.orders.letter_context import Visit
from referee.desk.players import resignation
from referee.desk.seats import deputies, observers, standbys, takeover
from referee.domain import commands as c
from referee.domain import gm_commands as gm

create = game_options.create
"""CREATE is done at once."""

CONSEQUENTIAL: Final[Mapping[type[c.Command], Consequence]] = {
    c.Resign: Consequence(resignation.preview_resign, resignation.resign),
    c.TakeOver: Consequence(takeover.preview_takeover, takeover.take_over),
    c.NameDeputy: Consequence(deputies.preview_name, deputies.name),
    c.Start: Consequence(game_options.preview_start, game_options.start),
    gm.SetOptions: Consequence(game_options.preview_options, game_options.set_options),
    gm.SetSeats: Consequence(game_options.preview_seats, game_options.set_seats),
    gm.SetTitle: Consequence(game_options.preview_title, game_options.set_title),
    gm.SetPress: Consequence(game_options.preview_press, game_options.set_press),
    c.Hold: Consequence(schedules.preview_hold, schedules.hold),
    c.Resume: Consequence(schedules.preview_resume, schedules.resume),
    c.SetSchedule: Consequence(schedules.preview_schedule, schedules.schedule),
    gm.SetDeadline: Consequence(schedules.preview_deadline, schedules.deadline),
    gm.Extend: Consequence(schedules.preview_extend, schedules.extend),
    gm.SetExtensions: Consequence(time_limits.preview_extensions, time_limits.set_extensions),
    gm.SetGrace: Consequence(time_limits.preview_grace, time_limits.set_grace),
    gm.SetBank: Consequence(time_limits.preview_bank, time_limits.set_bank),
    gm.SetMissed: Consequence(time_limits.preview_missed, time_limits.set_missed),
    gm.SetReminders: Consequence(time_limits.preview_reminders, time_limits.set_reminders),
    gm.Remind: Consequence(schedules.preview_remind, schedules.remind),
    gm.Adjudicate: Consequence(schedules.preview_adjudicate, schedules.adjudicate),
    gm.Resend: queries.RESEND,
    gm.AcceptLate: Consequence(late_orders.preview_accept, late_orders.accept),
    gm.Rollback: Consequence(rollback.preview_rollback, rollback.rollback),
    gm.Correct: Consequence(rollback.preview_correct, rollback.correct),
    gm.Invite: Consequence(seat_assignment.preview_invite, seat_assignment.invite),
    gm.GiveSeat: Consequence(seat_assignment.preview_seat, seat_assignment.give_seat),
    gm.Replace: Consequence(seat_assignment.preview_replace, seat_assignment.replace_player),
    gm.Vacate: Consequence(seat_assignment.preview_vacate, seat_assignment.vacate),
    gm.OfferSeat: Consequence(standbys.preview_offer, standbys.offer),
    gm.SetStandby: Consequence(standbys.preview_switch, standbys.switch),
    gm.AdmitMasters: Consequence(standbys.preview_admit, standbys.admit),
    gm.Eliminate: Consequence(elimination.preview_eliminate, elimination.eliminate),
    gm.Reinstate: Consequence(elimination.preview_reinstate, elimination.reinstate),
    gm.Promote: Consequence(roles.preview_promote, roles.promote),
    gm.Demote: Consequence(roles.preview_demote, roles.demote),
    gm.GiveDeputy: Consequence(deputies.preview_give, deputies.give),
    gm.TakeDeputy: Consequence(deputies.preview_take, deputies.take),
    c.Observe: Consequence(observers.preview_observe, observers.observe),
    gm.OpenToObservers: Consequence(observers.preview_open, observers.open_to_all),
    gm.CloseToObservers: Consequence(observers.preview_close, observers.close),
    gm.RemoveObserver: Consequence(observers.preview_remove, observers.remove),
    gm.AdmitObserver: Consequence(observers.preview_admit, observers.admit),
    gm.MoveEdition: Consequence(game_end.preview_edition, game_end.move_edition),
    gm.EndGame: Consequence(game_end.preview_end, game_end.end_game),
    gm.Reveal: Consequence(game_end.preview_reveal, game_end.reveal),
    c.Broadcast: Consequence(messages.preview_broadcast, messages.broadcast),
}
"""The commands that are shown to their sender first, each with its preview and its deed."""

INSPECTIONS: Final[Mapping[type[c.Command], Callable[[Visit, Any], str]]] = {
    gm.ShowSheets: queries.sheets,
    gm.ShowPool: standbys.show_pool,
    gm.ShowReportOf: queries.report_of,
    gm.ShowAudit: queries.audit_log,
    gm.Export: queries.export,
    gm.ShowQuarantine: queries.quarantine,
    gm.ShowObservers: observers.listed,
    gm.Preview: rollback.preview_turn,
    gm.Replay: rollback.prove,
}
"""What a GM may look at; it changes nothing, and is answered at once."""
