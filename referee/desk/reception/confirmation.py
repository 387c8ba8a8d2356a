"""Pending letters: why they wait, what the primary address is asked, and on which terms."""

from typing import Final

from referee.desk.base.identity import NEWEST, ConfirmationTerms, Identity, Trust
from referee.desk.games import start_terms
from referee.desk.gm import messages
from referee.desk.orders import doubt, readiness
from referee.desk.orders.command_entries import Effect, For
from referee.desk.orders.letter_context import LetterContext
from referee.desk.players.press import shown_in
from referee.desk.reception import execution
from referee.desk.reception.answers import HIDDEN, MASK, Mask
from referee.desk.reception.commands import COMMANDS, effects, head_of
from referee.desk.reception.pending import Need, Preview, need_of, undone
from referee.desk.seats import takeover
from referee.domain.commands import Decline, Join, Observe, StandDown, TakeOver
from referee.domain.gm_commands import (
    Adjudicate,
    Approve,
    Correct,
    SeatRobot,
    SetOptions,
    SetSeats,
    SetStart,
)
from referee.domain.tokens import Kind
from referee.letters.outgoing.notices import Confirmation
from referee.parsing.body import Body, DiaryBlock, ParsedCommand, PressBlock, StandingBlock
from referee.parsing.commands import command_words
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.reference import about
from referee.rules.wording import counted
from referee.store import Session
from referee.store.games import games
from referee.store.models import GameStatus

MOST_TYPED: Final = 100
"""The most lines of a pending letter that the question about it repeats."""
_Block = DiaryBlock | StandingBlock
"""Blocks that act in a seat's name, as messages do."""
_MOST_NAMED = 3
_FOR_OWNER: Final = For.SEAT | For.DEPUTY | For.KNOWN
_ANYONE: Final = (
    "Anyone could have sent it: no signature of your mail provider shows that you wrote it to us."
)
_AWAY: Final = (
    "Its subject is that of an automatic reply, so a program could have written it while you are "
    "away. With another subject, orders count at once."
)
_SHOWN_FIRST: Final = (Adjudicate, Correct)
"""The commands that can be undone, but that no GM should confirm without a preview."""
_FILLING: Final = (Approve, SeatRobot)
"""The commands that take a seat of a forming game, perhaps the last one."""


def reason(context: LetterContext, asked: Body) -> str:
    """Return why the lines of *asked* wait, for the question about them."""
    identity = context.identity
    needs = {need_of(context, item) for item in asked.items}
    if identity.trust is Trust.ELSEWHERE or context.quiet:
        return _unverified_reason(context) if identity.trust is Trust.ELSEWHERE else _AWAY
    if Need.COSTLY in needs or (identity.deputy is not None and not identity.trust.is_believed):
        return _unverified_reason(context)
    if asked.has(Observe):
        return "It asks us to send you emails, and anyone could have written it."
    if Need.ENTER in needs:
        return _ANYONE
    if Need.LASTING not in needs:
        return doubt.question(context, asked) or _unverified_reason(context)
    if identity.trust.is_believed and (why := _message_reason(context, asked)):
        return why
    return _consequences(context, asked)


def question(context: LetterContext, body: Body, seen: Preview, reason: str) -> Confirmation:
    """Return the question to the sender, with what will and will not be done."""
    typed, faults = typed_lines(context, body, seen), undone(context, body, seen)
    if not context.identity.trust.is_sure:
        unread = {item.line for item in body.items if isinstance(item, Unparsed)}
        masked = Mask.of(context).fault
        faults = tuple(masked(each) if each.line in unread else each for each in faults)
    asked = doubt.question(context, body) if context.identity.trust.is_believed else ""
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
        until=readiness.counts_until(context) if is_for_seat else "",
        doubt=asked,
    )


def typed_lines(context: LetterContext, body: Body, seen: Preview) -> tuple[str, ...]:
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
    lines: list[str] = []
    for item in body.items:
        match item:
            case ParsedCommand() if unproven or (by_anyone and _enters(item)):
                lines.append(execution.without_echo(item, item.text.strip()))
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


def _enters(item: ParsedCommand) -> bool:
    return COMMANDS[type(item.command)].effect is Effect.ENTERS


def _repeats(done: str, line: str) -> bool:
    return done == line or done.startswith((f"{line}:", f"{line.upper()}:"))


