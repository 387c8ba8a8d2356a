"""Admission to a game by its GM: CODE, ALLOW, EXCLUDE, APPROVE and REFUSE."""

from dataclasses import dataclass
from typing import Final

from referee.desk.base import private_games
from referee.desk.base.loaded_games import house_options
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import start_terms, vacancies
from referee.desk.orders.gm_authority import (
    UNDECIDED,
    check_address,
    log_change,
    notify_person,
    require_gm,
)
from referee.desk.orders.letter_context import LetterContext
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
from referee.rules.ruleset import UserError
from referee.rules.wording import listed
from referee.store.games import agenda
from referee.store.models import Game, GameStatus, Person
from referee.store.people import admissions, people
from referee.store.people.admissions import Admission, AdmissionState

MOST_NAMED: Final = 500
"""The most addresses and people that the GM of a game can allow and exclude."""


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


def show_code(context: LetterContext, _command: ShowCode) -> str:
    """Handle CODE."""
    game = _private(context)
    return f"Players join with this line: {private_games.join_line(context.site, game)}"


def preview_new_code(context: LetterContext, _command: NewCode) -> str:
    """Return the preview of CODE NEW, which cannot be undone."""
    game = _private(context)
    return f"{game.name} gets another code, and nobody can join with the old one."


def new_code(context: LetterContext, _command: NewCode) -> str:
    """Handle CODE NEW."""
    game = _private(context)
    game.code_number += 1
    log_change(context, game, "The GM changed the code of the game.", "")
    return show_code(context, ShowCode())


def show_admissions(context: LetterContext, _command: ShowAdmissions) -> str:
    """Handle ALLOW without an address: what the GM has decided, by address or number."""
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


def preview_allow(context: LetterContext, command: Allow) -> str:
    """Return the preview of ALLOW. ALLOW UNDO undoes it, or EXCLUDE if that was said before."""
    game, named = _whom(context, command)
    if command.undone:
        return _as_others(game, named)
    how = ", without its code" if private_games.is_private(game) else ""
    if game.status is not GameStatus.FORMING:
        how = f": they send STANDBY {game.name}, or TAKEOVER {game.name} if one is vacant"
    return f"{_all(named)} {_can(game)} {game.name}{how}. Nobody gets an email about it."


def _can(game: Game) -> str:
    """Return what an allowed person can do with the game."""
    return "can join" if game.status is GameStatus.FORMING else "can take over a seat of"


def allow(context: LetterContext, command: Allow) -> str:
    """Handle ALLOW."""
    return _decide(context, command, AdmissionState.ALLOWED, _can(context.game()))


def preview_exclude(context: LetterContext, command: Exclude) -> str:
    """Return the preview of EXCLUDE. EXCLUDE UNDO undoes it, or ALLOW if that was said before."""
    game, named = _whom(context, command)
    if command.undone:
        return _as_others(game, named)
    emails = "Nobody gets an email about it."
    if house_options(game)["approve"]:
        emails = "If they wait for your answer, they get an email that they have no seat."
    return (
        f"{_all(named)} cannot join {game.name} or take over a seat in it. {emails} A seat that "
        "they have stays theirs until you VACATE it."
    )


def exclude(context: LetterContext, command: Exclude) -> str:
    """Handle EXCLUDE. It also refuses those who wait, who are notified at once."""
    game, named = _whom(context, command)
    for each in named if not command.undone else ():
        for row in admissions.about(context.session, game, each.address, each.person):
            if _is_waiting(row):
                _notify_refused(context, row)
                context.session.delete(row)
    return _decide(context, command, AdmissionState.EXCLUDED, "cannot join")


def preview_approve(context: LetterContext, command: Approve) -> str:
    """Return the preview of APPROVE. VACATE undoes it."""
    row = _approved(context, command)
    joining.wish_of(context.desk, row)
    game, who = row.game, _shown(row)
    full = ""
    if len(game.seats) + 1 == game.places:
        full = f" {start_terms.when_full(game, context.now, context.zone)}"
    return f"{who} gets a seat in {game.name} and is notified.{full}"


