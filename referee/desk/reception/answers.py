"""The answer to a letter: an acknowledgement or answers, unread text, and masks of words."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from referee.desk.base import reply_limits
from referee.desk.base.desk import Site
from referee.desk.base.identity import Why
from referee.desk.base.loaded_games import LoadedGame, Showing
from referee.desk.base.outbox_writer import both_ways
from referee.desk.base.private_games import join_line
from referee.desk.base.told_turns import shown, told_by
from referee.desk.games import deadlines
from referee.desk.orders import doubt, readiness
from referee.desk.orders.letter_context import LetterContext, missing_parts, try_part
from referee.desk.orders.sheets import OpenSheet, Rulings, ruled
from referee.desk.players import order_help
from referee.desk.players.help import asks, nearest_topic
from referee.desk.reports import report_guide
from referee.domain.commands import Cancel, Check, Clear, CountOrders
from referee.domain.sheets import Change, source_of
from referee.letters.incoming.letter import Attachment
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import (
    CommandAnswers,
    CommandReply,
    GuideOrders,
    LineError,
    Unknown,
    UnreadPart,
)
from referee.letters.outgoing.pairs import NOTHING, Drawn
from referee.parsing.body import Body
from referee.parsing.commands import fixed_words
from referee.parsing.items import Unparsed
from referee.reports.text import text
from referee.rules.ruleset import Seat, Separator
from referee.rules.wording import counted, listed
from referee.store.games import games, undo_log
from referee.store.games.undo_log import NOT_UNDONE, UndoKind
from referee.store.models import Game, GameStatus, SeatRow
from referee.store.people import admissions
from referee.store.people.admissions import AdmissionState

_SHEET_WIDTH = 68


def acknowledgement(
    context: LetterContext, sheet: OpenSheet, body: Body, faults: Sequence[LineError]
) -> Acknowledgement:
    """Return the answer to a letter about a sheet: the rulings, the sheet and the forecast."""
    game, zone, before, made = sheet.table.game, context.zone, sheet.before, sheet.filed
    rulings = ruled(sheet, body.sheet_lines)
    current, on_hold = sheet.turn == game.turn, game.status is GameStatus.HELD
    early = readiness.early_moment(game) if current else None
    grace = deadlines.end_of_grace(game, context.now) if current else None
    # The entries for UNDO besides the sheet.
    done = undo_log.of_letter(context.session, sheet.row, context.row.id) if context.said else []
    kept = [each for each in done if each.kind in NOT_UNDONE]
    forecast = _forecast(context, sheet, rulings) if current else NOTHING
    return Acknowledgement(
        receipt=context.receipt,
        game=game.name,
        turn=sheet.turn,
        arrived=context.arrived,
        filed=not sheet.checking,
        accepted=rulings.accepted,
        warned=rulings.warned,
        faults=order_help.pointed(sheet.table, rulings.faults) if rulings.faults else (),
        undone=undone(context, faults),
        said=tuple(context.said),
        unused=rulings.unused,
        forecast=forecast,
        unread=_unread(context, faults),
        deadline=Moment(game.due_at, zone) if game.due_at is not None else None,
        grace=Moment(grace, zone) if grace is not None else None,
        change=sheet.change,
        replaces=source_of(before.receipt) if before is not None else "",
        replaced=Moment(before.filed_at, zone) if before is not None else None,
        before=len(sheet.draft.on_file),
        lost=sheet.draft.lost,
        expected=next((each.command.count for each in body.commanded(CountOrders)), None),
        closed=_closed(context, sheet, early),
        early=Moment(early, zone) if early is not None and early > context.now else None,
        on_hold=on_hold,
        final=current and sheet.row.final_turn == game.turn,
        final_aside=context.final_aside,
        final_taken_back=context.final_taken_back,
        awaited=not current or sheet.table.awaits(sheet.row),
        emptied=current and made is not None and not (made.withdrawn or sheet.draft.entries),
        nearest=_nearest_help(context, sheet, body),
        standing=bool(sheet.row.standing) and not game.for_one,
        for_one=game.for_one,
        can_undo=sheet.undo_entry is not None or len(kept) < len(done),
        kept_by_undo=listed([*dict.fromkeys(each.what for each in kept)]),
        coming=(coming := sheet.turn > game.turn),
        rolled_back=(rolled_back := deadlines.after_rollback(context, sheet.row, sheet.turn)),
        not_yet=_nothing_on_file(context, sheet.table, sheet.row)
        if coming and not (rolled_back or sheet.checking)
        else "",
        edited=context.reading.edited is not None,
        sheet=_sheet_lines(context, sheet),
        deputy=context.identity.deputy is not None,
        note=context.note,
        to_try=_to_try(context, sheet),
        doubt=doubt.reason_in_words(context, body) if made and not before else "",
    )


def _closed(context: LetterContext, sheet: OpenSheet, early: datetime | None) -> str:
    """Return why the sender can no longer change the sheet after the letter, or ""."""
    if early is not None and early <= context.now:
        return "The turn is resolved now"
    identity, name = context.identity, sheet.row.name
    if identity.deputy is not None:
        return "" if identity.deputy.may_order else f"You are no longer deputy for {name}"
    return "" if sheet.row.person is identity.person else f"{name} is no longer yours"


def _nearest_help(context: LetterContext, sheet: OpenSheet, body: Body) -> str:
    """Return the topic of HELP nearest to a letter in which no order could be read, or ""."""
    unread = [item for item in body.sheet_lines if isinstance(item, Unparsed)]
    if len(unread) < len(body.orders) - len(body.mistyped):
        return ""
    # Small talk asks for no advice.
    asked = [item.text for item in unread if not item.is_words or asks(item.text)]
    words = [word for text in asked for word in text.split()]
    return try_part(context, "HELP", lambda: nearest_topic(words, sheet.table), "")


def _to_try(context: LetterContext, sheet: OpenSheet) -> tuple[GuideOrders, ...]:
    """Return the orders of the lesson in a tutorial, if the letter and the sheet have none."""
    table = sheet.table
    if sheet.turn != table.game.turn or sheet.draft.entries:
        return ()
    return try_part(context, "tutorial", lambda: report_guide.to_try(table, sheet.row), ())


def _nothing_on_file(context: LetterContext, table: LoadedGame, row: SeatRow) -> str:
    """Return a warning if nothing is on file for the turn from a seat that it awaits, or ""."""
    turn, due = table.game.turn, table.game.due_at
    if not table.awaits(row) or games.on_file(context.session, row, turn) is not None:
        return ""
    if row.standing:
        return f"No orders are on file for turn {turn}, so your standing orders run."
    until = f" Deadline: {Moment(due, context.zone)}." if due is not None else ""
    return f"No orders are on file for turn {turn}.{until}"


def undone(context: LetterContext, faults: Sequence[LineError]) -> tuple[LineError, ...]:
    """Return the parts not done, in the sequence of the letter's lines."""
    return tuple(sorted((*faults, *missing_parts(context)), key=lambda fault: fault.line))


