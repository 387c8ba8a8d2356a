"""A letter that is being read: what of it waits, and the rules that ask, do and answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Final

from referee.desk.base import reply_limits
from referee.desk.base.desk import Desk
from referee.desk.base.identity import NEWEST, ConfirmationTerms, Identity, Opened, Trust, Why
from referee.desk.base.loaded_games import LoadedGame, lay_begun
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import start_terms
from referee.desk.gm import messages
from referee.desk.orders import doubt, letter_context, readiness
from referee.desk.orders.command_entries import Effect
from referee.desk.orders.letter_context import LetterContext
from referee.desk.players.order_sheet import with_standing
from referee.desk.players.press import shown_in
from referee.desk.players.votes import with_answers
from referee.desk.reception import answers, execution, pending
from referee.desk.reception.answers import HIDDEN, MASK, Mask
from referee.desk.reception.commands import COMMANDS, effect_of, effects, head_of
from referee.desk.reception.execution import repeated
from referee.desk.reception.pending import Need, Preview, divided, need_of, parted, undone
from referee.desk.seats import takeover
from referee.domain import commands as c
from referee.domain import gm_commands as gm
from referee.domain.shares import Charge, Key, Thing
from referee.letters.incoming.letter import MailAddress
from referee.letters.incoming.quoting import OwnText
from referee.letters.incoming.screening import BY_HAND, Screening
from referee.letters.outgoing.notices import (
    CommandAnswers,
    Confirmation,
    LineError,
    Notice,
    Unknown,
)
from referee.parsing.body import (
    Body,
    DiaryBlock,
    ParsedCommand,
    PressBlock,
    StandingBlock,
    read_body,
)
from referee.parsing.command_lines import lone_turn
from referee.parsing.commands import command_words
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.reference import about
from referee.rules.wording import counted
from referee.store import Session
from referee.store.games import games
from referee.store.letter_states import InboxState
from referee.store.mail import inbox, mail_queries
from referee.store.models import GameStatus, InboxLetter

_ONCE_MORE: Final = timedelta(minutes=10)
_FIRST_COME: Final = (
    "No seat is kept for you until you confirm: each goes to the first who confirms."
)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a letter, for its row in the inbox; for a pending one, the terms asked."""

    state: InboxState
    note: str
    identity: Identity | None = None
    asked: dict[str, Any] | None = None

    @property
    def is_erased(self) -> bool:
        """Whether everything about its sender was deleted while it was read."""
        person = self.identity.person if self.identity is not None else None
        return person is not None and person.forgotten_at is not None

    @property
    def holder(self) -> int | None:
        """The player of the seat for which the letter was read, or None if it was not accepted."""
        identity = self.identity
        is_done = self.state is InboxState.READ or bool(self.asked and self.asked["lines"])
        if identity is None or not is_done or not identity.trust.is_from_owner:
            return None
        return identity.seat.person_id if identity.seat is not None else None


@dataclass(slots=True)
class Case:
    """A letter as the rules so far left it.

    *sender* and *twins* are set when the sender is known, *context* and *body* when the lines are
    read. *now* is the part of the body that is done at once, *asked* the part that waits.
    """

    desk: Desk
    read: Opened
    digest: str | None = None
    sender: Identity = field(init=False)
    twins: Sequence[InboxLetter] = ()
    context: LetterContext = field(init=False)
    body: Body = field(init=False)
    now: Body = field(init=False)
    asked: Body = field(init=False)
    others: Sequence[LineError] = ()
    """Other lines not done: next to the answer to a question, or for another's seat."""
    claimed: Identity | None = None
    """The sender of lines for another's seat, with that seat if its player is asked about them."""
    note: str = ""

    @property
    def row(self) -> InboxLetter:
        """The row of the letter in the inbox."""
        return self.read.row

    @property
    def is_by_hand(self) -> bool:
        """Whether a person wrote the letter."""
        kind = self.read.screening
        return kind in BY_HAND or kind.is_gesture

    def open(self, identity: Identity) -> None:
        """Read the lines of the letter, for the seat of *identity*."""
        desk, read = self.desk, self.read
        if identity.game is not None:
            # Lock the game, so that no turn is resolved between reading its state and filing.
            games.lock(desk.session, identity.game)
        table = lay_begun(desk.session, desk.site, identity.game)
        self.context = LetterContext(desk, read.letter, self.row, identity, table, read.own)
        self.context.effort = read.effort
        if identity.trust is not Trust.CONFIRMED:
            self.context.screening = read.screening
        by_hand = self.is_by_hand or read.screening is Screening.MARKED
        self.body = _body(self.context, by_hand=by_hand)
        terms = ConfirmationTerms.kept_with(self.row)
        if terms is not None and terms.lines and identity.trust is Trust.CONFIRMED:
            # The other lines were done when it came.
            self.body = parted(self.body, terms.lines)[1]
        self.context.exit = execution.exit_of(self.body)