def asks_of_owner(identity: Identity, body: Body) -> bool:
    """Return whether a letter to another person's token asks something for that person's seat."""
    if body.heading is not None and body.heading.by_gm:
        return False
    if identity.asked(Kind.OFFER) is not None:
        return body.has(TakeOver, Decline, StandDown)
    if body.press or any(isinstance(item, Parsed | _Block) for item in body.items):
        return True
    needed = (COMMANDS[type(item.command)].who for item in body.commands)
    return any(who & _FOR_OWNER and For.ANYONE not in who for who in needed)


def asks_for_seat(body: Body) -> bool:
    """Return whether the letter asks for a seat for its sender, so it acts for no seat it names."""
    return body.has(TakeOver) or Effect.ENTERS in effects(body)


def about_entered(session: Session, identity: Identity, body: Body) -> Identity:
    """Return the identity, about the game that the letter enters if it does nothing else.

    The subject of the question then names that game, and a reply is for no seat of another.
    """
    asked = (getattr(i, "command", None) for i in body.items if not isinstance(i, Unparsed))
    entered = Join | Observe | TakeOver
    named = {each.game if isinstance(each, entered) else "" for each in asked}
    game = games.by_name(session, named.pop()) if len(named) == 1 else None
    return identity if game is None else identity.told(game=game, seat=None)


def _named(body: Body) -> str:
    """Return a few words for what the letter asks for, commands first."""
    names = []
    for item in body.items:
        match item:
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
    return words[0] if words[0] in command_words() else "a count of orders"


def must_be_shown(
    context: LetterContext, body: Body, seen: Preview, terms: ConfirmationTerms
) -> bool:
    """Return whether a confirmed letter waits once more, for a preview of what it does now.

    That is so if its effect has changed. An unverified GM was shown none, and needs one if it
    adjudicates or corrects, if the effect cannot be undone, or if another turn has begun.
    """
    if not seen.done or _asks_for_nothing(context, body):
        return False
    if terms.shown:
        return seen.digest != terms.shown
    game = context.identity.game
    begun = game is not None and (game.turn or None) != terms.turn
    return begun or body.has(*_SHOWN_FIRST) or _is_for_good(context, body)


def _is_for_good(context: LetterContext, body: Body) -> bool:
    """Return whether not all that its commands do can be undone."""
    return Effect.FOR_GOOD in effects(body) or _may_start(context, body)


def _may_start(context: LetterContext, body: Body) -> bool:
    """Return whether commands of a GM may fill a forming game so that it starts."""
    game = context.identity.game
    if game is None or game.status is not GameStatus.FORMING or not context.identity.is_gm:
        return False
    counts = [item.command for item in body.commands if isinstance(item.command, SetSeats)]
    taken = len(game.seats) + len(body.commanded(*_FILLING))
    taken += sum(each.robots or 0 for each in counts)
    if taken < min([game.places, *(each.count for each in counts)]):
        return False
    starts = start_terms.starts_when_full(game, context.now)
    return body.has(SetOptions, SetStart) or (starts and body.has(SetSeats, *_FILLING))


def _asks_for_nothing(context: LetterContext, body: Body) -> bool:
    """Return whether the letter only asks for seats that are gone."""
    commands = [item.command for item in body.commands]
    gone = (isinstance(each, TakeOver) and takeover.is_gone(context, each) for each in commands)
    return bool(commands) and not body.press and all(gone)


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


def _consequences(context: LetterContext, body: Body) -> str:
    """Return why lines with consequences must be confirmed."""
    identity = context.identity
    reason = "We ask before a command that changes the game."
    if body.press or any(item.leaves for item in body.parsed) or _is_for_good(context, body):
        reason = "Some of this cannot be undone."
    # The owner must see that somebody else could have written it.
    if identity.trust.is_proven:
        return reason
    if not identity.trust.is_from_owner and asks_for_seat(body):
        # The question goes to the sender.
        return f"{reason} {_ANYONE}"
    # A command of consequence is asked about in any case.
    return f"{reason} {_unverified_reason(context).removesuffix(NEWEST)}".rstrip()


def _unverified_reason(context: LetterContext) -> str:
    identity = context.identity
    shown, answered = identity.shown_address, identity.about.answers_game
    return identity.proof.why.value.format(address=shown, game=answered)
