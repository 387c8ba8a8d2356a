"""Press: messages between players, accepted under the game's rules and kept for the report."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.desk.house import House
from referee.desk.tables import Table
from referee.domain.trust import verify
from referee.rules.ruleset import Mistake, Seat
from referee.store import Session
from referee.store.models import InboxLetter, Press, SeatRow

MOST_CHARACTERS = 10_000
"""How long one message may be."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message as a player wrote it: to whom by name, signed or not."""

    recipients: Sequence[str]
    anonymous: bool
    text: str


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
    if _shows_token(house, message.text):
        raise Mistake(
            "The message has a reply address of yours in it, with which others could write in "
            "your name; it was not sent. Take the address out."
        )
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


def _shows_token(house: House, text: str) -> bool:
    words = text.replace("<", " ").replace(">", " ").replace("+", " ").replace("@", " ").split()
    return any(verify(word, house.key) is not None for word in words)