@dataclass(frozen=True, slots=True)
class Rule:
    """A step of reading, and why it has its place. A result of its *work* ends the letter."""

    work: Callable[[Case], Result | None]
    why: str


def apply(rules: Sequence[Rule], case: Case) -> Result:
    """Return the result of the first rule that has one; the last of them always has."""
    results = (rule.work(case) for rule in rules)
    return next(result for result in results if result is not None)


def deliver(context: LetterContext, thing: Thing) -> bool:
    """Post the collected answers, if their payers can pay for them.

    One that may be a program's is answered if what is on file is not as before it, or if it asks
    for something new: a program that answers our answers repeats itself.
    """
    if context.screening is Screening.MARKED and context.on_file in ((), context.before):
        if not context.is_new:
            return False
        thing = Thing.IDLE
    return reply_limits.answer(context.desk, context.letters, context.asked(thing))


def conclude(context: LetterContext, thing: Thing, note: str) -> Result:
    """Deliver the answers, and end the letter.

    The operator learns of one that may be a program's, did nothing and is not answered.
    """
    if deliver(context, thing):
        return Result(InboxState.READ, note, context.identity)
    is_filed = context.sheet is not None and context.sheet.filed is not None
    is_done = is_filed or execution.has_changed_something(context)
    if context.screening is Screening.MARKED and not is_done:
        return _leave_unasked(context, ConfirmationTerms.of(context.identity).stored())
    return Result(InboxState.READ, f"{note}; not answered", context.identity)


def _body(context: LetterContext, *, by_hand: bool) -> Body:
    """Parse the letter, and note the questions that it repeats: only if it has more than orders."""
    body = doubt.settle(context, _read(context, by_hand=by_hand))
    if len(body.parsed) < len(body.items):
        body = with_standing(context, with_answers(context, body))
        context.left_out = repeated(body)
    return body


def _read(context: LetterContext, *, by_hand: bool) -> Body:
    """Parse the letter; text edited in the quote counts only if a person wrote the letter."""
    own, reader = context.own, context.table.reader if context.table is not None else None
    if not by_hand:
        return read_body(own.lines, reader, effort=context.effort)
    context.identity = _with_lone_turn(context.identity, context.table, own)
    context.reading = letter_context.read(context)
    if context.reading.edited is not None:
        context.identity = context.identity.told(turn=context.reading.edited.turn)
    return context.reading.body


def _with_lone_turn(identity: Identity, table: LoadedGame | None, own: OwnText) -> Identity:
    """Return the identity with the turn that is the whole first line, as in a heading."""
    named = lone_turn(own.lines)
    if table is None or named is None or table.reader.orders_of(named.head.text):
        return identity
    return identity.told(turn=named.turn, inherited_turn=None)


def divide(case: Case) -> Result | None:
    """Divide the letter into the part that is done at once, and the part that is asked about.

    A letter of which nothing is done at once ends with its question.
    """
    context, body = case.context, case.body
    if not context.identity.trust.is_from_owner and _asks_for_seat(body):
        context.identity = context.identity.told(seat=None, claims_seat=False)
    case.now, case.asked = divided(context, body)
    if context.identity.about.claims_seat:
        return None
    if not case.asked.items:
        context.refused = pending.refused_changes(context, body)
        return None
    seen = pending.preview(context, case.asked)
    still = _still_asked(context, case.asked, seen, is_all=not case.now.items)
    if still.items and not case.now.items:
        return _hold(context, body, seen)
    # Any part that is not possible is answered at once.
    case.now, case.asked = parted(body, {item.line for item in still.items})
    context.refused = {**seen.reasons, **pending.refused_changes(context, case.now)}
    return None


