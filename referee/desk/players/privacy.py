"""MY DATA and FORGET ME: what is stored about a person, shown to them or deleted."""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from html import unescape
from string import ascii_lowercase, ascii_uppercase
from typing import Any, Final

from referee.desk.base.identity import Identity
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.orders.command_entries import Deed, Effect, For, command, question
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats import forgetting
from referee.domain.commands import ForgetMe, ShowStored
from referee.domain.effort import FREE, Effort
from referee.domain.mail_transfer import Line
from referee.domain.tokens import Kind, Side, Token, without_tokens
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.address_notices import Disclosure, ForgetProof, Forgotten
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.local_time import Moment
from referee.parsing.command_lines import read_heading
from referee.rules.ruleset import UserError
from referee.store.models import Person
from referee.store.people import address_changes
from referee.store.people.address_changes import AddressChange, ChangeKind
from referee.store.privacy import erasure
from referee.store.privacy.disclosure import disclose
from referee.store.privacy.subject import subject_of

FILE: Final = "my-data.json"
MOST_TEXT: Final = 4_000_000
"""How many octets of emails go into one file: in base64, mail servers accept that much."""
_DELETED: Final = (
    "Your name, your addresses, your settings, your reliability and the text of your emails are "
    "deleted. Orders stay in the records of their games, under the name of the seat. Other players "
    "keep the emails that they got from you. This cannot be undone."
)
PATIENCE: Final = timedelta(days=7)
"""How long the other address may take to confirm."""
_REMOVED: Final = "(security code)"
_NAMED_CODE: Final = re.compile(r"(security code[^:\n]{0,40}:\s*)[A-Z2-7]{8}\b", re.IGNORECASE)
_MARKS: Final = "> \t"
_ENCODED: Final = re.compile(
    r"^[A-Za-z0-9+/]+(?:\r?\n[A-Za-z0-9+/]+)*={0,2}(?:\r?\n|\Z)", re.MULTILINE
)
"""The text of a letter, or a file in it, in base64."""
_SOFT_BREAK: Final = re.compile(r"=\r?\n")
_BROKEN: Final = re.compile(r"^(?:[^\n]*=\r?\n)+[^\n]*", re.MULTILINE)
"""A line that quoted-printable has broken into several."""
_TAG: Final = re.compile(r"(<[^<>]*>)")
_CAPITALS: Final = str.maketrans(ascii_lowercase, ascii_uppercase)
_LEVELS: Final = 4
"""How often a text in base64 is decoded; no email program encodes it more often."""
_SECONDS: Final = 5.0
"""The processor time in which codes are searched for in the emails of one file."""
Stored = Mapping[str, Sequence[dict[str, Any]]]
"""The rows about a person, by table, the oldest first."""
_LEFT_OUT: Final = "(a file or text with a code or a reply address)"


@question(ShowStored, "MY DATA", For.KNOWN, Effect.SETS, shown_in="privacy", answer=Disclosure)
def show_stored(context: LetterContext, _command: ShowStored) -> str:
    """MY DATA. The answer goes to the primary address, in a letter of its own."""
    person = context.person()
    stored = disclose(context.session, subject_of(context.session, person), MOST_TEXT)
    with context.effort.apart():
        found = shown(stored, context.effort)
    letters = (*found.get("inbox", ()), *found.get("outbox", ()))
    left_out = sum(each["text"] is None for each in letters)
    rows = sum(map(len, found.values()))
    notice = Disclosure(person.account, FILE, rows, left_out)
    attached = OutgoingFile(FILE, "application/json", as_json(found).encode())
    addressing = Addressing(
        mailbox(person), f"mydata{context.row.id}", context.row, context.answered_id
    )
    context.letters.append((notice, replace(addressing, files=(attached,))))
    return ""


def as_json(found: Stored) -> str:
    """Return the data stored about a person as JSON in ASCII."""
    return json.dumps(found, indent=1, ensure_ascii=True)


def shown(stored: Stored, effort: Effort = FREE) -> Stored:
    """Return the data stored about a person without codes and tokens.

    What is left when *effort* has taken too long has the text None. The newest rows come first.
    """
    ends = effort.spent + _SECONDS

    def redact(row: dict[str, Any]) -> dict[str, Any]:
        if not row.get("text"):
            return row
        return {**row, "text": redacted(row["text"]) if effort.spent < ends else None}

    return {table: [*map(redact, reversed(rows))][::-1] for table, rows in stored.items()}


