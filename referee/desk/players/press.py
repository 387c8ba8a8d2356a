"""Press: messages between players, checked by the game's rules and kept until delivery."""

from collections.abc import Sequence, Set
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base import robots
from referee.desk.base.loaded_games import LoadedGame
from referee.desk.base.press_privacy import given_away, refuse_secrets
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import plays
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import seats_met
from referee.desk.reports.press_delivery import addressees
from referee.domain.commands import Recall
from referee.domain.press import LIMITS_TO_GM, PressRule, PressTime, goes_out
from referee.domain.schedules import in_words
from referee.letters.outgoing.local_time import Moment
from referee.parsing.body import PressBlock
from referee.rules.ruleset import UserError
from referee.store.games import press, undo_log
from referee.store.games.press import Press
from referee.store.games.undo_log import UndoKind
from referee.store.mail import inbox
from referee.store.models import Game, GameStatus, SeatRow

MOST_CHARACTERS = 10_000
"""The maximum length of one message."""
REPEATED_TURNS: Final = 2
"""How many turns before the current one a message is recognised that is sent again."""
GM = 0
"""The sender or recipient number of the GM, who has no seat."""


def write(context: LetterContext, message: PressBlock) -> Deed:
    """Keep a player's message until it is delivered, and say to whom it goes and when.

    It goes to all its recipients or to none; a message to the GM does not wait for the report.
    Raises UserError if it is not allowed. The error does not reveal whether a seat exists that the
    player has not met.
    """
    row = context.seat()
    items = [_item(context, row, message, to) for to in _addressed(context, message)]
    twins = [_waiting_twin(context, item) for item in items]
    for item, twin in zip(items, twins, strict=True):
        if twin is None:
            _check_limits(context, item)

    def keep() -> str:
        return " ".join(_keep_once(context, row, message, item) for item in items)

    return Deed(_preview(context, message, items[0]), keep)


def _preview(context: LetterContext, message: PressBlock, item: Press) -> str:
    """Return to whom a message goes, when if its writer has chosen that, and what it reveals."""
    when = delivery(context.game(), item, context.zone) if message.when is not None else ""
    shown, again = shown_in(context, message), repeated_in(context, message)
    return (
        f"A message to {', '.join('the GM' if to == 'GM' else to for to in message.recipients)}"
        + (f", delivered {when}" if when else "")
        + (f"; it contains {shown}, which they will see" if shown else "")
        + (f"; it has the same words as {again}" if again else "")
    )


def _addressed(context: LetterContext, message: PressBlock) -> list[list[int]]:
    """Return to whom the message goes: to the GM, to seats, or to both, separately."""
    table, row = context.playing(), context.seat()
    if table.game.status is GameStatus.ENDED:
        raise UserError(f"{table.game.name} has ended and no longer delivers messages.")
    check_message(message)
    for person in context.writers:
        refuse_secrets(context.site, person, message.text)
    names = list(dict.fromkeys(name.upper() for name in message.recipients))
    if "GM" in names and table.game.for_one:
        raise UserError(f"{table.game.name} has no GM, so the message was not sent.")
    players = [name for name in names if name != "GM"]
    if message.anonymous and not table.game.press_rules.anonymous:
        raise UserError(f"In {table.game.name} messages are signed. Write PRESS TO and the names.")
    excluded = {name.upper() for name in message.excluded} - {"GM"}
    _check_gm(table.game, message)
    recipients = _recipients(context.table_in_play(), row, players, excluded) if players else []
    to = [[GM]] if "GM" in names else []
    return [*to, [other.number for other in recipients]] if recipients else to


def _check_gm(game: Game, message: PressBlock) -> None:
    """Raise UserError if there is no GM, or one who plays and would get it in spite of BUT GM."""
    if "GM" in map(str.upper, message.recipients) and not game.gms:
        raise UserError(f"{game.name} has no GM, so the message was not sent.")
    if "GM" in map(str.upper, message.excluded) and any(plays(game, gm.person) for gm in game.gms):
        raise UserError(
            f"A GM of {game.name} also plays in it, so BUT GM would not leave them out. Name those "
            "to whom you write. The message was not sent."
        )


@command(Recall, "CANCEL", For.SEAT, Effect.BINDS, shown_in="press_at_once")
def recall(context: LetterContext, given: Recall) -> Deed:
    """CANCEL #receipt takes back the messages of that letter that were not yet delivered.

    Raises UserError if there is none.
    """
    row, pending = context.seat(), _pending(context, given)

    def take_back() -> str:
        for item in pending:
            context.session.delete(item)
        for entry in undo_log.of_letter(context.session, row, pending[0].letter_id):
            if entry.kind is UndoKind.PRESS and entry.undone_id is None:
                entry.undone_id = context.row.id
        whom = "; ".join(addressees(row.game, item) for item in pending)
        return f"Taken back and not delivered: the message to {whom}."

    return Deed("", take_back)


