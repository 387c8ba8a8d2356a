"""Reply budgets: limits on the number of answers to one sender, so that mail loops end.

All answers to a letter are one letter; what else was asked for is attached as text files.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final

from referee.desk.base.desk import Desk
from referee.desk.base.letter_tokens import is_from
from referee.desk.base.outbox_writer import Addressing, is_known, post
from referee.desk.base.site import Site
from referee.domain.mailboxes import mailbox_of
from referee.letters.incoming.press_marks import MARKER
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.address_notices import Forgotten
from referee.letters.outgoing.attachments import OutgoingFile
from referee.letters.outgoing.compose import RenderedText
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
from referee.letters.outgoing.seat_notices import DeputyAccepted, HandedOver, Observing
from referee.rules.ruleset import UserError
from referee.store.mail import rate_limits
from referee.store.mail.rate_limits import Purse, ReplyBudget
from referee.store.models import InboxLetter
from referee.store.people import people

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)

ALL_STRANGERS_A_DAY: Final = 500
DOMAIN_OF_STRANGERS_A_DAY: Final = 100
"""So that letters from one domain do not use up what is for all strangers."""
FLOOR_OF_DOMAIN_A_DAY: Final = 5
"""The answers that each domain still gets when those to all strangers are used up."""
_CHANGES: Final = 2
"""How many times the answers of the settings there are for letters that changed something."""
_MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The most letters in an hour and in a day, and the octets of a day after which none follow."""

    an_hour: int
    a_day: int
    octets: int