def _sheet_lines(context: LetterContext, sheet: OpenSheet) -> tuple[str, ...]:
    """Return the orders of the sheet as lines to edit in a reply, several orders to a line."""
    if sheet.checking and not context.identity.trust.is_believed:
        # Anybody can write a CHECK in a player's name; its orders are no sheet to edit and send.
        return ()
    alone = sheet.table.reader.grammar.separator is Separator.LINES
    lines: list[str] = []
    leaves = sheet.table.reader.leaves
    for order in sheet.draft.texts:
        joined = f"{lines[-1]} {order}" if lines else order
        apart = alone or "\n" in joined or not lines or len(joined) > _SHEET_WIDTH
        if apart or leaves(order) or leaves(lines[-1]):
            lines.append(order)
        else:
            lines[-1] = joined
    return tuple(line for order in lines for line in order.split("\n"))


def _forecast(context: LetterContext, sheet: OpenSheet, rulings: Rulings) -> Drawn:
    table, seat = sheet.table, Seat(sheet.row.number)

    def drawn() -> Drawn:
        return both_ways(table.ruleset.forecast(table.state, seat, rulings.orders))

    return try_part(context, "forecast", drawn, NOTHING)


def _unread(context: LetterContext, faults: Iterable[LineError]) -> tuple[str, ...]:
    """Return the parts of the letter not read, or not readable, that no fault names."""
    named, own = _named(faults), context.own
    unread = []
    edited = context.reading.edited
    typed = {line.number for line in own.lines}
    read = sum(line.number not in typed for line in edited.lines) if edited is not None else 0
    if quoted := own.quoted - read:
        unread.append(counted(quoted, "quoted line"))
    if own.signature:
        unread.append("your signature")
    if own.disclaimer:
        unread.append("the disclaimer")
    unread += [str(block) for block in own.encoded if str(block) not in named]
    refused = [part for part in context.letter.refused if part.name not in named]
    unread += [f"{part.name}: {part.reason.removesuffix('.')}" for part in refused]
    others = {part.name for part in refused} | named
    unread += [part.name for part in _skipped(context, others)]
    return tuple(dict.fromkeys(unread))


