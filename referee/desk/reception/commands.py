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
from referee.desk.players import (
    address_changes,
    diary,
    history,
    old_reports,
    order_sheet,
    player_list,
    player_settings,
    press,
    privacy,
    queries,
    status,
    undo,
    votes,
)
from referee.desk.players.help import answer_help
from referee.desk.seats import (
    absences,
    departure,
    deputies,
    joining,
    observers,
    standbys,
    takeover,
)
from referee.domain import commands as c
from referee.domain import gm_commands as gm
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.address_notices import Disclosure, Forgotten, TokensRenewed
from referee.letters.outgoing.notices import (
    Atlas,
    GameCreated,
    GmAnswer,
    HelpPage,
    History,
    HouseRules,
    Joined,
    Map,
    ReportAgain,
)
from referee.letters.outgoing.press_notices import Diary
from referee.letters.outgoing.seat_notices import HandedOver, Observing
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
    Entry("ABSENT", c.Absent, For.SEAT, Effect.BINDS, shown_in="absence", run=absences.announce,
          preview=absences.preview_announce),
    Entry("ABSENT", c.NoAbsence, For.SEAT, Effect.BINDS, shown_in="absence", run=absences.withdraw,
          preview=absences.preview_withdraw),
    Entry("ACCEPT LATE", gm.AcceptLate, For.GM, Effect.CONFIRMED, shown_in="gm_deadlines",
          run=late_orders.accept, preview=late_orders.preview_accept),
    Entry("ADD", c.Add, For.SEAT | For.DEPUTY, Effect.READS, shown_in="order_typed",
          run=order_sheet.edit, answer=Acknowledgement),
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
    Entry("CANCEL", c.Cancel, For.SEAT | For.DEPUTY, Effect.BINDS, shown_in="order_typed",
          run=order_sheet.edit, preview=order_sheet.preview, answer=Acknowledgement),
    Entry("CANCEL", c.Recall, For.SEAT, Effect.BINDS, shown_in="press_at_once", run=press.recall,
          preview=press.preview_recall),
    Entry("CHECK", c.Check, For.SEAT | For.DEPUTY | For.GM, Effect.READS, shown_in="check_only",
          answer=Acknowledgement),
    Entry("CLEAR", c.Clear, For.SEAT | For.DEPUTY, Effect.BINDS, shown_in="order_typed",
          run=order_sheet.edit, preview=order_sheet.preview, answer=Acknowledgement),
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
    Entry("DECLINE", c.Decline, For.ANYONE, Effect.SETS, shown_in="takeover",
          run=takeover.decline, preview=takeover.preview_decline),
    Entry("DEMOTE", gm.Demote, For.GM, Effect.CONFIRMED, shown_in="gm_demoting",
          run=roles.demote, preview=roles.preview_demote),
    Entry("DEPUTY", c.NameDeputy, For.SEAT, Effect.CONFIRMED, shown_in="deputy",
          run=deputies.name, preview=deputies.preview_name),
    Entry("DEPUTY", c.DropDeputy, For.SEAT | For.DEPUTY, Effect.BINDS, shown_in="deputy_misuse",
          run=deputies.drop, preview=deputies.preview_drop),
    Entry("DEPUTY", gm.GiveDeputy, For.GM, Effect.CONFIRMED, shown_in="gm_deputy",
          run=deputies.give, preview=deputies.preview_give),
    Entry("DEPUTY", gm.TakeDeputy, For.GM, Effect.CONFIRMED, shown_in="gm_deputy",
          run=deputies.take, preview=deputies.preview_take),
    Entry("DIARY", c.ShowDiary, For.KNOWN, Effect.ASKS, shown_in="diary", run=diary.show,
          answer=Diary),
    Entry("DIARY DELETE", c.DeleteEntry, For.KNOWN, Effect.SETS, shown_in="diary",
          run=diary.delete, preview=diary.preview_delete),
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
    Entry("FORGET ME", c.ForgetMe, For.KNOWN, Effect.CONFIRMED, shown_in="privacy",
          run=privacy.forget_me, preview=privacy.preview_forget_me, answer=Forgotten),
    Entry("GRACE", gm.SetGrace, For.GM, Effect.CONFIRMED, shown_in="gm_schedules",
          run=time_limits.set_grace, preview=time_limits.preview_grace),
    Entry("HELP", c.Help, For.ANYONE | For.DEPUTY, Effect.ASKS, shown_in="questions",
          run=answer_help, answer=HelpPage),
    Entry("HISTORY", c.History, For.SEAT, Effect.ASKS, shown_in="history",
          run=history.answer_history, answer=History),
    Entry("INVITE", gm.Invite, For.GM, Effect.CONFIRMED, shown_in="gm_people",
          run=seat_assignment.invite, preview=seat_assignment.preview_invite),
    Entry("JOIN", c.Join, For.ANYONE, Effect.ENTERS, shown_in="strangers",
          run=joining.answer_join, preview=joining.preview_join, answer=Joined),
    Entry("LIST", c.ListGames, For.ANYONE | For.DEPUTY, Effect.ASKS, shown_in="questions",
          run=queries.answer_list),
    Entry("MAP", c.ShowMap, For.SEAT | For.DEPUTY, Effect.ASKS, shown_in="maps",
          run=queries.answer_map, answer=Map),
    Entry("MAP ATLAS", c.ShowAtlas, For.SEAT | For.DEPUTY, Effect.ASKS, shown_in="maps",
          run=queries.answer_atlas, answer=Atlas),
    Entry("MISSED", gm.SetMissed, For.GM, Effect.CONFIRMED, shown_in="standby_silent",
          run=time_limits.set_missed, preview=time_limits.preview_missed),
    Entry("MY DATA", c.ShowStored, For.KNOWN, Effect.SETS, shown_in="privacy",
          run=privacy.show_stored, answer=Disclosure),
    Entry("OBSERVE", c.Observe, For.ANYONE, Effect.CONFIRMED, shown_in="observers",
          run=observers.observe, preview=observers.preview_observe, answer=Observing),
    Entry("OBSERVE", c.StopObserving, For.ANYONE, Effect.SETS, shown_in="observers",
          run=observers.stop, preview=observers.preview_stop),
    Entry("OBSERVERS ADMIT", gm.AdmitObserver, For.GM, Effect.CONFIRMED, shown_in="gm_observers",
          run=observers.admit, preview=observers.preview_admit),
    Entry("OBSERVERS LIST", gm.ShowObservers, For.GM, Effect.ASKS, shown_in="gm_observers",
          run=observers.listed),
    Entry("OBSERVERS OFF", gm.CloseToObservers, For.GM, Effect.CONFIRMED, shown_in="gm_observers",
          run=observers.close, preview=observers.preview_close),
    Entry("OBSERVERS ON", gm.OpenToObservers, For.GM, Effect.CONFIRMED, shown_in="gm_observers",
          run=observers.open_to_all, preview=observers.preview_open),
    Entry("OBSERVERS REMOVE", gm.RemoveObserver, For.GM, Effect.CONFIRMED, shown_in="gm_observers",
          run=observers.remove, preview=observers.preview_remove),
    Entry("OPTION", gm.SetOptions, For.GM, Effect.CONFIRMED, shown_in="gm_shaping",
          run=game_options.set_options, preview=game_options.preview_options),
    Entry("ORDERS", c.ShowOrders, For.SEAT | For.DEPUTY, Effect.ASKS, shown_in="questions",
          run=queries.answer_orders),
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
    Entry("REPORT", c.ShowReport, For.SEAT | For.DEPUTY, Effect.ASKS, shown_in="report_formats",
          run=old_reports.answer_report, answer=ReportAgain),
    Entry("RESIGN", c.Resign, For.SEAT, Effect.CONFIRMED, shown_in="handover",
          run=departure.resign, preview=departure.preview_resign),
    Entry("RESUME", gm.Resume, For.GM, Effect.CONFIRMED, shown_in="gm_deadlines",
          run=schedules.resume, preview=schedules.preview_resume),
    Entry("REVEAL", gm.Reveal, For.GM, Effect.CONFIRMED, shown_in="gm_ending",
          run=game_end.reveal, preview=game_end.preview_reveal),
    Entry("REVEAL", c.SetRevealed, For.KNOWN, Effect.SETS, shown_in="diary",
          run=diary.set_revealed, preview=diary.preview_revealed),
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
    Entry("SET", c.ShowSettings, For.KNOWN, Effect.ASKS, shown_in="settings",
          run=player_settings.show_settings),
    Entry("SET ADDRESS", c.SetAddress, For.KNOWN, Effect.SETS, shown_in="set_address",
          run=address_changes.set_address, preview=address_changes.preview),
    Entry("SET ATTACHMENTS", c.SetAttachments, For.KNOWN, Effect.SETS, shown_in="maps",
          run=player_settings.set_attachments),
    Entry("SET DIGEST", c.SetDigest, For.KNOWN, Effect.SETS, shown_in="daily_letter",
          run=player_settings.set_digest),
    Entry("SET FORMAT", c.SetFormat, For.KNOWN, Effect.SETS, shown_in="report_formats",
          run=player_settings.set_format),
    Entry("SET NAME", c.SetName, For.KNOWN, Effect.SETS, shown_in="settings",
          run=player_settings.set_name, preview=player_settings.preview_name),
    Entry("SET QUIET", c.SetQuiet, For.KNOWN, Effect.SETS, shown_in="quiet_hours",
          run=player_settings.set_quiet),
    Entry("SET REMINDERS", c.SetReminders, For.KNOWN, Effect.SETS, shown_in="own_reminders",
          run=player_settings.set_reminders),
    Entry("SET SECOND ADDRESS", c.SetSecondAddress, For.KNOWN, Effect.SETS,
          shown_in="second_address", run=address_changes.set_second_address,
          preview=address_changes.preview),
    Entry("SET TOKENS", c.RenewTokens, For.KNOWN, Effect.CONFIRMED, shown_in="tokens",
          run=player_settings.renew, preview=player_settings.preview_renew, answer=TokensRenewed),
    Entry("SET ZONE", c.SetZone, For.KNOWN, Effect.SETS, shown_in="settings",
          run=player_settings.set_zone),
    Entry("STANDBY", c.ShowStandby, For.ANYONE, Effect.ASKS, shown_in="standby",
          run=standbys.show_standby),
    Entry("STANDBY", c.StandBy, For.ANYONE, Effect.ENTERS, shown_in="standby",
          run=standbys.stand_by, preview=standbys.preview_stand_by),
    Entry("STANDBY", c.StandDown, For.ANYONE, Effect.SETS, shown_in="standby",
          run=standbys.stand_down, preview=standbys.preview_stand_down),
    Entry("STANDBY", gm.SetStandby, For.GM, Effect.CONFIRMED, shown_in="gm_standby",
          run=standbys.switch, preview=standbys.preview_switch),
    Entry("STANDBY", gm.ShowPool, For.GM, Effect.ASKS, shown_in="standby_pool",
          run=standbys.show_pool),
    Entry("STANDBY GM", gm.AdmitMasters, For.GM, Effect.CONFIRMED, shown_in="gm_standby",
          run=standbys.admit, preview=standbys.preview_admit),
    Entry("STANDBY OFFER", gm.OfferSeat, For.GM, Effect.CONFIRMED, shown_in="gm_standby",
          run=standbys.offer, preview=standbys.preview_offer),
    Entry("STANDING", c.ShowStanding, For.SEAT, Effect.ASKS, shown_in="standing_shown",
          run=standing_orders.answer_standing),
    Entry("STANDING NONE", c.NoStanding, For.SEAT, Effect.BINDS, shown_in="standing_shown",
          run=standing_orders.answer_no_standing,
          preview=standing_orders.preview_no_standing),
    Entry("STANDING NOW", c.RunStanding, For.SEAT, Effect.BINDS, shown_in="reminded",
          run=order_sheet.run_standing, preview=order_sheet.preview_standing_now),
    Entry("START", gm.Start, For.GM, Effect.CONFIRMED, shown_in="gamemaster",
          run=game_options.start, preview=game_options.preview_start),
    Entry("START", gm.SetStart, For.GM, Effect.CONFIRMED, shown_in="gm_starting",
          run=game_start.start_when, preview=game_start.preview_start_when),
    Entry("STATUS", c.Status, For.KNOWN | For.DEPUTY, Effect.ASKS, shown_in="reliability",
          run=status.answer_status),
    Entry("TAKEOVER", c.TakeOver, For.ANYONE, Effect.CONFIRMED, shown_in="takeover",
          run=takeover.take_over, preview=takeover.preview_takeover, answer=HandedOver),
    Entry("TITLE", gm.SetTitle, For.GM, Effect.CONFIRMED, shown_in="gm_shaping",
          run=game_options.set_title, preview=game_options.preview_title),
    Entry("UNDO", c.Undo, For.SEAT, Effect.BINDS, shown_in="undo", run=undo.take_back,
          preview=undo.preview_take_back),
    Entry("VACATE", gm.Vacate, For.GM, Effect.CONFIRMED, shown_in="gm_people",
          run=seat_assignment.vacate, preview=seat_assignment.preview_vacate),
    Entry("VOTE", c.CastVote, For.SEAT, Effect.BINDS, shown_in="vote_extend",
          run=votes.answer_vote, preview=votes.preview_vote),
    Entry("WAIT", c.Wait, For.SEAT | For.DEPUTY, Effect.BINDS, shown_in="order_typed",
          run=readiness.answer_wait, preview=readiness.preview),
    Entry("WHO", c.ShowPlayers, For.SEAT | For.GM, Effect.ASKS, shown_in="who",
          run=player_list.show_players),
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
