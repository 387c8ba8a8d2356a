"""Settings of a player, which apply in all games, and a list of them that can be sent back."""

from datetime import timedelta
from typing import Final

from referee.desk.base.attachments import FILES
from referee.desk.base.desk import Site
from referee.desk.base.outbox_writer import Addressing, clock_of, mailbox, post, wants_html
from referee.desk.games import reminders
from referee.desk.orders import real_names
from referee.desk.orders.command_entries import Deed, Effect, For, command, question
from referee.desk.orders.letter_context import LetterContext
from referee.desk.players import player_list
from referee.desk.players.address_changes import waiting_in_words
from referee.desk.seats import address_switch
from referee.domain.commands import (
    AttachmentKind,
    RenewTokens,
    SetAttachments,
    SetDigest,
    SetFormat,
    SetHtml,
    SetName,
    SetQuiet,
    SetReminders,
    SetZone,
    ShowSettings,
)
from referee.domain.player_settings import DAILY_LETTER, ReportFormat
from referee.domain.schedules import in_words
from referee.letters.outgoing.address_notices import TokensRenewed
from referee.parsing.schedules import zone_named
from referee.rules.wording import listed
from referee.store.games import games
from referee.store.games.reminders import check_reminders_of
from referee.store.mail import digests
from referee.store.models import Person

_SHOWN: Final = {
    ReportFormat.FULL: "Your reports contain everything.",
    ReportFormat.CHANGES: (
        "Your reports show only what differs from the turn before. REPORT FULL mails a whole one."
    ),
    ReportFormat.COMPACT: (
        "Your reports are complete, but without lines to fill in and without explanations."
    ),
    ReportFormat.NEWS: (
        "Your reports have only the deadline, the news, failed orders and messages. REPORT FULL "
        "mails a whole one."
    ),
}
_WAITS: Final = (
    "questions and answers to you still come at once. Nothing waits until shortly before a "
    "deadline."
)


def _setting_lines(site: Site, person: Person) -> str:
    """Return all settings of a person as the lines that set them, with the other choices."""
    kinds = " ".join(kind.name for kind in AttachmentKind if kind.value in person.attachments)
    quiet = clock_of(person).quiet
    return "\n".join(
        (
            f"SET ADDRESS {person.address}{_dead(person)}",
            f"SET SECOND ADDRESS {person.second_address or 'NONE'}",
            f"SET NAME {person.name}" if person.name else _choice("SET NAME", "none yet"),
            f"SET ZONE {person.zone}",
            _choice(f"SET FORMAT {person.report_format.name}", "FULL, CHANGES, COMPACT or NEWS"),
            _choice(f"SET ATTACHMENTS {kinds or 'NONE'}", "any of REPORT MAP PNG DEADLINE ATLAS"),
            _choice(f"SET REMINDERS {_spans(person)}", "NONE, AS THE GAME, or 2 days, 6 hours"),
            _choice(f"SET DIGEST {'ON' if person.digest else 'OFF'}", "ON or OFF"),
            _choice(f"SET HTML {'ON' if wants_html(site, person) else 'OFF'}", "ON or OFF"),
            _choice(f"SET QUIET {quiet or 'NONE'}", "NONE, or 22:00-07:00"),
        )
    )


@question(ShowSettings, "SET", For.KNOWN, shown_in="settings")
def show_settings(context: LetterContext, _command: ShowSettings) -> str:
    """SET without a setting."""
    return overview(context)


def overview(context: LetterContext) -> str:
    """Return all settings of the sender, and how to change them."""
    waiting = waiting_in_words(context.session, context.person())
    return "\n".join(
        (
            "These are your settings. To change one, send its line back with another",
            "value. HELP SETTINGS explains them all.",
            "",
            _setting_lines(context.site, context.person()),
            *(["", *waiting] if waiting else []),
        )
    )


@question(SetZone, "SET ZONE", For.KNOWN, Effect.SETS, shown_in="settings")
def set_zone(context: LetterContext, command: SetZone) -> str:
    """SET ZONE."""
    zone = zone_named(command.zone)
    person = context.person()
    person.zone = zone
    check_reminders_of(context.session, person)
    return f"Times in emails to you are now in {zone}."


@command(SetName, "SET NAME", For.KNOWN, Effect.SETS, shown_in="settings")
def set_name(context: LetterContext, given: SetName) -> Deed:
    """SET NAME. Raises UserError if it passes for somebody known or for us."""
    person, own, table = context.person(), context.identity.seat, context.table
    gms = [gm.person for row in games.seats_of(context.session, person) for gm in row.game.gms]
    met = player_list.known_rows(table, own.game, own) if own is not None else []
    # The refusal would tell the name of those who are not named at the end.
    hidden = player_list.hidden_people(context, own.game, own) if own is not None else ()
    people = [row.person for row in met if row.person is not None]
    others = [*gms, *(each for each in people if each.id not in hidden)]
    seats = [row.name for row in met if row is not own]
    real_names.check(given.name, others, person.address, seats=seats)

    def rename() -> str:
        person.name = given.name
        return f"Your name is now {given.name}."

    return Deed("", rename)