def _named(faults: Iterable[LineError]) -> set[str]:
    return {each.text for each in faults if isinstance(each, UnreadPart)}


def _skipped(context: LetterContext, named: set[str]) -> list[Attachment]:
    """Return the attachments that were not read and are not *named* yet."""
    parts = context.letter.attachments
    return [part for part in parts if not part.read and part.name not in named]


MASK: Final = "..."
HIDDEN: Final = (
    "Words shown as ... are left out, because somebody else could have written them. If you sent "
    "the email, you have the whole of it."
)
_CODE: Final = re.compile(r"[A-Z]{0,2}(?:[0-9]++[A-Z]{0,2})*+")
"""A number, or letters and numbers, such as F3T4F22: too few letters for a word."""
_WORD: Final = re.compile(r"[^\s,;=@()+*\"-]+")


@dataclass(frozen=True, slots=True)
class Mask:
    """The words, in capitals, that are shown: those of the game, and names that the seat knows."""

    fixed: frozenset[str]
    names: frozenset[str]

    @classmethod
    def of(cls, context: LetterContext) -> "Mask":
        """Return the mask for the seat that the email names."""
        table, seat = context.table, context.identity.seat
        if table is None or seat is None:
            return cls.public(context.site)
        told = told_by(context.session, table.game, table.game.turn)
        known = text(shown(table, Showing(Seat(seat.number), ""), told))
        seats = {row.name.upper() for row in table.game.seats}
        fixed = fixed_words() | {word.upper() for word in table.reader.fixed_words()}
        return cls(fixed, frozenset(seats.union(map(str.upper, _WORD.findall(known)))))

    @classmethod
    def public(cls, site: Site) -> "Mask":
        """Return the mask for anybody: with a forged From, words could be mailed to anyone."""
        infos = [rules.info for rules in site.rulesets.values()]
        names = [name for info in infos for option in info.choices for name in option.choices]
        words = " ".join((*names, *(info.title for info in infos))).upper()
        return cls(fixed_words().union(_WORD.findall(words)), frozenset())

    def order(self, line: str) -> str:
        """Return an order with all other words as dots."""
        return self._masked(line, self.fixed | self.names)

    def fault(self, fault: LineError) -> LineError:
        """Return a fault without its words, also where its reason repeats them."""
        text = self._masked(fault.text, self.fixed)
        left_out = {*map(_bare, _WORD.findall(fault.text))} - {*map(_bare, _WORD.findall(text))}

        def shown(reason: str) -> str:
            return _WORD.sub(lambda word: MASK if _bare(word[0]) in left_out else word[0], reason)

        reason, advice = shown(fault.reason), shown(fault.advice)
        return replace(fault, text=text, reason=reason, advice=advice, to_send=(), instead="")

    def _masked(self, line: str, shown: frozenset[str]) -> str:
        def word(found: re.Match[str]) -> str:
            typed = _bare(found[0])
            return found[0] if typed in shown or _CODE.fullmatch(typed) else MASK

        return _WORD.sub(word, line)


def _bare(word: str) -> str:
    return word.upper().strip(".:'!?#")


_NOTHING_TYPED = (
    "We found no text of your own in your email. Nothing was done. Write orders and commands above "
    "the quoted text; HELP explains them."
)
_ONLY_NAMED = (
    "Your email has neither orders nor commands, so nothing was done. Write them below the line "
    "that names the game or the turn; a line that begins with # is a note. HELP explains them."
)
_ONLY_WORDS = (
    "Your email has neither orders nor commands, so nothing was done. Only a program reads it."
)
_FOR_GMS = "HELP GM lists the commands of a GM."
_FOR_ALL = "HELP explains what you can write."