def reject_claims(case: Case) -> Result | None:
    """Reject the lines in the name of another's seat, and have its player asked about them.

    The rest of the letter is done, and answered in the same words, whether or not the seat exists.
    """
    context, identity = case.context, case.context.identity
    if not (identity.about.claims_seat and case.asked.items):
        return None
    seen = pending.preview(context, case.asked)
    case.claimed = identity.told(seat=None) if seen.is_hopeless else identity
    if case.now.items:
        case.others = (*case.others, _no_such_seat(identity))
        return None
    letter_context.report_faults(context)
    result = Result(InboxState.READ, "names a seat that is not the sender's", identity)
    if case.claimed.seat is not None:
        result = _ask(context, case.asked, seen)
    _reject_claim(context)
    return result


def do(case: Case) -> None:
    """Carry out the lines that wait for no answer, and collect their answers."""
    context = case.context
    if not context.identity.trust.is_from_owner:
        # A name in the subject proves nothing: an unverified sender has no seat.
        context.identity = context.identity.told(seat=None)
    why = "It waits for your answer to our question."
    finals = case.asked.commanded(c.Final) if case.claimed is None else ()
    waiting = [LineError(item.line, item.text, why) for item in finals]
    case.note = execution.execute(context, case.now, waiting, case.others)
    letter_context.report_faults(context)


def answer(case: Case) -> Result:
    """Answer the letter in one email, with the question about the lines that wait."""
    context, note = case.context, case.note
    if case.asked.items and case.claimed is None:
        seen = pending.preview(context, case.asked)
        return _ask(context, case.asked, seen, note, is_besides=True)
    result = conclude(context, execution.thing_of(context), note)
    if case.claimed is not None and case.claimed.seat is not None:
        # The player of the seat is asked in an email of their own.
        context.letters.clear()
        context.identity = case.claimed
        return _ask(context, case.asked, pending.preview(context, case.asked), note)
    return result


ACTING: Final = (
    Rule(divide, "a line that needs more proof than there is waits; the others do not"),
    Rule(reject_claims, "nobody acts for a seat that is not theirs, nor learns whether it exists"),
    Rule(do, "in the order typed, each line sees what those above did; FINAL comes last"),
    Rule(answer, "one email: the question first, then what was not done, then the rest"),
)
"""The rules for a letter whose sender is known: one that arrives, and one that is confirmed."""


def _still_asked(context: LetterContext, asked: Body, seen: Preview, *, is_all: bool) -> Body:
    """Return the part that needs an answer, without lines that are not possible in any case.

    If it is *all* of the letter, the question shows these, too.
    """
    none = replace(asked, items=())
    if is_all and seen.is_hopeless:
        return none if context.identity.is_stranger else asked
    is_claim = not context.identity.trust.is_from_owner
    if is_all and (is_claim or not (seen.refused or seen.unchanged)):
        return asked
    if context.identity.trust.is_believed and doubt.question(context, asked):
        return asked
    return divided(context, seen.possible(asked))[1]


def _hold(context: LetterContext, body: Body, seen: Preview) -> Result:
    """Keep the letter pending and ask the primary address about it."""
    letter_context.report_faults(context)
    if seen.is_hopeless:
        borrows = context.identity.trust is Trust.ELSEWHERE
        has_text = any(isinstance(item, PressBlock | DiaryBlock) for item in body.items)
        if has_text or not borrows:
            answers.answer(context, pending.undone(context, body, seen))
        thing = Thing.QUESTION if borrows else Thing.WORK
        return conclude(context, thing, "nothing in it can be done")
    return _ask(context, body, seen)


def _ask(
    context: LetterContext, asked: Body, seen: Preview, note: str = "", *, is_besides: bool = False
) -> Result:
    """Ask about all of a letter, or about the lines that wait.

    *note* is about the rest, if it is done; *is_besides* says that its answer holds the question.
    """
    reason, possible = _reason(context, asked, seen), seen.possible(asked)
    identity = _about_entered(context.session, context.identity, possible)
    lines = sorted({item.line for item in asked.items if item.line}) if note else []
    terms = ConfirmationTerms.of(identity, seen.digest, lines, context.exit).stored()
    if not note:
        context.identity = identity
    joins = _FIRST_COME if possible.has(c.Join) else ""
    why = " ".join(filter(None, (reason, context.identity.named_otherwise, joins)))
    notice = question(context, asked, seen, why, is_besides=is_besides)
    if context.exit and (same := inbox.asked_alike(context.session, context.row, terms)):
        return _ask_once_more(context, notice, same)
    context.letters.append((notice, context.addressing("confirm", held=context.row.id)))
    is_paid = execution.has_changed_something(context) and context.identity.trust.is_believed
    if not deliver(context, Thing.CHANGE if is_paid else _for_question(context)):
        return _leave_unasked(context, terms)
    _give_way(context, terms["person"])
    note = f"{note}; the rest " * bool(note) + f"waits for a confirmation: {reason}"
    return Result(InboxState.HELD, note, context.identity, terms)


