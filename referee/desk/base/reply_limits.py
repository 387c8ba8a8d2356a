"""Answers, as long as their payers can pay for them, so that mail loops end.

All answers to a letter are one letter; what else was asked for is attached as text files.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from referee.desk.base import ledger
from referee.desk.base.desk import Desk, Site
from referee.desk.base.letter_tokens import is_from
from referee.desk.base.outbox_writer import Addressing, is_known, mailbox, post
from referee.domain.mailboxes import mailbox_of
from referee.domain.shares import Charge, Key, Span, Thing
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.address_notices import Forgotten
from referee.letters.outgoing.compose import OutgoingFile, RenderedText
from referee.letters.outgoing.notices import (
    Answering,
    AnswersPaused,
    CommandAnswers,
    CommandReply,
    Confirmation,
    GameCreated,
    GmAnswer,
    Joined,
    Notice,
    Report,
    ReportAgain,
    TooLate,
)
from referee.letters.outgoing.seat_notices import DeputyAccepted, HandedOver, NotAsked, Observing
from referee.store.models import InboxLetter, Person
from referee.store.people import people

_BINDING: Final = (Joined, GameCreated, HandedOver, Report, DeputyAccepted, Observing, Forgotten)
"""Notices that hold what is sent only once, and a newcomer's first report. Each costs a seat or a
game, or CONFIRM asked for it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The effects of a letter, which decide how its answer is paid.

    *proven* means that more than its From shows who sent it. *sender* is the address in its From,
    unless its recipient has confirmed it. *exit* is the command if it is one that ends an attack,
    with a count of the sender's changes of tokens, so that a thief of older ones uses up no newer.
    """

    thing: Thing
    proven: bool = False
    sender: str = ""
    exit: str = ""


def answer(desk: Desk, letters: Sequence[tuple[Notice, Addressing]], asked: Asked) -> bool:
    """Post one letter as the answer if its payers can pay for it; return whether they could.

    Notices that are binding go in letters of their own in any case, and are charged too.
    The commands were carried out in any case. The first time that nothing is left, one letter says
    so. Strangers get none, but newcomers who are not asked get one.
    """
    for notice, addressing in binding(letters):
        _post(desk, notice, addressing, _charge(desk, addressing, asked))
    rest = [
        (notice, addressing) for notice, addressing in letters if not isinstance(notice, _BINDING)
    ]
    # A letter with two senders, or none, gets no answer.
    if not rest or not rest[0][1].to.address:
        return bool(letters) and not rest
    charge = _charge(desk, rest[0][1], asked)
    refused = ledger.refusal(desk, *_in_all(charge))
    if refused is not None and asked.exit:
        payers = {key: f"{whose} {asked.exit}" for key, whose in charge.payers.items()}
        refused = ledger.refusal(desk, charge := Charge(Thing.EXIT, payers))
    if refused is not None:
        _notify_once(desk, rest[0][1], charge, refused.span)
        return False
    notice, addressing = _combined(desk.site, rest)
    _post(desk, notice, addressing, charge)
    return True


def answer_unread(desk: Desk, row: InboxLetter, writer: str, notice: Notice) -> None:
    """Answer a letter that was not read, if we know whose address *writer* is, its only From."""
    person = people.by_address(desk.session, writer)
    if person is not None:
        addressing = Addressing(mailbox(person), f"unread{row.id}", answers=row)
        answer(desk, [(notice, addressing)], Asked(Thing.IDLE))


def check_unasked(desk: Desk, by: Person | None, *addresses: str) -> None:
    """Raise UserError if a person asked for too many letters, or an address has had too many.

    Call it before anything is changed.
    """
    ledger.require(desk, *_unasked(by, *addresses))


def post_unasked(desk: Desk, by: Person | None, notice: Notice, addressing: Addressing) -> None:
    """Post a letter that a person asked for, and charge it to them and to its recipient."""
    post(desk, notice, addressing)
    charge_unasked(desk, by, addressing.to.address)


def charge_unasked(desk: Desk, by: Person | None, address: str) -> None:
    """Charge a letter that is not sent, so that nobody learns that by asking often."""
    ledger.book(desk, *_unasked(by, address))


def _unasked(by: Person | None, *addresses: str) -> Sequence[Charge]:
    """Return the charges for a letter to each address that a proven person asks for."""
    own = {Key.PERSON: by.address} if by is not None else {}
    mailboxes = ({Key.MAILBOX: mailbox_of(address)} for address in addresses)
    each = (Charge(Thing.UNASKED, payers) for payers in mailboxes)
    return Charge(Thing.UNASKED, own, len(addresses)), *each


def binding(letters: Sequence[tuple[Notice, Addressing]]) -> list[tuple[Notice, Addressing]]:
    """Return the answers that are posted whatever is left, each in a letter of its own."""
    return [(notice, addressing) for notice, addressing in letters if isinstance(notice, _BINDING)]


def _post(desk: Desk, notice: Notice, addressing: Addressing, charge: Charge) -> None:
    ledger.book(desk, *_in_all(charge, post(desk, notice, addressing)))


def _in_all(charge: Charge, octets: int = 1) -> Sequence[Charge]:
    """Return the charge for an answer with those for its octets and for any answer."""
    payers = charge.payers
    return charge, Charge(Thing.ANSWER, payers), Charge(Thing.OCTETS_OUT, payers, octets)


def _charge(desk: Desk, addressing: Addressing, asked: Asked) -> Charge:
    """Return the charge for a letter to the addressee."""
    recipient, game = addressing.to.address, addressing.game
    if is_known(desk, addressing) and not _is_by_another(desk, recipient, asked.sender):
        # Only a letter that is believed is answered as a change.
        is_proven = asked.proven or asked.thing is Thing.CHANGE
        name = game.name if game is not None else ""
        payers = ledger.payers_of(recipient, is_known=True, is_proven=is_proven, game=name)
        # At a terminal, no program answers our answers.
        plays = asked.thing is Thing.IDLE and desk.site.is_for_one
        return Charge(Thing.WORK if plays else asked.thing, payers)
    joins = asked.thing is Thing.QUESTION and recipient == asked.sender
    thing = Thing.NEWCOMER if joins else Thing.STRANGER
    sender = asked.sender or recipient
    network = addressing.answers.network if addressing.answers is not None else ""
    pool = ledger.payers_of(sender, is_known=False, is_proven=asked.proven, network=network)
    return Charge(thing, {**pool, Key.MAILBOX: mailbox_of(recipient)})


def _is_by_another(desk: Desk, recipient: str, sender: str) -> bool:
    """Return whether a letter about the recipient came from an address that is not theirs.

    Its answer is paid as one to a stranger, so that nobody uses up what the recipient's own letters
    need.
    """
    if sender in ("", recipient):
        return False
    person = people.by_address(desk.session, recipient)
    return person is not None and not is_from(desk.session, sender, person)


def _notify_once(desk: Desk, addressing: Addressing, charge: Charge, span: Span) -> None:
    """Send one letter in *span* that there are no more answers, and what is not done."""
    waiting = charge.thing in (Thing.QUESTION, Thing.CODE)
    notice = Thing.NOTICE_UNDONE if waiting else Thing.NOTICE
    if addressing.answers is None:
        return
    # Its reply address is that of any other letter, so that a reply is believed.
    to_reply = replace(
        addressing, serial=f"paused{addressing.answers.id}", files=(), held=None, token=None
    )
    words = "day" if span is Span.DAY else "hour"
    if charge.thing is Thing.NEWCOMER:
        charge = replace(charge, thing=Thing.NOTICE_NEWCOMER)
        _notify_newcomer(desk, NotAsked(words), to_reply, charge)
    elif ledger.is_first_notice(desk, notice, charge.payers, span):
        idle = charge.thing is Thing.IDLE
        letter = AnswersPaused(words, Key.PERSON in charge.payers, waiting=waiting, idle=idle)
        post(desk, letter, to_reply)


def _notify_newcomer(desk: Desk, notice: NotAsked, addressing: Addressing, charge: Charge) -> None:
    """Notify a newcomer once a day who is not asked, while there are notices for newcomers."""
    if ledger.refusal(desk, charge) is None and ledger.is_first_notice(
        desk, Thing.NOTICE_UNDONE, charge.payers, Span.DAY
    ):
        _post(desk, notice, addressing, charge)


MOST_PAGES: Final = 10
"""The most pages of one answer."""
_BELOW: Final = "The page is below."
_TOO_MANY: Final = (
    f"Not sent, because an answer has at most {MOST_PAGES} pages. Ask for it in another email."
)

Answer = tuple[Notice, Addressing]


def _combined(site: Site, letters: Sequence[Answer]) -> Answer:
    """Return one letter to the first addressee that holds all *letters*; there is at least one.

    A page that is the whole answer stays as it is. Next to answers of commands, one page goes below
    them. Any others are attached as text files, each once. A question, the last of the letters,
    comes first in the answer, and gives it its reply address.
    """
    *others, (last, asking) = letters
    if others and isinstance(last, Confirmation):
        if _parted(others)[0] is None:
            others.insert(0, (CommandAnswers(()), replace(others[0][1], files=())))
        answer, addressing = _combined(site, others)
        if isinstance(answer, Answering):
            answer = replace(answer, question=last)
        return answer, replace(addressing, held=asking.held)
    main, pages = _parted(_each_page_once(letters))
    if len(pages) == 1 and main is None:
        return pages[0]
    notice, addressing = main or (CommandAnswers(()), replace(pages[0][1], files=()))
    if isinstance(notice, TooLate):
        notice, pages = _with_answers(notice, pages)
    if not pages:
        return notice, addressing
    if len(pages) == 1 and isinstance(notice, CommandAnswers):
        return _with_page(site, notice, addressing, pages[0])
    folder = _Folder(list(addressing.files))
    replies = tuple(folder.add(site.composer.words(page), to.files) for page, to in pages)
    return _with_replies(notice, replies), replace(addressing, files=tuple(folder.files))


def _each_page_once(letters: Sequence[Answer]) -> list[Answer]:
    """Return the letters without those that repeat another word by word."""
    each: list[Answer] = []
    for letter in letters:
        if all(letter[0] != other for other, _ in each):
            each.append(letter)
    return each


def _parted(letters: Sequence[Answer]) -> tuple[Answer | None, list[Answer]]:
    """Return the letter that the others go with, if any, and the others."""
    for kind in (TooLate, Acknowledgement, CommandAnswers):
        for letter in letters:
            if isinstance(letter[0], kind):
                return letter, [other for other in letters if other is not letter]
    return None, list(letters)


def _with_answers(late: TooLate, pages: list[Answer]) -> tuple[TooLate, list[Answer]]:
    """Return the letter about late orders with the answers of the commands next to them."""
    answers = [page for page, _ in pages if isinstance(page, CommandAnswers)]
    said = tuple(reply for each in answers for reply in each.said)
    undone = tuple(wrong for each in answers for wrong in each.faults)
    rest = [page for page in pages if not isinstance(page[0], CommandAnswers)]
    return replace(late, said=said, undone=undone), rest


def _with_page(site: Site, notice: CommandAnswers, addressing: Addressing, page: Answer) -> Answer:
    """Return the answers of commands with the page below them."""
    words, files = site.composer.words(page[0]), page[1].files
    notice = replace(notice, page=words.below)
    present = page[0].present if isinstance(page[0], ReportAgain | GmAnswer) else ""
    told = f"{present} {_BELOW}".lstrip()
    reply = CommandReply(0, words.subject, told, is_answer=True)
    return _with_replies(notice, (reply,)), replace(addressing, files=(*addressing.files, *files))


def _with_replies(notice: Notice, replies: tuple[CommandReply, ...]) -> Notice:
    match notice:
        case CommandAnswers() | Acknowledgement() | TooLate():
            return replace(notice, said=(*notice.said, *replies))
        case _:
            return notice


@dataclass(slots=True)
class _Folder:
    """The attachments of an answer."""

    files: list[OutgoingFile]
    pages: dict[str, str] = field(default_factory=dict)
    """The file name of each page."""

    def add(self, words: RenderedText, files: Sequence[OutgoingFile]) -> CommandReply:
        """Attach a page with its *files*, and return where it is."""
        where = _TOO_MANY
        if words.text in self.pages:
            where = f"Attached: {self.pages[words.text]}."
        elif len(self.pages) < MOST_PAGES:
            name = self.pages[words.text] = _file_name(words.subject, set(self.pages.values()))
            # The marker in the text keeps us from reading it if somebody sends it back.
            page = OutgoingFile(name, "text/plain; charset=utf-8", f"{words.text}\n".encode())
            new = [file for file in files if file not in self.files]
            self.files += [page, *new]
            where = f"Attached: {', '.join((name, *(file.name for file in files)))}."
        return CommandReply(0, words.subject, where, is_answer=True)


def _file_name(subject: str, taken: set[str]) -> str:
    """Return a file name in ASCII for a page with that subject."""
    stem = re.sub(r"[^a-z0-9]+", "-", subject.lower()).strip("-")[:40].strip("-") or "page"
    numbered = (f"{stem}-{number}.txt" for number in range(2, len(taken) + 2))
    return next(name for name in (f"{stem}.txt", *numbered) if name not in taken)