def approve(context: LetterContext, command: Approve) -> str:
    """Handle APPROVE. The person gets the same welcome as one who joins at once."""
    row = _approved(context, command)
    game, person = row.game, row.person
    assert person is not None
    seat, welcome = registration.join(context.desk, joining.wish_of(context.desk, row))
    addressing = Addressing(mailbox(person), "welcome", game=game, seat=seat)
    post(context.desk, welcome, addressing)
    what = f"The GM gave the seat {seat.name} to #{command.account}."
    return log_change(context, game, what, f"#{command.account} has the seat {seat.name}.")


def preview_refuse(context: LetterContext, command: Refuse) -> str:
    """Return the preview of REFUSE. ALLOW undoes it: the person can join then."""
    row = _waiting(context, command.account)
    return (
        f"{_shown(row)} gets no seat in {row.game.name} and is notified. They cannot ask again "
        f"until you write ALLOW #{command.account}."
    )


def refuse(context: LetterContext, command: Refuse) -> str:
    """Handle REFUSE. The person is notified at once."""
    row = _waiting(context, command.account)
    game = row.game
    row.state, row.wish = AdmissionState.EXCLUDED, None
    _notify_refused(context, row)
    what = f"The GM gave no seat to #{command.account}."
    return log_change(context, game, what, f"#{command.account} gets no seat, and is notified.")


def _notify_refused(context: LetterContext, row: Admission) -> None:
    assert row.person is not None
    told = f"You do not get a seat in {row.game.name}. Its GM decided this. LIST shows other games."
    notify_person(context, row.person, row.game, told, has_left=True)


def _approved(context: LetterContext, command: Approve) -> Admission:
    """Return the wish of a person who waits. Raises UserError if the GM has excluded them."""
    row, number = _waiting(context, command.account), f"#{command.account}"
    if vacancies.is_excluded(context.session, row.game, "", row.person):
        raise UserError(
            f"An address of {number} is one that you have excluded. REFUSE {number} gives them no "
            "seat. EXCLUDE with UNDO takes it back; ALLOW shows whom you have excluded."
        )
    return row


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
    context: LetterContext, command: Allow | Exclude, state: AdmissionState, words: str
) -> str:
    """Record what the GM says about each; a decision replaces the one before it."""
    game, named = _whom(context, command)
    for each in named:
        for row in _rows(context, game, each):
            context.session.delete(row)
        context.session.flush()
        if not command.undone:
            admissions.add(
                context.session, game, state, context.now, address=each.address, person=each.person
            )
    agenda.schedule(context.session, game)
    what = _as_others(game, named) if command.undone else f"{_all(named)} {words} {game.name}."
    return log_change(context, game, what, what)


def _whom(context: LetterContext, command: Allow | Exclude) -> tuple[Game, list[_Named]]:
    """Return the game, and whom the command names. Raises UserError if the GM cannot name them."""
    game = require_gm(context, *UNDECIDED)
    named = [_called(context, game, each) for each in command.whom]
    state = AdmissionState.ALLOWED if isinstance(command, Allow) else AdmissionState.EXCLUDED
    for each in named if command.undone else ():
        if not any(row.state is state for row in _rows(context, game, each)):
            word = "ALLOW" if isinstance(command, Allow) else "EXCLUDE"
            raise UserError(f"You did not write {word} {each.words}, so it cannot be taken back.")
    if len(admissions.of(context.session, game)) + len(named) > MOST_NAMED:
        raise UserError(f"You can allow and exclude at most {MOST_NAMED} addresses in {game.name}.")
    return game, named


def _called(context: LetterContext, game: Game, whom: str | int) -> _Named:
    if isinstance(whom, str):
        check_address(context.site, whom)
        return _Named(whom, whom, people.by_address(context.session, whom))
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