def _give_way(context: LetterContext, person: int | None) -> None:
    """End the oldest open question of a person if they have as many as they can.

    Those about forged emails count for themselves.
    """
    if person is None:
        return
    is_proven = context.identity.trust.is_proven
    asking = inbox.asking(context.session, person)
    older = [row for row in asking if Trust.of(row).is_proven == is_proven]
    key = Key.PERSON if is_proven else Key.CLAIMED
    if Charge(Thing.HELD, {key: ""}, held={key: len(older)}).refused() is not None:
        older[0].end_question("gave way to newer emails that wait for a confirmation")


def _ask_once_more(context: LetterContext, notice: Notice, same: InboxLetter) -> Result:
    """Leave the letter to the open question about an earlier one, which asks the same.

    The question costs nothing, and is mailed again after ten minutes: a flood of letters shows its
    victim the very question that they need.
    """
    last = mail_queries.question_about(context.session, same)
    if last is None or last.created_at <= context.now - _ONCE_MORE:
        addressing = context.addressing(f"confirm{context.row.id}x", held=same.id)
        post(context.desk, notice, replace(addressing, answers=same))
    note = f"asks for the same as email #{same.id}, which waits for its confirmation"
    return Result(InboxState.READ, note, context.identity)


def _leave_unasked(context: LetterContext, asked: dict[str, Any]) -> Result:
    """Leave a letter undone, because its sender cannot be asked, or may be a program.

    The operator can release it, unless we know neither its sender nor its seat.
    """
    note = "was not done, and nobody could be asked"
    if context.identity.is_stranger:
        return Result(InboxState.IGNORED, note, context.identity)
    context.desk.unasked.append(context.row.id)
    return Result(InboxState.UNASKED, note, context.identity, asked)


def _no_such_seat(identity: Identity) -> LineError:
    game = identity.game.name if identity.game is not None else "any game"
    return LineError(0, "", f"You have no such seat in {game}.")


def _reject_claim(context: LetterContext) -> None:
    """Answer a letter that has nothing but claims to another's seat."""
    identity = context.identity
    game = identity.game.name if identity.game is not None else ""
    notice: Notice = Unknown(wrong_code=False, game=game)
    to = MailAddress("", identity.address)
    if identity.person is not None:
        to = mailbox(identity.person)
        notice = CommandAnswers((), (_no_such_seat(identity),))
    addressing = Addressing(to, f"unknown{context.row.id}", context.row, context.answered_id)
    context.letters[:] = [(notice, addressing)]
    deliver(context, Thing.IDLE)


def _for_question(context: LetterContext) -> Thing:
    """Return the thing that a question is; a program could answer each with another letter."""
    if context.identity.proof.why is Why.TOO_MANY_CODES or context.identity.trust is Trust.CODE:
        return Thing.CODE
    return Thing.IDLE if context.quiet else Thing.QUESTION


MOST_TYPED: Final = 100
"""The most lines of a pending letter that the question about it repeats."""
_MOST_NAMED = 3
_ANYONE: Final = (
    "Anyone could have sent it: no signature of your mail provider shows that you wrote it to us."
)
_AWAY: Final = (
    "Its subject is that of an automatic reply, so a program could have written it while you are "
    "away. With another subject, orders count at once."
)
_FILLING: Final = (gm.Approve, gm.SeatRobot)
"""The commands that take a seat of a forming game, perhaps the last one."""


def _reason(context: LetterContext, asked: Body, seen: Preview) -> str:
    """Return why the lines of *asked* wait, for the question about them."""
    identity = context.identity
    needs = {need_of(context, item) for item in asked.items}
    if identity.trust is Trust.ELSEWHERE or context.quiet:
        return _unverified_reason(context) if identity.trust is Trust.ELSEWHERE else _AWAY
    if Need.COSTLY in needs or (identity.deputy is not None and not identity.trust.is_believed):
        return _unverified_reason(context)
    if asked.has(c.Observe):
        return "It asks us to send you emails, and anyone could have written it."
    if Need.ENTER in needs:
        return _ANYONE
    if needs.isdisjoint({Need.CHANGE, Need.LASTING}):
        unproven = _unverified_reason(context)
        why = unproven
        if identity.trust.is_believed:
            why = doubt.question(context, asked) or doubt.question_of_denied(asked)
        return f"{why} {doubt.question_of_final(context, asked)}".strip() or unproven
    if identity.trust.is_believed and (why := _message_reason(context, asked)):
        return why
    return f"{doubt.question_of_denied(asked)} {_consequences(context, asked, seen)}".lstrip()


