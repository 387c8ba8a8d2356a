"""DIARY: what players note for themselves, and SHARE: what of it others read after the end."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from referee.desk.base import ledger
from referee.desk.base.attachments import enclosed
from referee.desk.base.desk import Desk
from referee.desk.base.press_privacy import refuse_secrets
from referee.desk.games.revealing import choice, choices, is_open, is_revealed
from referee.desk.orders.command_entries import Deed, Effect, For, command, question
from referee.desk.orders.letter_context import LetterContext
from referee.domain.commands import DeleteEntry, SetRevealed, ShowDiary
from referee.domain.revealed_parts import RevealedPart
from referee.domain.shares import Charge, Key, Thing
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.press_notices import Diary, DiaryItem, diary_text
from referee.parsing.body import DiaryBlock
from referee.rules.ruleset import UserError
from referee.store.games import diaries, undo_log
from referee.store.games.diaries import DiaryEntry
from referee.store.games.undo_log import UndoKind
from referee.store.models import Game, GameStatus, Person
from referee.store.people import agreements, former_players

MOST_CHARACTERS: Final = 10_000
"""The maximum length of an entry, as of a message."""


def write(context: LetterContext, block: DiaryBlock) -> Deed:
    """Keep an entry, and say its number and who can read it. The same text is kept once in a turn.

    Raises UserError if it cannot be kept, even if its sender confirms it.
    """
    _check(context, block)
    return Deed(f"An entry in your diary of {context.game().name}", partial(_keep, context, block))


def _keep(context: LetterContext, block: DiaryBlock) -> str:
    """Keep an entry, and return its number and who can read it."""
    game, row, turn = context.game(), context.seat(), _turn(context.game())
    assert row.person is not None
    before = _of_turn(context, row.person, turn)
    if twin := next((entry for entry in before if entry.text == block.text), None):
        return f"This is already in your diary, as entry {twin.number}."
    entry = diaries.write(context.session, row, context.row, turn, block.text, context.now)
    what = f"diary entry {entry.number}"
    undo_log.note(
        context.session, row, context.row, UndoKind.DIARY, what, turn=turn, after=[entry.id]
    )
    decided = agreements.of(context.session, game, row.person)
    return (
        f"Kept in your diary of {game.name} as entry {entry.number}, for turn {turn}. "
        f"DIARY DELETE {entry.number} deletes it. "
        f"{choice(game, RevealedPart.DIARY, agrees=decided[RevealedPart.DIARY])}"
    )


def _check(context: LetterContext, block: DiaryBlock) -> None:
    """Raise UserError if the entry cannot be kept."""
    game, person = context.playing().game, context.seat().person
    if is_revealed(context.session, game):
        raise UserError(f"{game.name} has been revealed, so its diaries are closed.")
    if not block.text.strip():
        raise UserError("The entry is empty, so it was not kept. Write it between DIARY and END.")
    if len(block.text) > MOST_CHARACTERS:
        raise UserError(
            f"An entry can have at most {MOST_CHARACTERS} characters. It was not kept. Write "
            "several, each with its own DIARY and END."
        )
    refuse_secrets(context.site, person, block.text, "Your entry was not kept")
    if person is not None:
        _check_limits(context.desk, _of_turn(context, person, _turn(game)), block.text)


@question(ShowDiary, "DIARY", For.KNOWN, shown_in="diary", answer=Diary)
def show(context: LetterContext, _command: ShowDiary) -> str:
    """DIARY without an entry: mail the sender their own diary of the game."""
    game, person = _player(context)
    entries = diaries.of(context.session, game, person)
    if not entries:
        return (
            f"Your diary of {game.name} is empty. Write DIARY, the entry below it, and END on the "
            "last line."
        )
    items = tuple(_item(entry, person.zone) for entry in entries)
    whole = enclosed(f"{game.name.lower()}-diary.txt", diary_text(items))
    mine = choices(context.session, context.site, game, person)
    notice = Diary(game.name, len(items), whole.text, whole.names, mine)
    return context.mail(notice, f"diary{len(context.letters)}x", whole.files)


@command(DeleteEntry, "DIARY DELETE", For.KNOWN, Effect.SETS, shown_in="diary")
def delete(context: LetterContext, given: DeleteEntry) -> Deed:
    """DIARY DELETE. The question repeats nothing of the entry.

    Raises UserError if the sender has no such entry.
    """
    game, person = _player(context)
    entries = diaries.of(context.session, game, person)
    entry = next((each for each in entries if each.number == given.number), None)
    if entry is None:
        raise UserError(
            f"Your diary of {game.name} has no entry {given.number}. DIARY shows the numbers."
        )

    def erase() -> str:
        seat = context.identity.seat
        done = (
            undo_log.of_letter(context.session, seat, entry.letter_id) if seat is not None else ()
        )
        for each in done:
            # UNDO then takes back the email before it.
            if each.kind is UndoKind.DIARY and each.after == [entry.id]:
                each.undone_id = context.row.id
        context.session.delete(entry)
        context.session.flush()
        return f"Deleted: entry {given.number} of your diary, of turn {entry.turn}."

    return Deed("", erase)


@command(SetRevealed, "SHARE", For.KNOWN, Effect.SETS, shown_in="diary")
def set_revealed(context: LetterContext, given: SetRevealed) -> Deed:
    """SHARE DIARY, PRESS, NAME or PAGES: whether others read it after the end.

    Raises UserError also if others have read it.
    """
    game, person = _player(context)
    if given.part is RevealedPart.PAGES and not context.site.pages:
        raise UserError("There are no web pages about the games here, so you need not decide.")
    if not is_open(context.session, game, given.part):
        what = "ended" if given.part is RevealedPart.NAME else "been revealed"
        raise UserError(f"{game.name} has {what}, so this can no longer be changed.")

    def decide() -> str:
        agreements.decide(context.session, game, person, given.part, agrees=given.agrees)
        return choice(game, given.part, agrees=given.agrees)

    return Deed("", decide)


def _player(context: LetterContext) -> tuple[Game, Person]:
    """Return the game and the sender, who plays in it or has left it. Raises UserError if not."""
    game, person = context.game(), context.person()
    seat = context.identity.seat
    if seat is None and not former_players.of(context.session, game, person):
        raise UserError(f"You have no seat in {game.name}.")
    return game, person


def _turn(game: Game) -> int:
    """Return the turn of an entry that is written now: after the end, the last turn."""
    return game.last_turn if game.status is GameStatus.ENDED else game.turn


def _of_turn(context: LetterContext, person: Person, turn: int) -> list[DiaryEntry]:
    entries = diaries.of(context.session, context.game(), person)
    return [entry for entry in entries if entry.turn == turn]


def _check_limits(desk: Desk, before: Sequence[DiaryEntry], text: str) -> None:
    """Raise UserError if *text* exceeds the shares of a diary in a turn."""
    octets = sum(len(entry.text.encode()) for entry in before)
    for thing, amount, held in (
        (Thing.ENTRY, 1, len(before)),
        (Thing.OCTETS_WRITTEN, len(text.encode()), octets),
    ):
        ledger.require(desk, Charge(thing, {Key.SEAT: ""}, amount, {Key.SEAT: held}))


def _item(entry: DiaryEntry, zone: str) -> DiaryItem:
    return DiaryItem(entry.number, entry.turn, str(Moment(entry.written_at, zone)), entry.text)
