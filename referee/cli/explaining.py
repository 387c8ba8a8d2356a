"""``referee mail explain``: why a letter was held, ignored or set aside, and what can be done."""

from collections.abc import Iterable, Mapping
from typing import Final

import click

from referee.cli.common import moment, open_database, settings_of
from referee.errors import Finding, NotFound
from referee.store import Session
from referee.store.mail import inbox, outbox
from referee.store.models import InboxLetter, InboxState, OutboxState

_STATES: Final[Mapping[InboxState, str]] = {
    InboxState.WAITING: "It waits to be read; `referee run` does that.",
    InboxState.READ: "It was read, and what it asks for was done as far as it was believed.",
    InboxState.HELD: "Nothing in it was done. It waits until the address of record confirms it.",
    InboxState.IGNORED: "Nothing in it was done, and nobody was answered.",
    InboxState.QUARANTINED: (
        "It broke the reader. Its reference stands in the log; `referee mail release` lets it be "
        "read again."
    ),
}
_TRUST: Final[Mapping[str, str]] = {
    "none": "nothing shows that it comes from whom it says",
    "address": "it bears an address of the player's, which anybody can write",
    "code": "it bears an address of the player's and his security code",
    "aligned": "it bears an address of the player's, signed by that address's domain",
    "token": "it is a reply to a letter of ours",
    "confirmed": "the address of record confirmed it",
}
_REASONS: Final[tuple[tuple[str, str], ...]] = (
    ("machine", "Its header shows that a program sent it: a null sender, Precedence, an X- mark."),
    ("automatic", "It says Auto-Submitted; only replies with orders are read of such letters."),
    ("vacation note", "Its subject is a vacation note's, and no orders stand in it."),
    ("bounce", "A mail server reports that a letter of ours could not be delivered."),
    ("complaint", "A mail server reports that somebody called a letter of ours unwanted."),
    ("loop", "It is a letter of ours that came back."),
    ("list", "A mailing list sent it on; an answer would go to everybody on it."),
    ("too big", "It is bigger than any order sheet."),
    ("a copy of", "The same letter came before and was read then."),
)


@click.command("explain")
@click.argument("number", type=int)
@click.pass_context
def explain(ctx: click.Context, number: int) -> None:
    """Say what became of the letter with receipt NUMBER, and why; never its text."""
    with open_database(settings_of(ctx)) as store, store.read() as session:
        letter = inbox.by_id(session, number)
        if letter is None:
            what = f"there is no letter with receipt {number}"
            raise NotFound(Finding(what, "`referee mail list` shows what there is"))
        for line in _explained(session, letter):
            click.echo(line)


def _explained(session: Session, letter: InboxLetter) -> Iterable[str]:
    yield f"Receipt {letter.id} came on {moment(letter.arrived_at)} from {letter.source}."
    yield f"State: {letter.state.value}. {_STATES[letter.state]}"
    if letter.emptied_at is not None:
        day = f"{letter.emptied_at:%Y-%m-%d}"
        yield f"Its text was given up on {day}, as [retention] says: it cannot be read again."
    if letter.note:
        yield f"Note: {letter.note}"
    for start, reason in _REASONS:
        if letter.state is InboxState.IGNORED and letter.note.startswith(start):
            yield f"Why: {reason}"
    if letter.trust is not None:
        yield f"Trust: {letter.trust}; {_TRUST.get(letter.trust, 'not known any more')}."
    if letter.attempts > 1:
        yield f"It was begun {letter.attempts} times."
    yield from _answers(session, letter)


def _answers(session: Session, letter: InboxLetter) -> Iterable[str]:
    answers = outbox.answers_to(session, letter)
    for answer in answers:
        remedy = ""
        if answer.state is OutboxState.FAILED:
            remedy = f": {answer.error}; `referee mail retry {answer.id}` sends it again"
        yield f"Answer: outgoing {answer.id}, {answer.kind}, {answer.state.value}{remedy}."
    if not answers and letter.state is not InboxState.WAITING:
        yield "Nobody was answered."
