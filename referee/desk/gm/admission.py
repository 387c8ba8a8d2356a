"""Admission to a game by its GM: CODE, ALLOW, EXCLUDE, APPROVE and REFUSE."""

from dataclasses import dataclass
from functools import partial

from referee.desk.base import ledger, private_games
from referee.desk.base.loaded_games import house_options
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import start_terms, vacancies
from referee.desk.orders.command_entries import Deed, Effect, For, command, question
from referee.desk.orders.gm_authority import (
    UNDECIDED,
    log_change,
    notify_person,
    require_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import person_at
from referee.desk.seats import joining, registration
from referee.domain.gm_commands import (
    Allow,
    Approve,
    Exclude,
    NewCode,
    Refuse,
    ShowAdmissions,
    ShowCode,
)
from referee.domain.mailboxes import mailbox_of
from referee.domain.shares import Charge, Key, Thing
from referee.rules.ruleset import UserError
from referee.rules.wording import listed
from referee.store.games import agenda
from referee.store.models import Game, GameStatus, Person
from referee.store.people import admissions
from referee.store.people.admissions import Admission, AdmissionState


@dataclass(frozen=True, slots=True)
class _Named:
    """A person or an address that the GM names: *words* are the address or the number."""

    words: str
    address: str
    person: Person | None

    def is_in(self, row: Admission) -> bool:
        """Return whether the admission is about what the GM names."""
        if self.address and row.address:
            return mailbox_of(row.address) == mailbox_of(self.address)
        if self.address or row.address:
            return False
        return row.person is self.person


@question(ShowCode, "CODE", For.GM, shown_in="private_game")
def show_code(context: LetterContext, _given: ShowCode) -> str:
    """CODE."""
    return _join_line(context, _private(context))


@command(NewCode, "CODE NEW", For.GM, Effect.FOR_GOOD, shown_in="private_game")
def new_code(context: LetterContext, _given: NewCode) -> Deed:
    """CODE NEW cannot be undone."""
    game = _private(context)

    def change() -> str:
        game.code_number += 1
        return log_change(
            context, game, "The GM changed the code of the game.", _join_line(context, game)
        )

    return Deed(f"{game.name} gets another code, and nobody can join with the old one.", change)


def _join_line(context: LetterContext, game: Game) -> str:
    return f"Players join with this line: {private_games.join_line(context.site, game)}"


@question(ShowAdmissions, "ALLOW", For.GM, shown_in="gm_admission")
def show_admissions(context: LetterContext, _given: ShowAdmissions) -> str:
    """ALLOW without an address: what the GM has decided, by address or number."""
    game = require_gm(context, *UNDECIDED)
    rows = admissions.of(context.session, game)
    lines: list[str] = []
    waiting = [
        joining.in_words(context.session, game, row.person, joining.names_of(row))
        for row in rows
        if row.state is AdmissionState.WAITING and row.person is not None
    ]
    if waiting:
        head = "These wait for your APPROVE or REFUSE, with their number:"
        if game.status is not GameStatus.FORMING:
            head = "These asked to join before the start; ALLOW and the number admits one:"
        lines += [head, *(f"  {each}" for each in waiting)]
    for state, words in (
        (AdmissionState.ALLOWED, "can join"),
        (AdmissionState.EXCLUDED, "cannot join"),
    ):
        found = [_shown(row) for row in rows if row.state is state]
        if found:
            lines += [f"These {words} {game.name}:", *(f"  {each}" for each in found)]
    return "\n".join(lines) or f"You have allowed and excluded nobody in {game.name}."


@command(Allow, "ALLOW", For.GM, Effect.CHANGES, shown_in="gm_admission")
def allow(context: LetterContext, given: Allow) -> Deed:
    """ALLOW. ALLOW UNDO undoes it."""
    game, named = _whom(context, given)
    can, how = "can join", ", without its code" if private_games.is_private(game) else ""
    if game.status is not GameStatus.FORMING:
        can = "can take over a seat of"
        how = f": they send STANDBY {game.name}, or TAKEOVER {game.name} if one is vacant"
    says = f"{_all(named)} {can} {game.name}{how}. Nobody gets an email about it."
    if given.undone:
        says = _as_others(game, named)
    return Deed(says, partial(_decide, context, given, named, can, says))


@command(Exclude, "EXCLUDE", For.GM, Effect.CHANGES, shown_in="gm_admission")
def exclude(context: LetterContext, given: Exclude) -> Deed:
    """EXCLUDE. EXCLUDE UNDO undoes it.

    It also refuses those who wait, who are notified at once.
    """
    game, named = _whom(context, given)
    waiting = [
        row
        for each in (named if not given.undone else ())
        for row in admissions.about(context.session, game, each.address, each.person)
        if _is_waiting(row)
    ]

    def refuse_them() -> str:
        for row in waiting:
            _notify_refused(context, row)
            context.session.delete(row)
        return _decide(context, given, named, "cannot join", says)

    if given.undone:
        says = _as_others(game, named)
        return Deed(says, refuse_them)
    emails = "Nobody gets an email about it."
    if house_options(game)["approve"]:
        emails = "If they wait for your answer, they get an email that they have no seat."
    says = (
        f"{_all(named)} cannot join {game.name} or take over a seat in it. {emails} A seat that "
        "they have stays theirs until you VACATE it."
    )
    return Deed(
        says,
        refuse_them,
        "Somebody who waits gets no seat, and is notified." if waiting else "",
    )


@command(Approve, "APPROVE", For.GM, Effect.CHANGES, shown_in="gm_approving")
def approve(context: LetterContext, given: Approve) -> Deed:
    """APPROVE, which VACATE undoes. The person gets the same welcome as one who joins at once."""
    row, number = _waiting(context, given.account), f"#{given.account}"
    game, person = row.game, row.person
    if vacancies.is_excluded(context.session, game, "", person):
        raise UserError(
            f"An address of {number} is one that you have excluded. REFUSE {number} gives them no "
            "seat. EXCLUDE with UNDO takes it back; ALLOW shows whom you have excluded."
        )
    wish = joining.wish_of(context.desk, row)

    def seat() -> str:
        assert person is not None
        taken, welcome = registration.join(context.desk, wish)
        post(context.desk, welcome, Addressing(mailbox(person), "welcome", game=game, seat=taken))
        what = f"The GM gave the seat {taken.name} to {number}."
        context.undoes[taken.name] = f"VACATE {taken.name}"
        return log_change(context, game, what, f"{number} has the seat {taken.name}.")

    full = start_terms.if_last(game, context.now, context.zone)
    return Deed(f"{_shown(row)} gets a seat in {game.name} and is notified.{full}", seat)


@command(
    Refuse,
    "REFUSE",
    For.GM,
    shown_in="gm_approving",
    because="they read at once that they get no seat",
)
def refuse(context: LetterContext, given: Refuse) -> Deed:
    """REFUSE, which ALLOW undoes: the person can join then."""
    row, number = _waiting(context, given.account), f"#{given.account}"
    game = row.game

    def exclude_them() -> str:
        row.state, row.wish = AdmissionState.EXCLUDED, None
        _notify_refused(context, row)
        what = f"The GM gave no seat to {number}."
        return log_change(context, game, what, f"{number} gets no seat, and is notified.")

    return Deed(
        f"{_shown(row)} gets no seat in {game.name} and is notified. They cannot ask again until "
        f"you write ALLOW {number}.",
        exclude_them,
    )


def _notify_refused(context: LetterContext, row: Admission) -> None:
    assert row.person is not None
    told = f"You do not get a seat in {row.game.name}. Its GM decided this. LIST shows other games."
    notify_person(context, row.person, row.game, told, is_outside=True)


def _waiting(context: LetterContext, account: int) -> Admission:
    """Return the wish of a person who waits. Raises UserError if there is none."""
    game = require_gm(context, GameStatus.FORMING)
    for row in admissions.of(context.session, game):
        waits = row.state is AdmissionState.WAITING and row.person is not None
        if waits and row.person is not None and row.person.account == account:
            return row
    raise UserError(f"Nobody with the number #{account} waits for you. ALLOW shows who does.")


def _is_waiting(row: Admission) -> bool:
    """Return whether the person waits for the GM, not only until the game started."""
    return row.state is AdmissionState.WAITING and row.game.status is GameStatus.FORMING


def _decide(
    context: LetterContext, given: Allow | Exclude, named: list[_Named], words: str, says: str
) -> str:
    """Record the GM's decision about each; it replaces the one before it. Return what it *says*."""
    game = context.game()
    state = AdmissionState.ALLOWED if isinstance(given, Allow) else AdmissionState.EXCLUDED
    for each in named:
        for row in _rows(context, game, each):
            context.session.delete(row)
        context.session.flush()
        if not given.undone:
            admissions.add(
                context.session, game, state, context.now, address=each.address, person=each.person
            )
    agenda.schedule(context.session, game)
    word = "ALLOW" if isinstance(given, Allow) else "EXCLUDE"
    for each in named:
        about = mailbox_of(each.address) if each.address else each.words
        context.undoes[about] = f"{word} {each.words}{'' if given.undone else ' UNDO'}"
    what = _as_others(game, named) if given.undone else f"{_all(named)} {words} {game.name}."
    return log_change(context, game, what, says)


def _whom(context: LetterContext, given: Allow | Exclude) -> tuple[Game, list[_Named]]:
    """Return the game, and whom the command names. Raises UserError if the GM cannot name them."""
    game = require_gm(context, *UNDECIDED)
    named = [_called(context, game, each) for each in given.whom]
    state = AdmissionState.ALLOWED if isinstance(given, Allow) else AdmissionState.EXCLUDED
    for each in named if given.undone else ():
        if not any(row.state is state for row in _rows(context, game, each)):
            word = "ALLOW" if isinstance(given, Allow) else "EXCLUDE"
            raise UserError(f"You did not write {word} {each.words}, so it cannot be taken back.")
    held = {Key.GAME: len(admissions.of(context.session, game))}
    ledger.require(context.desk, Charge(Thing.ADMISSION, {Key.GAME: game.name}, len(named), held))
    return game, named


def _called(context: LetterContext, game: Game, whom: str | int) -> _Named:
    if isinstance(whom, str):
        return _Named(whom, whom, person_at(context, whom))
    for row in admissions.of(context.session, game):
        # An address is the GM's own word, and shows nothing of its owner.
        if not row.address and row.person is not None and row.person.account == whom:
            if _is_waiting(row):
                raise UserError(f"#{whom} waits for APPROVE #{whom} or REFUSE #{whom}.")
            return _Named(f"#{whom}", "", row.person)
    raise UserError(f"Nobody on your list for {game.name} has the number #{whom}. ALLOW shows it.")


def _rows(context: LetterContext, game: Game, named: _Named) -> list[Admission]:
    return [row for row in admissions.of(context.session, game) if named.is_in(row)]


def _as_others(game: Game, named: list[_Named]) -> str:
    return f"{_all(named)} can join {game.name} like anyone else."


def _all(named: list[_Named]) -> str:
    return listed(each.words for each in named)


def _shown(row: Admission) -> str:
    """Return the address as the GM wrote it, or the number and name of a person."""
    if row.address or row.person is None:
        return row.address
    name = row.person.name
    return f"#{row.person.account}{f' {name}' if name else ''}"


def _private(context: LetterContext) -> Game:
    game = require_gm(context, *UNDECIDED)
    if not private_games.is_private(game):
        raise UserError(f"{game.name} has no code. OPTION private=yes makes it private.")
    return game