def question(
    context: LetterContext, body: Body, seen: Preview, reason: str, *, is_besides: bool
) -> Confirmation:
    """Return the question to the sender, with what will and will not be done."""
    typed, faults = _typed_lines(context, body, seen), undone(context, body, seen)
    is_believed = context.identity.trust.is_believed
    unread = () if is_besides or not is_believed else tuple(doubt.unread(context, body))
    if not context.identity.trust.is_sure:
        lines = {item.line for item in body.items if isinstance(item, Unparsed)}
        masked = Mask.of(context).fault
        faults = tuple(masked(each) if each.line in lines else each for each in faults)
        unread = tuple(map(masked, unread))
    asked = doubt.question(context, body) if is_believed else ""
    if not reason.startswith(asked):
        # The letter asks for something graver than orders.
        asked = ""
    if not asked and context.identity.seat is not None:
        reason = f"{reason} {doubt.warning(context, body)}".rstrip()
    if asked:
        faults = tuple(
            sorted((*faults, *doubt.rejected(context, body)), key=lambda each: each.line)
        )
    shown = (*typed, *(fault.text for fault in faults))
    is_for_seat = seen.possible(body).parsed and context.identity.seat is not None
    return Confirmation(
        game=context.identity.game.name if context.identity.game is not None else "",
        what=_named(body if asked else seen.possible(body)),
        arrived=context.arrived,
        preview=seen.lines,
        typed=typed,
        reason=f"{reason} {HIDDEN}" if any(MASK in line for line in shown) else reason,
        undone=faults,
        unread=unread,
        until=readiness.counts_until(context) if is_for_seat else "",
        doubt=asked,
        is_besides=is_besides,
    )


def _typed_lines(context: LetterContext, body: Body, seen: Preview) -> tuple[str, ...]:
    """Return the letter's lines in the sender's own words, so that two questions differ.

    Without the lines that the preview repeats. Of an email from another address, only the orders
    and commands, with no words but those of the game and names that the seat knows. Of one that
    anybody could have sent, no message is shown, and no line that is not read. A stranger is shown
    nothing.
    """
    if context.identity.is_stranger:
        return ()
    unproven = not context.identity.trust.is_from_owner
    by_anyone = not context.identity.trust.is_sure
    order = Mask.of(context).order if unproven else str
    public = Mask.public(context.site)
    lines: list[str] = []
    # The preview of a command that enters somewhere names all that it does.
    for item in (each for each in body.items if effect_of(each) is not Effect.ENTERS):
        match item:
            case ParsedCommand() if unproven:
                lines.append(public.order(item.text.strip()))
            case Parsed():
                lines.append(order(item.text.strip()))
            case Unparsed(is_words=True) | ParsedCommand(line=0):
                pass
            case StandingBlock():
                standing = [order(each.text) for each in item.items if isinstance(each, Parsed)]
                lines += ["STANDING", *standing, "END"]
            case PressBlock() | DiaryBlock() if not unproven:
                hidden = f"{MASK} ({counted(len(item.text.split()), 'word')})"
                lines += [
                    head_of(item),
                    *([hidden] if by_anyone else item.text.splitlines()),
                    "END",
                ]
            case Unparsed() if by_anyone:
                pass
            case ParsedCommand() | Unparsed() if not unproven:
                lines.append(item.text.strip())
    lines = [line for line in lines if not any(_repeats(done, line) for done in seen.lines)]
    left = len(lines) - MOST_TYPED
    return (*lines[:MOST_TYPED], *([f"({left} more lines)"] if left > 0 else []))


def _repeats(done: str, line: str) -> bool:
    return done == line or done.startswith((f"{line}:", f"{line.upper()}:"))


def _asks_for_seat(body: Body) -> bool:
    """Return whether the letter asks for a seat for its sender, so it acts for no seat it names."""
    return body.has(c.TakeOver) or Effect.ENTERS in effects(body)


