"""``referee mail explain``: why an email is pending, ignored or quarantined, and what to do."""

from collections.abc import Iterable, Mapping
from typing import Final

import click

from referee.cli.common import moment, open_database, settings_of
from referee.cli.terminal import tell
from referee.errors import Finding, NotFound
from referee.store import Session
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import inbox, outbox
from referee.store.models import InboxLetter

_STATES: Final[Mapping[InboxState, str]] = {
    InboxState.WAITING: "It waits to be read by `referee run`.",
    InboxState.READ: "It was read, and everything its trust allows was done.",
    InboxState.HELD: "Nothing in it was done. It waits for a confirmation by the primary address.",
    InboxState.IGNORED: "Nothing in it was done, and no answer was sent.",
    InboxState.UNASKED: (
        "Nothing in it was done, and nobody could be asked: too many emails with that address "
        "needed a confirmation. `referee mail release` carries it out as if it were confirmed."
    ),
    InboxState.QUARANTINED: (
        "It failed three times. Look for its reference in the log; `referee mail release` has it "
        "read again."
    ),
}
_TRUST: Final[Mapping[str, str]] = {
    "none": "nothing proves its sender",
    "address": "it is from an address of the player, which anyone can forge",
    "code": "it is from an address of the player, with the security code",
    "aligned": "it is from an address of the player, signed by its domain",
    "token": "it is a reply to an email of ours",
    "confirmed": "the primary address confirmed it",
}
_REASONS: Final[tuple[tuple[str, str], ...]] = (
    ("machine", "Its header shows a program: no return path, Precedence, an X- field, no-reply."),
    ("automatic", "It has Auto-Submitted; of such emails, only replies with orders are read."),
    ("vacation note", "Its subject is that of a vacation note, and it has no orders."),
    ("bounce", "A mail server reports that an email of ours could not be delivered."),
    ("complaint", "A mail server reports that an email of ours was reported as spam."),
    ("loop", "It is an email of ours that came back."),
    ("mailing", "It has List-Unsubscribe, we do not know its sender, and no command begins it."),
    ("list", "A mailing list forwarded it; an answer would go to everybody on it."),
    ("too big", "It is bigger than any order sheet."),
    ("not confirmed in time", "Nobody confirmed it within retention.unproven_days."),
    ("a copy of", "The same email came before and was read."),
)


@click.command("explain")
@click.argument("number", type=int)
@click.pass_context
def explain(ctx: click.Context, number: int) -> None:
    """Explain what became of email NUMBER, without its text."""
    with open_database(settings_of(ctx)) as store, store.read() as session:
        letter = inbox.by_id(session, number)
        if letter is None:
            what = f"email #{number}: not found"
            raise NotFound(Finding(what, "choose one from `referee mail list`"))
        for line in _explained(session, letter):
            tell(line)


def _explained(session: Session, letter: InboxLetter) -> Iterable[str]:
    yield f"Email {letter.id} arrived on {moment(letter.arrived_at)} from {letter.source}."
    if letter.receipt is not None:
        yield f"Receipt: #{letter.receipt}, which counts the emails of its seat."
    yield f"State: {letter.state.value}. {_STATES[letter.state]}"
    if letter.emptied_at is not None:
        day = f"{letter.emptied_at:%Y-%m-%d}"
        yield f"Its text was deleted on {day} by [retention], so it cannot be read again."
    if letter.note:
        yield f"Note: {letter.note}"
    for start, reason in _REASONS:
        if letter.state is InboxState.IGNORED and letter.note.startswith(start):
            yield f"Why: {reason}"
    if letter.trust is not None:
        yield f"Trust: {letter.trust}; {_TRUST.get(letter.trust, 'unknown')}."
    if letter.attempts > 1:
        yield f"It was tried {letter.attempts} times."
    yield from _answers(session, letter)


def _answers(session: Session, letter: InboxLetter) -> Iterable[str]:
    answers = outbox.answers_to(session, letter)
    for answer in answers:
        remedy = ""
        if answer.state is OutboxState.FAILED:
            remedy = f": {answer.error}; `referee mail retry {answer.id}` sends it again"
        yield f"Answer: outgoing {answer.id}, {answer.kind}, {answer.state.value}{remedy}."
    if not answers and letter.state is not InboxState.WAITING:
        yield "No answer was sent."