def _pending(context: LetterContext, command: Recall) -> list[Press]:
    """Return the messages of a letter that wait. Raises UserError if there are none."""
    row = context.seat()
    letter = inbox.letter_with(context.session, row, command.receipt) or 0
    if pending := press.pending_of(context.session, row, letter):
        return pending
    if press.has_gone(context.session, row, letter):
        raise UserError(f"The messages from #{command.receipt} have already been delivered.")
    raise UserError(f"You sent no message with receipt #{command.receipt}.")


def check_message(message: PressBlock) -> None:
    """Raise UserError if the message cannot be carried: its first line is wrong, or its length."""
    if message.excluded and [name.upper() for name in message.recipients] != ["ALL"]:
        raise UserError("BUT goes with ALL: PRESS TO ALL BUT MARS. The message was not sent.")
    if "ALL" in map(str.upper, message.excluded):
        raise UserError("Nobody is left to write to, so the message was not sent.")
    if not message.text.strip():
        raise UserError("The message is empty, so it was not sent.")
    if len(message.text) > MOST_CHARACTERS:
        raise UserError(
            f"A message can have at most {MOST_CHARACTERS} characters. It was not sent."
        )


def _keep_once(context: LetterContext, row: SeatRow, message: PressBlock, item: Press) -> str:
    """Keep a message for its recipients, only once, and return the answer."""
    names = addressees(row.game, item)
    if (twin := _waiting_twin(context, item)) is not None:
        first = context.receipt_of(twin.letter_id)
        where = "in this email" if twin.letter_id == context.row.id else f"from #{first}"
        told = f"The same message to {names} is already waiting, {where}, so it goes out once."
        change = f" To change its time, send CANCEL #{first} first."
        return told + (change if message.when is not None else "")
    context.session.add(item)
    context.session.flush()
    what = f"message to {names}"
    undo_log.note(context.session, row, context.row, UndoKind.PRESS, what, after=[item.id])
    return _answer_kept(context, row, item, names)


def _waiting_twin(context: LetterContext, item: Press) -> Press | None:
    """Return the message with the same words to the same people that waits already, or None."""
    to, text = item.recipients, item.text
    return press.twin(context.session, context.seat(), to, text, anonymous=item.anonymous)


def _item(
    context: LetterContext, row: SeatRow, message: PressBlock, recipients: list[int]
) -> Press:
    """Return a message as it is kept. Raises UserError if its time is not possible."""
    game, due = row.game, None
    if recipients == [GM] or game.press_rules.at_once:
        due = goes_out(context.now, anonymous=message.anonymous)
    item = Press(
        game_id=game.id,
        turn=game.turn,
        letter_id=context.row.id,
        sender=row.number,
        anonymous=message.anonymous,
        recipients=recipients,
        text=message.text,
        receipt=message.receipt,
        due_at=due,
    )
    if message.when is not None:
        _set_time(context, game, item, message.when)
    return item


def _answer_kept(context: LetterContext, row: SeatRow, item: Press, names: str) -> str:
    """Return when a message goes out, how it is signed, and how it can be taken back."""
    signed = "unsigned" if item.anonymous else f"signed {row.name}"
    when = delivery(row.game, item, context.zone)
    known = seats_met(context.playing(), row).values()
    to_robots = robots.polite(each for each in known if each.number in item.recipients)
    told = f"Your message to {names} goes out {when}, {signed}."
    if item.is_timed:
        told += " If the turn is resolved before that, it comes with the report."
    if context.identity.deputy is not None:
        told += f" Until then the player can take it back with CANCEL #{context.receipt}."
    else:
        told += f" Until then CANCEL #{context.receipt} takes it back."
    return f"{told} {to_robots}".rstrip()


def shown_in(context: LetterContext, message: PressBlock) -> str:
    """Return the words in a message that would reveal those who write the letter, or ""."""
    seat = context.identity.seat
    signed = seat.name if seat is not None and not message.anonymous else ""
    shown = (given_away(person, message.text, signed) for person in context.writers)
    return next(filter(None, shown), "")


def repeated_in(context: LetterContext, message: PressBlock) -> str:
    """Return the delivered message of the last turns that a message repeats, or ""."""
    if context.identity.seat is None:
        return ""
    try:
        return _repeated(context, message, _addressed(context, message))
    except UserError:
        # It is not sent, and its answer says why.
        return ""


