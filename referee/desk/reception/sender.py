"""The sender of a letter and their seat, by the evidence in the letter."""

from dataclasses import dataclass

from referee.desk.base.answered import answered_letter
from referee.desk.base.desk import Desk
from referee.desk.base.identity import Identity, Proofs, identify
from referee.desk.base.letter_tokens import LetterTokens
from referee.desk.orders.player_text import numbered
from referee.domain.tokens import Kind
from referee.letters.incoming.letter import Letter
from referee.letters.incoming.quoting import OwnText
from referee.letters.incoming.screening import Screening
from referee.parsing.body import find_heading
from referee.store.games import games
from referee.store.models import InboxLetter
from referee.store.people import people


@dataclass(frozen=True, slots=True)
class Read:
    """A letter to be routed: our tokens in it, its own text, its kind, and whether it is signed."""

    letter: Letter
    tokens: LetterTokens
    own: OwnText
    screening: Screening
    is_signed: bool | None = None
    """None if it was not looked up."""


def sender_of(desk: Desk, read: Read, row: InboxLetter) -> Identity:
    """Return the sender of the letter and their seat."""
    heading = find_heading(numbered(read.own.lines))
    proofs = Proofs(read.tokens, heading, read.is_signed, desk.now, _game_answered(desk, read))
    return identify(desk.session, read.letter, row, proofs)


def _game_answered(desk: Desk, read: Read) -> str:
    """Return the name of the game of our email that a GM's letter answers, or "".

    The token of a GM is for all their games, and says nothing about those of others.
    """
    senders = [people.by_address(desk.session, each.address) for each in read.letter.senders]
    own = {person.id for person in senders if person is not None}
    if not any(t.kind is Kind.GM and t.number in own for t in read.tokens.sent_to):
        return ""
    found = answered_letter(desk.session, read.letter, desk.site.key)
    number = found.game_id if found is not None else None
    game = games.by_id(desk.session, number) if number is not None else None
    return game.name if game is not None else ""
