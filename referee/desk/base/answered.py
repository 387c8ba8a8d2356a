"""The letter of ours that a letter answers, and what its sender typed themselves."""

from referee.letters.incoming.decode import text_in
from referee.letters.incoming.letter import Letter
from referee.letters.incoming.quoting import OwnText, needs_ours, own_text
from referee.store import Session
from referee.store.mail import mail_queries
from referee.store.mail.mail_queries import Quotable


def answered_letter(session: Session, letter: Letter) -> Quotable | None:
    """Return the letter of ours that *letter* answers, or None."""
    if not letter.references:
        return None
    return mail_queries.letter_called(session, letter.references[0])


def typed_text(session: Session, letter: Letter) -> OwnText:
    """Return the text that the sender of *letter* typed.

    Our letter that it answers is looked up only if that can make a difference.
    """
    if not needs_ours(letter.text):
        return own_text(letter.text)
    ours = answered_letter(session, letter)
    return own_text(letter.text, text_in(ours.raw) if ours is not None else "")