def _repeated(context: LetterContext, message: PressBlock, addressed: list[list[int]]) -> str:
    row = context.seat()
    first = row.game.turn - REPEATED_TURNS
    for to in addressed:
        twin = press.delivered_twin(context.session, row, to, message.text, first)
        if twin is not None:
            receipt = context.receipt_of(twin.letter_id)
            return f"your message to {addressees(row.game, twin)} from #{receipt}"
    return ""


def _check_limits(context: LetterContext, item: Press) -> None:
    """Raise UserError if *item* exceeds the limits of messages in a turn.

    Those to the GM have limits of their own, the same in every game: a player who has written much
    to others can still write to the GM, and nobody can bury the GM in messages.
    """
    row = context.seat()
    game, to_gm = row.game, item.recipients == [GM]
    rules = LIMITS_TO_GM if to_gm else game.press_rules
    written = press.written(context.session, row, game.turn, to_gm=to_gm)
    whom = " to the GM" if to_gm else ""
    if rules.limit and len(written) >= rules.limit:
        most = "one message" if rules.limit == 1 else f"{rules.limit} messages"
        raise UserError(
            f"In {game.name} a player can write {most}{whom} in a turn, and you have. It was not "
            "sent."
        )
    size = sum(len(one.encode()) for one in (*written, item.text))
    if rules.kilobytes and size > rules.kilobytes * 1000:
        raise UserError(
            f"In {game.name} a player can write messages of {rules.kilobytes} kB{whom} in a turn. "
            f"With this one, yours would have {-(-size // 1000)} kB. It was not sent."
        )


def _set_time(context: LetterContext, game: Game, item: Press, when: PressTime) -> None:
    """Set when a message is delivered. Until then it can be taken back like any other.

    Raises UserError if the game does not allow it, or if the time has passed or is too late.
    """
    if not game.press_rules.at_once and any(item.recipients):
        raise UserError(
            f"In {game.name} messages to players come with the next report, so none has a time. "
            "Write it without AT. It was not sent."
        )
    if when.clock is not None:
        item.wanted_at = when.clock.after(context.row.arrived_at, context.zone)
    if when.lead is not None:
        item.lead_seconds = int(when.lead.total_seconds())
    _check_time(context, game, item)
    at = press.moment_of(game, item)
    item.due_at = at and max(at, goes_out(context.now, anonymous=item.anonymous))


def _check_time(context: LetterContext, game: Game, item: Press) -> None:
    due, at = game.due_at, item.wanted_at
    if due is not None and item.lead_seconds is not None:
        at = due - timedelta(seconds=item.lead_seconds)
    if at is not None and at <= context.now:
        raise UserError(
            f"That is {Moment(at, context.zone)}, which has passed. The message was not sent."
        )
    if at is not None and due is not None and at > due:
        raise UserError(
            f"That is {Moment(at, context.zone)}, but turn {game.turn} is due on "
            f"{Moment(due, context.zone)}. A message has a time in its turn. It was not sent."
        )


def delivery(game: Game, item: Press, zone: str) -> str:
    """Return when a message is delivered: ``on Fri 4 Sep 2026, 16:00 UTC``."""
    if item.lead_seconds is None:
        return _on(item.due_at, zone) or "with the next report"
    lead = timedelta(seconds=item.lead_seconds)
    relative = f"{in_words(lead)} before the deadline" if lead else "at the deadline"
    if item.due_at is not None:
        return f"{_on(item.due_at, zone)}, {relative}"
    held = game.status is GameStatus.HELD
    return f"{relative}, when the game goes on" if held else "with the next report"


def _on(moment: datetime | None, zone: str) -> str:
    return f"on {Moment(moment, zone)}" if moment is not None else ""


def _recipients(
    table: LoadedGame, row: SeatRow, names: Sequence[str], excluded: Set[str]
) -> list[SeatRow]:
    game, rules = table.game, table.game.press_rules
    if rules.rule is PressRule.NONE:
        raise UserError(
            f"In {game.name} players cannot write to each other. Nothing was sent. PRESS TO GM "
            "writes to the GM."
        )
    by_name = seats_met(table, row)
    if rules.rule is not PressRule.MET:
        by_name = {other.name: other for other in game.seats if other is not row}
    if "ALL" in names and not rules.broadcast:
        raise UserError(
            f"In {game.name} messages go to players by name, not to ALL. It was not sent."
        )
    strangers = [name for name in (*names, *excluded) if name not in {"ALL", *by_name}]
    wanted = [name for name in by_name if name not in excluded] if "ALL" in names else list(names)
    if excluded and not strangers and not wanted:
        raise UserError("Nobody is left to write to, so the message was not sent.")
    if strangers or not wanted:
        met = f" You have met: {', '.join(by_name)}." if by_name else ""
        whom = ", ".join(strangers) or "anyone"
        raise UserError(f"You have not met {whom}, so the message was not sent.{met}")
    return [by_name[name] for name in wanted]