@question(SetAttachments, "SET ATTACHMENTS", For.KNOWN, Effect.SETS, shown_in="maps")
def set_attachments(context: LetterContext, command: SetAttachments) -> str:
    """SET ATTACHMENTS."""
    context.person().attachments = [kind.value for kind in command.kinds]
    files = listed((FILES[kind] for kind in command.kinds), "nothing")
    return f"Attached to your reports from now on: {files}."


@question(SetFormat, "SET FORMAT", For.KNOWN, Effect.SETS, shown_in="report_formats")
def set_format(context: LetterContext, command: SetFormat) -> str:
    """SET FORMAT, which applies from the next report on."""
    context.person().report_format = command.format
    return _SHOWN[command.format]


@question(SetReminders, "SET REMINDERS", For.KNOWN, Effect.SETS, shown_in="own_reminders")
def set_reminders(context: LetterContext, command: SetReminders) -> str:
    """SET REMINDERS, which applies in all games of the player."""
    person, spans = context.person(), command.spans
    person.reminders = None if spans is None else [int(each.total_seconds()) for each in spans]
    reminders.pass_over(context.session, person, context.now)
    check_reminders_of(context.session, person)
    if spans is None:
        return "You are reminded of missing orders as each of your games is set."
    if not spans:
        return "You are no longer reminded of missing orders."
    when = listed(map(in_words, spans))
    return f"If your orders are missing, you are reminded {when} before a deadline."


@question(SetDigest, "SET DIGEST", For.KNOWN, Effect.SETS, shown_in="daily_letter")
def set_digest(context: LetterContext, command: SetDigest) -> str:
    """SET DIGEST."""
    person = context.person()
    person.digest = command.on
    if not command.on:
        digests.release(context.session, person, context.now)
        return "Every email is now sent separately."
    return (
        f"What can wait comes in one email a day for all your games together, at "
        f"{DAILY_LETTER:%H:%M} your time ({person.zone}). Reports, reminders, {_WAITS}"
    )


@question(SetHtml, "SET HTML", For.KNOWN, Effect.SETS, shown_in="html")
def set_html(context: LetterContext, command: SetHtml) -> str:
    """SET HTML, which applies to this answer already."""
    context.person().html = command.on
    if command.on:
        return "Emails to you have headings and tables, and the same as plain text."
    return "Emails to you are plain text only."


@question(SetQuiet, "SET QUIET", For.KNOWN, Effect.SETS, shown_in="quiet_hours")
def set_quiet(context: LetterContext, command: SetQuiet) -> str:
    """SET QUIET."""
    person, hours = context.person(), command.hours
    person.quiet_from = hours.begin if hours is not None else None
    person.quiet_until = hours.end if hours is not None else None
    check_reminders_of(context.session, person)
    if hours is None:
        return "Emails to you are sent at any hour."
    return (
        f"What can wait is not sent from {hours.begin:%H:%M} to {hours.end:%H:%M} your time "
        f"({person.zone}). Reminders avoid these hours, too. Reports, {_WAITS}"
    )


@command(
    RenewTokens, "SET TOKENS", For.KNOWN, Effect.FOR_GOOD, shown_in="tokens", answer=TokensRenewed
)
def renew_tokens(context: LetterContext, _given: RenewTokens) -> Deed:
    """SET TOKENS NEW. Tokens, the security code and open questions become invalid."""
    person, session = context.person(), context.session

    def renew() -> str:
        address_switch.expire_tokens(session, person)
        for row, notice in address_switch.with_new_tokens(context.desk, person, TokensRenewed):
            game = row.game if row is not None else None
            serial = f"tokens{context.row.id}x{row.id if row is not None else 0}"
            turn = game.turn or None if game is not None else None
            addressing = Addressing(mailbox(person), serial, game=game, seat=row, turn=turn)
            post(context.desk, notice, addressing)
        return "Replies to our earlier emails no longer act for you."

    return Deed(
        "Replies to our earlier emails no longer act for you, in any game, and your security code "
        "no longer works. A new email for each game has a new token, and the first one has a new "
        "code. What waits for your confirmation lapses, and so does your deputy's time.",
        renew,
    )


def _dead(person: Person) -> str:
    return "  # not delivered here: emails go to the second" if person.is_at_second else ""


def _spans(person: Person) -> str:
    if person.reminders is None:
        return "AS THE GAME"
    return ", ".join(in_words(timedelta(seconds=each)) for each in person.reminders) or "NONE"


def _choice(line: str, others: str) -> str:
    return f"{line}  # {others}"
