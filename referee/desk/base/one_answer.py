"""One letter as the answer to a letter: what else was asked for is attached as text files."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from referee.desk.base.outbox_writer import Addressing
from referee.desk.base.site import Site
from referee.letters.incoming.reply_marker import MARKER
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.attachments import OutgoingFile
from referee.letters.outgoing.compose import RenderedText
from referee.letters.outgoing.notices import (
    CommandAnswers,
    CommandReply,
    GmAnswer,
    Notice,
    ReportAgain,
    TooLate,
)

MOST_PAGES: Final = 10
"""The most pages of one answer."""
_BELOW: Final = "The page is below."
_TOO_MANY: Final = (
    f"Not sent, because an answer has at most {MOST_PAGES} pages. Ask for it in another email."
)

Answer = tuple[Notice, Addressing]


def combined(site: Site, letters: Sequence[Answer]) -> Answer:
    """Return one letter to the first addressee that holds all *letters*; there is at least one.

    A page that is the whole answer stays as it is. Next to answers of commands, one page goes below
    them. Any others are attached as text files, each once.
    """
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
    """Return what a report that is sent again says above itself of the present, or ""."""
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
