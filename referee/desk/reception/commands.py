"""The command table: who may send each command, what it does, and where it is shown."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Final

from referee.desk import games, orders, players, seats
from referee.desk import gm as gms
from referee.desk.games import house_rules
from referee.desk.gm import (
    admission,
    game_end,
    game_options,
    game_start,
    games_for_one,
    late_orders,
    roles,
    rollback,
    rule_packs,
    schedules,
    seat_assignment,
    seat_orders,
    seat_robots,
    time_limits,
)
from referee.desk.orders import readiness, standing_orders
from referee.desk.orders.command_entries import Effect, Entry, For
from referee.desk.orders.deputy_rights import Senders
from referee.desk.seats import (
    takeover,
)
from referee.domain import commands as c
from referee.domain import gm_commands as gm
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.notices import (
    GameCreated,
    GmAnswer,
    HouseRules,
    Joined,
)
from referee.letters.outgoing.seat_notices import HandedOver
from referee.parsing.body import Body


def declared(*rooms: ModuleType) -> Iterator[Entry[Any]]:
    """Yield the entries that the modules of the rooms declare."""
    for room in rooms:
        for found in iter_modules(room.__path__, f"{room.__name__}."):
            module = import_module(found.name)
            yield from (each for each in vars(module).values() if isinstance(each, Entry))


def table(*entries: Entry[Any]) -> Mapping[type[c.Command], Entry[Any]]:
    """Return the entries by their commands. Raises ValueError if a command has two."""
    rows = {entry.command: entry for entry in entries}
    if len(rows) != len(entries):
        raise ValueError("two entries are of one command")
    return rows


# fmt: off
COMMANDS: Final = table(
    *declared(games, orders, seats, players, gms),
    Entry("ACCEPT LATE", gm.AcceptLate, For.GM, Effect.CONFIRMED, shown_in="gm_deadlines",
          run=late_orders.accept, preview=late_orders.preview_accept),
    Entry("ADJUDICATE", gm.Adjudicate, For.GM, Effect.CONFIRMED, shown_in="gm_deadlines",
          run=schedules.adjudicate, preview=schedules.preview_adjudicate),
    Entry("ALLOW", gm.ShowAdmissions, For.GM, Effect.ASKS, shown_in="gm_admission",
          run=admission.show_admissions),
    Entry("ALLOW", gm.Allow, For.GM, Effect.CONFIRMED, shown_in="gm_admission",
          run=admission.allow, preview=admission.preview_allow),
    Entry("APPROVE", gm.Approve, For.GM, Effect.CONFIRMED, shown_in="gm_approving",
          run=admission.approve, preview=admission.preview_approve),
    Entry("BANK", gm.SetBank, For.GM, Effect.CONFIRMED, shown_in="time_bank",
          run=time_limits.set_bank, preview=time_limits.preview_bank),
    Entry("CALL OFF", gm.SetCallOff, For.GM, Effect.CONFIRMED, shown_in="gm_starting",
          run=game_start.call_off, preview=game_start.preview_call_off),
    Entry("CHECK", c.Check, For.SEAT | For.DEPUTY | For.GM, Effect.READS, shown_in="check_only",
          answer=Acknowledgement),
    Entry("CODE", gm.ShowCode, For.GM, Effect.ASKS, shown_in="private_game",
          run=admission.show_code),
    Entry("CODE NEW", gm.NewCode, For.GM, Effect.CONFIRMED, shown_in="private_game",
          run=admission.new_code, preview=admission.preview_new_code),
    Entry("CONFIRM", c.Confirm, For.ANYONE | For.DEPUTY, Effect.READS, shown_in="handover"),
    Entry("CORRECT", gm.Correct, For.GM, Effect.CONFIRMED, shown_in="gm_undoing",
          run=rollback.correct, preview=rollback.preview_correct),
    Entry("CREATE", c.Create, For.ANYONE, Effect.ENTERS, shown_in="gamemaster",
          run=game_options.create, preview=game_options.preview_create, answer=GameCreated),
    Entry("DEADLINE", gm.SetDeadline, For.GM, Effect.CONFIRMED, shown_in="gm_deadlines",
          run=schedules.deadline, preview=schedules.preview_deadline),
    Entry("DEMOTE", gm.Demote, For.GM, Effect.CONFIRMED, shown_in="gm_demoting",
          run=roles.demote, preview=roles.preview_demote),
    Entry("EDITION", gm.MoveEdition, For.GM, Effect.CONFIRMED, shown_in="gm_ending",
          run=game_end.move_edition, preview=game_end.preview_edition),
    Entry("END GAME", gm.EndGame, For.GM, Effect.CONFIRMED, shown_in="gm_ending",
          run=game_end.end_game, preview=game_end.preview_end),
    Entry("EXCLUDE", gm.Exclude, For.GM, Effect.CONFIRMED, shown_in="gm_admission",
          run=admission.exclude, preview=admission.preview_exclude),
    Entry("EXTEND", gm.Extend, For.GM, Effect.CONFIRMED, shown_in="gm_deadlines",
          run=schedules.extend, preview=schedules.preview_extend),
    Entry("EXTENSIONS", gm.SetExtensions, For.GM, Effect.CONFIRMED, shown_in="gm_schedules",
          run=time_limits.set_extensions, preview=time_limits.preview_extensions),
    Entry("FINAL", c.Final, For.SEAT | For.DEPUTY, Effect.BINDS, shown_in="fistful",
          run=readiness.answer_final, preview=readiness.preview),
    Entry("GRACE", gm.SetGrace, For.GM, Effect.CONFIRMED, shown_in="gm_schedules",
          run=time_limits.set_grace, preview=time_limits.preview_grace),
    Entry("INVITE", gm.Invite, For.GM, Effect.CONFIRMED, shown_in="gm_people",
          run=seat_assignment.invite, preview=seat_assignment.preview_invite),
    Entry("MISSED", gm.SetMissed, For.GM, Effect.CONFIRMED, shown_in="standby_silent",
          run=time_limits.set_missed, preview=time_limits.preview_missed),
    Entry("OPTION", gm.SetOptions, For.GM, Effect.CONFIRMED, shown_in="gm_shaping",
          run=game_options.set_options, preview=game_options.preview_options),
    Entry("ORDERS", c.CountOrders, For.SEAT | For.DEPUTY, Effect.READS, shown_in="questions",
          answer=Acknowledgement),
    Entry("ORDERS FOR", gm.FileOrders, For.GM, Effect.CONFIRMED, shown_in="gm_orders",
          run=seat_orders.file_orders, preview=seat_orders.preview_file),
    Entry("ORDERS FOR", gm.TakeBackOrders, For.GM, Effect.CONFIRMED, shown_in="gm_orders",
          run=seat_orders.take_back, preview=seat_orders.preview_take_back),
    Entry("PLAY", c.Play, For.ANYONE, Effect.ENTERS, shown_in="play",
          run=games_for_one.play, preview=games_for_one.preview_play, answer=Joined),
    Entry("PLAY", c.ListPlay, For.ANYONE, Effect.ASKS, shown_in="play",
          run=games_for_one.list_play),
    Entry("PRESS RULES", gm.SetPress, For.GM, Effect.CONFIRMED, shown_in="gm_shaping",
          run=game_options.set_press, preview=game_options.preview_press),
    Entry("PREVIEW", gm.Preview, For.GM, Effect.ASKS, shown_in="gm_undoing",
          run=rollback.preview_turn, answer=GmAnswer),
    Entry("PROMOTE", gm.Promote, For.GM, Effect.CONFIRMED, shown_in="gm_people",
          run=roles.promote, preview=roles.preview_promote),
    Entry("REFUSE", gm.Refuse, For.GM, Effect.CONFIRMED, shown_in="gm_approving",
          run=admission.refuse, preview=admission.preview_refuse),
    Entry("REMIND", gm.Remind, For.GM, Effect.CONFIRMED, shown_in="gm_deadlines",
          run=schedules.remind, preview=schedules.preview_remind),
    Entry("REMINDERS", gm.SetReminders, For.GM, Effect.CONFIRMED, shown_in="gm_schedules",
          run=time_limits.set_reminders, preview=time_limits.preview_reminders),
    Entry("REPLACE", gm.ReplaceByRobot, For.GM, Effect.CONFIRMED, shown_in="robots",
          run=seat_robots.replace, preview=seat_robots.preview_replace),
    Entry("REPLACE", gm.Replace, For.GM, Effect.CONFIRMED, shown_in="gm_people",
          run=seat_assignment.replace_player, preview=seat_assignment.preview_replace),
    Entry("REPLAY", gm.Replay, For.GM, Effect.ASKS, shown_in="gm_undoing", run=rollback.prove),
    Entry("RESUME", gm.Resume, For.GM, Effect.CONFIRMED, shown_in="gm_deadlines",
          run=schedules.resume, preview=schedules.preview_resume),
    Entry("REVEAL", gm.Reveal, For.GM, Effect.CONFIRMED, shown_in="gm_ending",
          run=game_end.reveal, preview=game_end.preview_reveal),
    Entry("ROLLBACK", gm.Rollback, For.GM, Effect.CONFIRMED, shown_in="gm_undoing",
          run=rollback.rollback, preview=rollback.preview_rollback),
    Entry("RULES", c.ShowRules, For.ANYONE | For.DEPUTY, Effect.ASKS, shown_in="house_rules",
          run=house_rules.answer_rules, answer=HouseRules),
    Entry("RULES DROP", gm.DropRules, For.KNOWN, Effect.SETS, shown_in="rule_packs",
          run=rule_packs.drop, preview=rule_packs.preview_drop),
    Entry("RULES LIST", gm.ListRules, For.ANYONE, Effect.ASKS, shown_in="rule_packs",
          run=rule_packs.listed),
    Entry("RULES SAVE", gm.SaveRules, For.GM, Effect.SETS, shown_in="rule_packs",
          run=rule_packs.save, preview=rule_packs.preview_save),
    Entry("SCHEDULE", gm.SetSchedule, For.GM, Effect.CONFIRMED, shown_in="gm_schedules",
          run=schedules.schedule, preview=schedules.preview_schedule),
    Entry("SEAT", gm.SeatRobot, For.GM, Effect.CONFIRMED, shown_in="robots",
          run=seat_robots.seat, preview=seat_robots.preview_seat),
    Entry("SEAT", gm.GiveSeat, For.GM, Effect.CONFIRMED, shown_in="gm_people",
          run=seat_assignment.give_seat, preview=seat_assignment.preview_seat),
    Entry("SEATS", gm.SetSeats, For.GM, Effect.CONFIRMED, shown_in="gm_shaping",
          run=game_options.set_seats, preview=game_options.preview_seats),
    Entry("STANDING", c.ShowStanding, For.SEAT, Effect.ASKS, shown_in="standing_shown",
          run=standing_orders.answer_standing),
    Entry("STANDING NONE", c.NoStanding, For.SEAT, Effect.BINDS, shown_in="standing_shown",
          run=standing_orders.answer_no_standing,
          preview=standing_orders.preview_no_standing),
    Entry("START", gm.Start, For.GM, Effect.CONFIRMED, shown_in="gamemaster",
          run=game_options.start, preview=game_options.preview_start),
    Entry("START", gm.SetStart, For.GM, Effect.CONFIRMED, shown_in="gm_starting",
          run=game_start.start_when, preview=game_start.preview_start_when),
    Entry("TAKEOVER", c.TakeOver, For.ANYONE, Effect.CONFIRMED, shown_in="takeover",
          run=takeover.take_over, preview=takeover.preview_takeover, answer=HandedOver),
    Entry("TITLE", gm.SetTitle, For.GM, Effect.CONFIRMED, shown_in="gm_shaping",
          run=game_options.set_title, preview=game_options.preview_title),
    Entry("VACATE", gm.Vacate, For.GM, Effect.CONFIRMED, shown_in="gm_people",
          run=seat_assignment.vacate, preview=seat_assignment.preview_vacate),
    Entry("WAIT", c.Wait, For.SEAT | For.DEPUTY, Effect.BINDS, shown_in="order_typed",
          run=readiness.answer_wait, preview=readiness.preview),
)
# fmt: on
"""Every command, by its topic; each row uses as few lines as it needs."""


def _sent_by(who: For) -> frozenset[type[c.Command]]:
    return frozenset(entry.command for entry in COMMANDS.values() if entry.who & who)


SENDERS: Final = Senders(_sent_by(For.DEPUTY), _sent_by(For.ANYONE | For.KNOWN), _sent_by(For.GM))
"""The commands by their senders; in a letter for a seat, its deputy may send only a deputy's."""


COSTLY: Final = (gm.Export, gm.Preview, gm.Replay)
"""The questions of a GM that one letter can ask once."""

INSPECTIONS: Final = (*COSTLY, gm.ShowReportOf)
"""The questions of a GM that cost much: a GM who is not verified is asked first."""


def effects(body: Body) -> set[Effect]:
    """Return the effects of the commands in a letter."""
    return {COMMANDS[type(item.command)].effect for item in body.commands}