def answer(
    context: LetterContext,
    faults: Sequence[LineError],
    body: Body | None = None,
) -> None:
    """Add the one letter that answers what was said, filed and not understood."""
    identity, sheet = context.identity, context.sheet
    is_shown = sheet is not None and sheet.change is Change.RESTORED
    if sheet and body and (is_shown or is_about_sheet(body)):
        notice = acknowledgement(context, sheet, body, faults)
        hidden = _shown(context, notice.faults), _shown(context, notice.undone)
        notice = replace(notice, faults=hidden[0], undone=hidden[1], note=context.note)
        context.letters.append((notice, context.addressing("ack")))
    elif context.said or faults or any(missing_parts(context)):
        said = tuple(context.said)
        wrong, others = (
            _shown(context, undone(context, faults)),
            len(reply_limits.binding(context.letters)),
        )
        note, fact = context.note, ""
        if not said and all(each.is_words for each in wrong):
            if others:
                # A greeting next to JOIN needs no answer besides the welcome.
                return
            topic = _FOR_GMS if identity.seat is None and identity.is_gm else _FOR_ALL
            note, fact = f"{_ONLY_WORDS} {topic} {note}".rstrip(), "no commands in your email"
        files = [part.name for part in _skipped(context, _named(wrong)) if not part.embedded]
        if files and identity.trust.is_believed:
            note = f"{note} Ignored: {'; '.join(files)}.".lstrip()
        sheet_now = _unchanged(context, body)
        answers = CommandAnswers(said, wrong, sheet_now, others, note, fact)
        context.letters.append((answers, context.addressing("answer")))
    elif not context.letters and (identity.seat is not None or identity.is_gm):
        nothing = CommandReply(0, "", _ONLY_NAMED if context.own.is_typed else _NOTHING_TYPED)
        context.letters.append((CommandAnswers((nothing,)), context.addressing("answer")))
    elif not context.letters:
        context.letters.append((unknown(context), context.addressing("unknown")))


def _shown(context: LetterContext, faults: Sequence[LineError]) -> tuple[LineError, ...]:
    """Return the lines not done, without the words of somebody who may write in a player's name."""
    if context.identity.trust.is_believed or context.identity.person is None:
        return tuple(faults)
    shown = tuple(map(Mask.of(context).fault, faults))
    if any(MASK in fault.text for fault in shown):
        context.note = context.note or HIDDEN
    return shown


def _unchanged(context: LetterContext, body: Body | None) -> str:
    """Return the state of orders for the turn, if the letter has only mistyped commands for it."""
    seat, table = context.identity.seat, context.table
    if body is None or not body.mistyped or seat is None or table is None:
        return ""
    done = undo_log.of_letter(context.session, seat, context.row.id)
    if any(each.kind is UndoKind.SHEET for each in done):
        return ""
    game = table.game
    if game.status is GameStatus.ENDED:
        return ""
    if games.on_file(context.session, seat, game.turn) is not None:
        return f"Your sheet for turn {game.turn} is unchanged."
    return _nothing_on_file(context, table, seat)


def is_about_sheet(body: Body) -> bool:
    """Return whether the letter has orders, lines not read, or a command about the sheet."""
    return bool(body.sheet_lines) or _changes_sheet(body)


def _changes_sheet(body: Body) -> bool:
    """Return whether a command of the letter is about the sheet."""
    cleared = any(item.command.turn is None for item in body.commanded(Clear))
    return cleared or body.has(Check, Cancel)


def is_creator(context: LetterContext) -> bool:
    """Return whether the settings name the sender's address as one that may CREATE games."""
    return context.identity.address in (context.site.creators or ())


def unknown(context: LetterContext) -> Unknown:
    """Return the answer, which tells an invited person how to join."""
    identity = context.identity
    game = identity.game.name if identity.game is not None else ""
    if (invited := _invited_to(context)) is not None:
        return Unknown(wrong_code=False, game=invited.name, join=join_line(context.site, invited))
    return Unknown(identity.proof.why is Why.WRONG_CODE, game, creates=is_creator(context))


def _invited_to(context: LetterContext) -> Game | None:
    """Return the game that waits for players, if the letter is about it and its sender can join."""
    session, address, game = context.session, context.identity.address, context.identity.game
    if game is None or game.status is not GameStatus.FORMING:
        return None
    decided = admissions.find(session, game, address)
    is_allowed = decided is not None and decided.state is AdmissionState.ALLOWED
    return game if is_allowed else None