def _about_entered(session: Session, identity: Identity, body: Body) -> Identity:
    """Return the identity, about the game that the letter enters if it does nothing else.

    The subject of the question then names that game, and a reply is for no seat of another.
    """
    asked = (getattr(i, "command", None) for i in body.items if not isinstance(i, Unparsed))
    entered = c.Join | c.Observe | c.TakeOver
    named = {each.game if isinstance(each, entered) else "" for each in asked}
    game = games.by_name(session, named.pop()) if len(named) == 1 else None
    return identity if game is None else identity.told(game=game, seat=None)


def _named(body: Body) -> str:
    """Return a few words for what the letter asks for, commands first."""
    names = []
    for item in body.items:
        match item:
            case ParsedCommand(command=c.CountOrders()):
                pass
            case ParsedCommand() if item.line:
                names.append(_known_words(item.text))
            case PressBlock():
                names.append("a message")
            case DiaryBlock():
                names.append("a diary entry")
            case StandingBlock():
                names.append("standing orders")
            case Parsed(leaves=leaves):
                names.append(item.text.upper() if leaves else "orders")
    # Commands come first, because they are what has consequences.
    named = sorted(dict.fromkeys(names), key=lambda name: not name.isupper())
    return ", ".join(named[:_MOST_NAMED]) + (" and more" if len(named) > _MOST_NAMED else "")


def _known_words(text: str) -> str:
    """Return the first one or two words of a command, but only if they are ours."""
    words = text.upper().split()
    two = " ".join(words[:2])
    is_ours = words[1:2] == ["OFF"] and words[0] in command_words()
    if len(words) > 1 and (is_ours or about("commands.lark", two) or about("gm.lark", two)):
        return two
    return words[0] if words[0] in command_words() else "a command"


def must_be_shown(
    context: LetterContext, body: Body, seen: Preview, terms: ConfirmationTerms
) -> bool:
    """Return whether a confirmed letter waits once more, for a preview of what it does now.

    That is so if its effect has changed, unless it only asks for seats that are gone.
    """
    commands = [item.command for item in body.commands]
    gone = (isinstance(each, c.TakeOver) and takeover.is_gone(context, each) for each in commands)
    is_gone = bool(commands) and not body.press and all(gone)
    return bool(seen.done) and not is_gone and seen.digest != terms.shown


def _may_start(context: LetterContext, body: Body) -> bool:
    """Return whether commands of a GM may fill a forming game so that it starts."""
    game = context.identity.game
    if game is None or game.status is not GameStatus.FORMING or not context.identity.is_gm:
        return False
    counts = [item.command for item in body.commands if isinstance(item.command, gm.SetSeats)]
    taken = len(game.seats) + len(body.commanded(*_FILLING))
    taken += sum(each.robots or 0 for each in counts)
    if taken < min([game.places, *(each.count for each in counts)]):
        return False
    starts = start_terms.starts_when_full(game, context.now)
    return body.has(gm.SetOptions, gm.SetStart) or (starts and body.has(gm.SetSeats, *_FILLING))


def _message_reason(context: LetterContext, asked: Body) -> str:
    """Return why a player's messages wait, if nothing else in *asked* has consequences, or "".

    One waits if it reveals its sender, or repeats a delivered one: email programs send twice.
    """
    others = (item for item in asked.items if not isinstance(item, PressBlock))
    if messages.is_by_gm(context) or any(need_of(context, each) is Need.LASTING for each in others):
        return ""
    if any(shown_in(context, block) for block in asked.press):
        return "We ask because of what a message in it contains."
    return "We ask because a message in it was delivered before."


def _consequences(context: LetterContext, body: Body, seen: Preview) -> str:
    """Return why lines with consequences must be confirmed."""
    identity = context.identity
    asked = (COMMANDS[type(item.command)].because for item in body.commands)
    because = [f"We ask because {each}." for each in asked if each]
    reason = seen.lasting or (*because, "We ask before a command that changes the game.")[0]
    is_for_good = Effect.FOR_GOOD in effects(body) or _may_start(context, body)
    if body.press or any(item.leaves for item in body.parsed) or is_for_good:
        reason = "Some of this cannot be undone."
    # The owner must see that somebody else could have written it.
    if identity.trust.is_proven:
        return reason
    if not identity.trust.is_from_owner and _asks_for_seat(body):
        # The question goes to the sender.
        return f"{reason} {_ANYONE}"
    # A command of consequence is asked about in any case.
    return f"{reason} {_unverified_reason(context).removesuffix(NEWEST)}".rstrip()


def _unverified_reason(context: LetterContext) -> str:
    identity = context.identity
    shown, answered = identity.shown_address, identity.about.answers_game
    return identity.proof.why.value.format(address=shown, game=answered)