IDLE: Final = Limits(8, 24, _MEGABYTE)
"""For emails with nothing to do in them, such as those of a program that answers our answers. A
person who mistypes gets eight answers an hour, and then one that explains the pause."""
UNPROVEN: Final = Limits(12, 40, _MEGABYTE)
"""Anyone can write emails in a player's name; our answers must not fill the player's mailbox."""
STRANGERS: Final = Limits(8, 20, _MEGABYTE // 4)
"""A stranger may not have written at all, because anyone can forge From."""
_OF_STRANGERS: Final = (ReplyBudget.STRANGER, ReplyBudget.NEWCOMER)
"""A flood of questions must not use up what newcomers need who want to join."""
_PROVEN_OCTETS: Final = 100 * _MEGABYTE

_BINDING: Final = (Joined, GameCreated, HandedOver, Report, DeputyAccepted, Observing, Forgotten)
"""Notices that hold what is sent only once, and a newcomer's first report. Each costs a seat or a
game, or CONFIRM asked for it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The effects of a letter, which decide from which budget it is answered.

    *proven* means that more than its From shows who sent it. *domain* is where it came from.
    *sender* is the address in its From, unless its recipient has confirmed it.
    """

    budget: ReplyBudget
    proven: bool = False
    domain: str = ""
    sender: str = ""


def answer(desk: Desk, letters: Sequence[tuple[Notice, Addressing]], asked: Asked) -> bool:
    """Post one letter as the answer if the budget allows; return whether it did.

    Notices that are binding go in letters of their own, whatever the budget, and are counted too.
    The commands were carried out in any case. The first time a budget is spent, one letter says so;
    strangers get none.
    """
    for notice, addressing in binding(letters):
        _post(desk, notice, addressing, _purse(desk, addressing, asked))
    rest = [
        (notice, addressing) for notice, addressing in letters if not isinstance(notice, _BINDING)
    ]
    # A letter with two senders, or none, gets no answer.
    if not rest or not rest[0][1].to.address:
        return bool(letters) and not rest
    purse = _purse(desk, rest[0][1], asked)
    if (span := _spent(desk, purse)) is not None:
        _notify_once(desk, rest[0][1], purse, span)
        return False
    notice, addressing = _combined(desk.site, rest)
    _post(desk, notice, addressing, purse)
    return True


def check_unasked(desk: Desk, address: str) -> None:
    """Raise UserError if the address has had as much as it can get that others asked for."""
    span = _spent(desk, _unasked(address))
    if span is not None:
        again = "tomorrow" if span == DAY else "in an hour"
        raise UserError(
            f"{address} has been sent too many emails that it did not ask for. Try again {again}."
        )


def post_unasked(desk: Desk, notice: Notice, addressing: Addressing) -> None:
    """Post a letter that somebody else asked for, and charge it to its recipient."""
    _post(desk, notice, addressing, _unasked(addressing.to.address))


def charge_unasked(desk: Desk, address: str) -> None:
    """Charge a letter that is not sent, so that nobody learns that by asking often."""
    rate_limits.note_answer(desk.session, _unasked(address), 0, desk.now)


def _unasked(address: str) -> Purse:
    """Return the purse for what people with a proven sender ask us to write to the mailbox."""
    return Purse(ReplyBudget.STRANGER, mailbox_of(address), proven=True)


def give_back(desk: Desk, recipient: str) -> None:
    """Refund the cost of the question about a letter, now that it is confirmed."""
    budgets = (ReplyBudget.QUESTION, ReplyBudget.CODE, *_OF_STRANGERS)
    paid_for = (recipient, mailbox_of(recipient))
    rate_limits.give_back(desk.session, paid_for, budgets, desk.now - DAY)


def binding(letters: Sequence[tuple[Notice, Addressing]]) -> list[tuple[Notice, Addressing]]:
    """Return the answers that are posted whatever the budget, each in a letter of its own."""
    return [(notice, addressing) for notice, addressing in letters if isinstance(notice, _BINDING)]


def domain_of(letter: InboxLetter) -> str:
    """Return the domain that sent the letter: that of its envelope, or else of its From."""
    sender = letter.envelope_sender.strip("<> ") or letter.writer
    return sender.rpartition("@")[2].lower()


def _post(desk: Desk, notice: Notice, addressing: Addressing, purse: Purse) -> None:
    rate_limits.note_answer(desk.session, purse, post(desk, notice, addressing), desk.now)


def _purse(desk: Desk, addressing: Addressing, asked: Asked) -> Purse:
    """Return the purse that a letter to the addressee is paid from.

    That of a stranger is for their mailbox: in forged emails, its address can have any tag.
    """
    thread = addressing.game.name if addressing.game is not None else ""
    recipient = addressing.to.address
    if is_known(desk, addressing) and not _is_by_another(desk, recipient, asked.sender):
        return Purse(asked.budget, recipient, proven=asked.proven, thread=thread)
    joins = asked.budget is ReplyBudget.QUESTION and recipient == asked.sender
    budget = ReplyBudget.NEWCOMER if joins else ReplyBudget.STRANGER
    return Purse(budget, mailbox_of(recipient), proven=False, domain=asked.domain)


def _is_by_another(desk: Desk, recipient: str, sender: str) -> bool:
    """Return whether a letter about the recipient came from an address that is not theirs.

    Its answer is paid as one to a stranger, so that nobody uses up what the recipient's own letters
    need.
    """
    if sender in ("", recipient):
        return False
    person = people.by_address(desk.session, recipient)
    return person is not None and not is_from(desk.session, sender, person)


def _spent(desk: Desk, purse: Purse) -> timedelta | None:
    """Return the span whose budget is spent, or None."""
    by_thread = purse.budget in (ReplyBudget.WORK, ReplyBudget.CHANGE)
    spent = rate_limits.spent(desk.session, purse, desk.now, by_thread=by_thread)
    limits = _limits(desk.site, purse)
    if spent.day >= limits.a_day or spent.octets >= limits.octets:
        return DAY
    if purse.budget in _OF_STRANGERS and not purse.proven and _is_share_spent(desk, purse):
        return DAY
    return HOUR if spent.hour >= limits.an_hour else None


def _is_share_spent(desk: Desk, purse: Purse) -> bool:
    """Return whether the domain that the letter came from has used up its answers to strangers."""
    spent = rate_limits.spent_on_strangers(desk.session, purse, desk.now - DAY)
    is_used_up = spent.all >= ALL_STRANGERS_A_DAY
    most = FLOOR_OF_DOMAIN_A_DAY if is_used_up else DOMAIN_OF_STRANGERS_A_DAY
    return spent.domain >= most


def _limits(site: Site, purse: Purse) -> Limits:
    hour, day = site.answers_an_hour, site.answers_a_day
    match purse.budget:
        case ReplyBudget.CHANGE:
            return Limits(_CHANGES * hour, _CHANGES * day, _PROVEN_OCTETS)
        case ReplyBudget.WORK | ReplyBudget.QUESTION:
            return Limits(hour, day, _PROVEN_OCTETS) if purse.proven else UNPROVEN
        case ReplyBudget.CODE:
            return UNPROVEN
        case ReplyBudget.STRANGER | ReplyBudget.NEWCOMER:
            return STRANGERS
        case _:
            return Limits(hour, day, _PROVEN_OCTETS) if site.is_for_one else IDLE


def _notify_once(desk: Desk, addressing: Addressing, purse: Purse, span: timedelta) -> None:
    """Send one letter in *span* that there are no more answers, and what is not done."""
    if purse.budget in _OF_STRANGERS or addressing.answers is None:
        return
    last = replace(purse, budget=ReplyBudget.LAST)
    if rate_limits.was_noted(desk.session, last, desk.now - span):
        return
    waiting = purse.budget in (ReplyBudget.QUESTION, ReplyBudget.CODE)
    idle = purse.budget is ReplyBudget.IDLE
    words = "day" if span == DAY else "hour"
    notice = AnswersPaused(words, purse.proven, waiting=waiting, idle=idle)
    # Its reply address is that of any other letter, so that a reply is believed.
    to_reply = replace(
        addressing, serial=f"paused{addressing.answers.id}", files=(), held=None, token=None
    )
    _post(desk, notice, to_reply, last)


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
    notice = replace(notice, page=words.text.partition(MARKER)[2].strip("\n"))
    told = f"{_present(page[0])} {_BELOW}".lstrip()
    reply = CommandReply(0, words.subject, told, is_answer=True)
    return _with_replies(notice, (reply,)), replace(addressing, files=(*addressing.files, *files))


def _present(page: Notice) -> str:
    """Return the note on the present above a report that is sent again, or ""."""
    return page.present if isinstance(page, ReportAgain | GmAnswer) else ""


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
    number = next(n for n in range(1, len(taken) + 2) if _numbered(stem, n) not in taken)
    return _numbered(stem, number)


def _numbered(stem: str, number: int) -> str:
    return f"{stem}.txt" if number == 1 else f"{stem}-{number}.txt"
