"""Commands of consequence: shown first, carried out when the sender has confirmed them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.desk import (
    allowing,
    appointing,
    closing,
    deputizing,
    eliminating,
    inspecting,
    lateness,
    observing,
    peopling,
    resigning,
    shaping,
    standbys,
    takeover,
    talking,
    timing,
    undoing,
)
from referee.desk.mastery import Consequence
from referee.desk.visit import Visit
from referee.domain import commands as c
from referee.domain import gm_commands as gm

create = shaping.create
"""CREATE is done at once."""

CONSEQUENTIAL: Final[Mapping[type[c.Command], Consequence]] = {
    c.Resign: Consequence(resigning.preview_resign, resigning.resign),
    c.TakeOver: Consequence(takeover.preview_takeover, takeover.take_over),
    c.NameDeputy: Consequence(deputizing.preview_name, deputizing.name),
    c.Start: Consequence(shaping.preview_start, shaping.start),
    gm.SetOptions: Consequence(shaping.preview_options, shaping.set_options),
    gm.SetSeats: Consequence(shaping.preview_seats, shaping.set_seats),
    gm.SetTitle: Consequence(shaping.preview_title, shaping.set_title),
    gm.SetPress: Consequence(shaping.preview_press, shaping.set_press),
    c.Hold: Consequence(timing.preview_hold, timing.hold),
    c.Resume: Consequence(timing.preview_resume, timing.resume),
    c.SetSchedule: Consequence(timing.preview_schedule, timing.schedule),
    gm.SetDeadline: Consequence(timing.preview_deadline, timing.deadline),
    gm.Extend: Consequence(timing.preview_extend, timing.extend),
    gm.SetExtensions: Consequence(allowing.preview_extensions, allowing.set_extensions),
    gm.SetGrace: Consequence(allowing.preview_grace, allowing.set_grace),
    gm.SetBank: Consequence(allowing.preview_bank, allowing.set_bank),
    gm.SetMissed: Consequence(allowing.preview_missed, allowing.set_missed),
    gm.SetReminders: Consequence(allowing.preview_reminders, allowing.set_reminders),
    gm.Remind: Consequence(timing.preview_remind, timing.remind),
    gm.Adjudicate: Consequence(timing.preview_adjudicate, timing.adjudicate),
    gm.Resend: inspecting.RESEND,
    gm.AcceptLate: Consequence(lateness.preview_accept, lateness.accept),
    gm.Rollback: Consequence(undoing.preview_rollback, undoing.rollback),
    gm.Correct: Consequence(undoing.preview_correct, undoing.correct),
    gm.Invite: Consequence(peopling.preview_invite, peopling.invite),
    gm.GiveSeat: Consequence(peopling.preview_seat, peopling.give_seat),
    gm.Replace: Consequence(peopling.preview_replace, peopling.replace_player),
    gm.Vacate: Consequence(peopling.preview_vacate, peopling.vacate),
    gm.OfferSeat: Consequence(standbys.preview_offer, standbys.offer),
    gm.SetStandby: Consequence(standbys.preview_switch, standbys.switch),
    gm.AdmitMasters: Consequence(standbys.preview_admit, standbys.admit),
    gm.Eliminate: Consequence(eliminating.preview_eliminate, eliminating.eliminate),
    gm.Reinstate: Consequence(eliminating.preview_reinstate, eliminating.reinstate),
    gm.Promote: Consequence(appointing.preview_promote, appointing.promote),
    gm.Demote: Consequence(appointing.preview_demote, appointing.demote),
    gm.GiveDeputy: Consequence(deputizing.preview_give, deputizing.give),
    gm.TakeDeputy: Consequence(deputizing.preview_take, deputizing.take),
    c.Observe: Consequence(observing.preview_observe, observing.observe),
    gm.OpenToObservers: Consequence(observing.preview_open, observing.open_to_all),
    gm.CloseToObservers: Consequence(observing.preview_close, observing.close),
    gm.RemoveObserver: Consequence(observing.preview_remove, observing.remove),
    gm.AdmitObserver: Consequence(observing.preview_admit, observing.admit),
    gm.MoveEdition: Consequence(closing.preview_edition, closing.move_edition),
    gm.EndGame: Consequence(closing.preview_end, closing.end_game),
    gm.Reveal: Consequence(closing.preview_reveal, closing.reveal),
    c.Broadcast: Consequence(talking.preview_broadcast, talking.broadcast),
}
"""The commands that are shown to their sender first, each with its preview and its deed."""

INSPECTIONS: Final[Mapping[type[c.Command], Callable[[Visit, Any], str]]] = {
    gm.ShowSheets: inspecting.sheets,
    gm.ShowPool: standbys.show_pool,
    gm.ShowReportOf: inspecting.report_of,
    gm.ShowAudit: inspecting.audit_log,
    gm.Export: inspecting.export,
    gm.ShowQuarantine: inspecting.quarantine,
    gm.ShowObservers: observing.listed,
    gm.Preview: undoing.preview_turn,
    gm.Replay: undoing.prove,
}
"""What a GM may look at; it changes nothing, and is answered at once."""