@command(ForgetMe, "FORGET ME", For.KNOWN, Effect.FOR_GOOD, shown_in="privacy", answer=Forgotten)
def forget_me(context: LetterContext, _given: ForgetMe) -> Deed:
    """FORGET ME is final. It is confirmed at the primary address; a second one is asked, too.

    Raises UserError if a game of the sender's would have no GM.
    """
    person = context.person()
    if why := forgetting.obstacle(context.session, person):
        raise UserError(why)
    # An address that our letters do not reach cannot confirm.
    other = "" if person.is_at_second else person.second_address or ""

    def erase() -> str:
        if other:
            return _ask_other(context, person, other)
        forget(context, person)
        return ""

    asked = [f"We first ask {other}, too."] if other else []
    lost = forgetting.consequences(context.session, person)
    return Deed(" ".join((*lost, _DELETED, *asked)), erase)


def forget(context: LetterContext, person: Person) -> None:
    """Delete everything about the person; the rest of the letter is read as a stranger's."""
    address = person.mailing_address
    last = forgetting.forget(context.desk, person)
    erasure.empty_letter(context.session, context.row.id, context.now)
    context.letters.append(last)
    context.table = context.sheet = None
    context.identity = Identity(address)


def _ask_other(context: LetterContext, person: Person, address: str) -> str:
    change = address_changes.ask(
        context.session,
        person,
        ChangeKind.FORGET,
        address,
        now=context.now,
        expires=context.now + PATIENCE,
    )
    change.wished_at = context.now
    post_proof(context, change)
    return f"{address} is asked, too. Everything is deleted when it confirms by {until(change)}."


def post_proof(context: LetterContext, change: AddressChange) -> None:
    """Ask the other address of the person, once for each request."""
    notice = ForgetProof(context.site.address, Moment(change.expires_at, change.person.zone))
    token = Token(Kind.ADDRESS, change.id, Side.NEW)
    to = MailAddress("", change.address)
    post(context.desk, notice, Addressing(to, f"forget{change.id}", token=token))


def until(change: AddressChange) -> str:
    """Return until when a change of address can be confirmed, in words."""
    return str(Moment(change.expires_at, change.person.zone))


def redacted(text: str, levels: int = _LEVELS) -> str:
    """Return an email, ours or not, without the codes and tokens that prove its sender.

    What is encoded more than *levels* times is left out.
    """
    text = _ENCODED.sub(partial(_without_encoded, levels=levels), text)
    text = _BROKEN.sub(partial(_without_broken, levels=levels), text)
    text = _NAMED_CODE.sub(rf"\1{_REMOVED}", without_tokens(text))
    return "".join(map(_without_code, text.splitlines(keepends=True)))


def _without_broken(found: re.Match[str], levels: int) -> str:
    """Return a line that is broken into several as it is, or as one line without its codes."""
    whole = _SOFT_BREAK.sub("", found[0])
    left = redacted(whole, levels)
    return found[0] if left == whole else left


def _without_encoded(found: re.Match[str], levels: int) -> str:
    """Return a file or text as it is, unless there is something in it that must not be shown."""
    letters = "".join(found[0].split()).rstrip("=")
    whole = letters[: len(letters) // 4 * 4]
    content = base64.b64decode(whole).decode("utf-8", "replace")
    is_clean = levels > 0 and redacted(content, levels - 1) == content
    return found[0] if is_clean else f"{_LEFT_OUT}\n"


def _without_code(line: str) -> str:
    """Return a line without the code, if it is the heading of an email, quoted or in HTML."""
    if "<" not in line:
        return _without_code_of(line, line)
    parts = _TAG.split(line)
    parts[::2] = [_without_code_of(part, part) for part in parts[::2]]
    return _without_code_of("".join(parts[::2]), "".join(parts))


def _without_code_of(words: str, text: str) -> str:
    """Return *text* without the code in its *words*."""
    heading = read_heading(Line(1, unescape(words).strip().lstrip(_MARKS)))
    if heading is None or not heading.code:
        return text
    start = text.translate(_CAPITALS).rfind(heading.code)
    end = start + len(heading.code)
    # In other forms of its letters the code is not found, so all of the text goes.
    start, end = (start, end) if start >= 0 else (0, len(text.rstrip()))
    return f"{text[:start]}{_REMOVED}{text[end:]}"
