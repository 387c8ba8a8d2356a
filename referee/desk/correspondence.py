"""Press: messages between players, accepted under the game's rules and kept for the report."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from referee.desk.house import House
from referee.desk.tables import Table
from referee.domain.press import PressRule
from referee.domain.trust import code_fits, shows_token
from referee.rules.ruleset import Mistake, Seat
from referee.store import Session
from referee.store.models import InboxLetter, Person, Press, SeatRow

_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"]{1,64}@[^\s@<>()\[\],;:\"]{1,190}\.[^\W\d_]{2,20}")
_LIKE_CODE = re.compile(r"(?<![A-Z0-9])(?:[A-Z2-7]{8}|(?=[a-z]*[2-7])[a-z2-7]{8})(?![A-Za-z0-9])")

MOST_CHARACTERS = 10_000
"""How long one message may be."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message as a player wrote it: to whom by name, signed or not.

    *may_show_address* tells that he has confirmed that it may.
    """

    recipients: Sequence[str]
    anonymous: bool
    text: str
    may_show_address: bool = False


def accept_press(
    session: Session,
    house: House,
    table: Table,
    row: SeatRow,
    letter: InboxLetter,
    message: Message,
) -> str:
    """Keep a message for the next report and say to whom it goes.

    It goes to all its recipients or to none. Raises Mistake, in words for the player, when it may
    not go. Whether somebody exists whom he has not met, he is not told.
    """
    if not message.text.strip():
        raise Mistake("The message is empty, so it was not sent.")
    if len(message.text) > MOST_CHARACTERS:
        raise Mistake(f"A message has at most {MOST_CHARACTERS} characters; it was not sent.")
    _refuse_secrets(house, row, message)
    if message.anonymous and not table.game.press_anonymous:
        raise Mistake(f"In {table.game.name} messages are signed: PRESS TO and the names.")
    recipients = _recipients(table, row, message.recipients)
    session.add(
        Press(
            game_id=table.game.id,
            turn=table.game.turn,
            letter_id=letter.id,
            sender=row.number,
            anonymous=message.anonymous,
            recipients=[other.number for other in recipients],
            text=message.text,
        )
    )
    names = ", ".join(other.name for other in recipients)
    signed = "unsigned" if message.anonymous else f"signed {row.name}"
    return f"Your message to {names} goes out with the next report, {signed}."


def _recipients(table: Table, row: SeatRow, names: Sequence[str]) -> list[SeatRow]:
    game = table.game
    if game.press_rule is PressRule.NONE:
        raise Mistake(f"In {game.name} players may not write to each other; nothing was sent.")
    known = frozenset(Seat(other.number) for other in game.seats) - {row.number}
    if game.press_rule is PressRule.MET:
        known = table.ruleset.contacts(table.state, Seat(row.number))
    by_name = {other.name: other for other in table.game.seats if other.number in known}
    wanted = list(dict.fromkeys(name.upper() for name in names))
    if wanted == ["ALL"]:
        wanted = list(by_name)
    strangers = [name for name in wanted if name not in by_name]
    if strangers or not wanted:
        met = f" You have met: {', '.join(by_name)}." if by_name else ""
        whom = ", ".join(strangers) or "anybody"
        raise Mistake(f"You have not met {whom}, so the message was not sent.{met}")
    return [by_name[name] for name in wanted]


def shows_address(text: str) -> bool:
    """Say whether a mail address stands in *text*."""
    return _ADDRESS.search(text) is not None


def _refuse_secrets(house: House, row: SeatRow, message: Message) -> None:
    """Raise Mistake when the message would tell what others could write in the player's name."""
    if shows_token(message.text, house.key):
        raise Mistake(
            "The message has a reply address of yours in it, with which others could write in "
            "your name; it was not sent. Take the address out."
        )
    if row.person is not None and _shows_code(row.person, message.text):
        raise Mistake("Your security code stands in the message, so it was not sent.")
    if not message.may_show_address and shows_address(message.text):
        raise Mistake(
            "A mail address stands in the message, so it was not sent. Take the address out, or "
            "send the message in a letter without orders: then you are asked whether you mean it."
        )


def _shows_code(person: Person, text: str) -> bool:
    """Say whether the person's security code stands in *text*.

    Each look is slow on purpose, so only the first words that could be one are looked at.
    """
    words = dict.fromkeys(_LIKE_CODE.findall(text))
    return any(code_fits(word, person.code_salt, person.code_hash) for word in list(words)[:40])
