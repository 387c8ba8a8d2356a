"""Seats of a game by its GM: INVITE, SEAT, REPLACE, VACATE and ELIMINATE."""

from functools import partial
from typing import Final

from referee.desk.base import ledger, reply_limits, rulebooks
from referee.desk.base.attachments import taken_off
from referee.desk.base.loaded_games import ruleset_of
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.base.private_games import join_line
from referee.desk.games import deadlines, house_rules, revealing, start_terms, vacancies
from referee.desk.gm import seat_robots
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import (
    BEGUN,
    UNDECIDED,
    NoChange,
    announce_and_log,
    is_listed,
    log_change,
    notify_person,
    notify_seat,
    refuse_player,
    require_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import check_address, parts_at, person_at, seat_called
from referee.desk.orders.readiness import end_early, waited_for
from referee.desk.reports import vote_text
from referee.desk.reports.turn_reports import report_anew
from referee.desk.seats import registration
from referee.desk.seats.handover import hand_over, in_preview
from referee.desk.seats.registration import enrol
from referee.domain.commands import Join
from referee.domain.gm_commands import Eliminate, GiveSeat, Invite, Reinstate, Replace, Vacate
from referee.domain.house_rules import early_wait
from referee.domain.mailboxes import mailbox_of
from referee.domain.schedules import in_words
from referee.domain.shares import Charge, Key, Thing
from referee.domain.tokens import Kind, Token
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.seat_notices import Invitation
from referee.rules.ruleset import UserError
from referee.rules.wording import listed
from referee.store.games import agenda, games, votes
from referee.store.mail import mail_queries
from referee.store.models import Game, GameStatus, SeatRow
from referee.store.people import admissions, same_mailbox
from referee.store.people.admissions import AdmissionState
from referee.store.people.former_players import LeaveReason

MOST_WORDS: Final = 2000
"""The most characters of the GM's own words in an invitation."""


@command(Invite, "INVITE", For.GM, Effect.FOR_GOOD, shown_in="gm_people")
def invite(context: LetterContext, given: Invite) -> Deed:
    """INVITE cannot be undone."""
    game = _invited(context, given)
    whom = listed(given.addresses)

    def mail() -> str:
        reply_limits.check_unasked(context.desk, context.identity.person, *given.addresses)
        ruleset = ruleset_of(context.site.rulesets, game.ruleset)
        info = ruleset.info
        notice = Invitation(
            game=game.name,
            title=game.title if is_listed(context) else "",
            ruleset=info.title,
            about=rulebooks.about(ruleset),
            topic=rulebooks.ruleset_word(info.key, info.title),
            taken=len(game.seats),
            places=game.places,
            schedule=deadlines.schedule_in_words(game),
            options=tuple(house_rules.options_in_words(info, game)),
            address=context.site.address,
            gm=context.identity.address if is_listed(context) else "",
            join=join_line(context.site, game),
            example=registration.form(info, Join(game.name)),
            choices=registration.choices_in_words(info),
            words=given.text,
        )
        ledger.book(context.desk, _charge(context, game, given))
        for address in given.addresses:
            token = _allow(context, game, address)
            to = MailAddress("", address)
            addressing = Addressing(to, "invitation", game=game, token=token)
            reply_limits.post_unasked(context.desk, context.identity.person, notice, addressing)
        is_one = len(given.addresses) == 1
        whom, was = listed(given.addresses), "was" if is_one else "were"
        # Other GMs read the audit, and later ones.
        others = "someone" if is_one else f"{len(given.addresses)} people"
        return log_change(context, game, f"The GM invited {others}.", f"{whom} {was} invited.")

    each = "gets one email" if len(given.addresses) == 1 else "get one email each"
    says = f"{whom} {each} about {game.name} and how to join."
    if excluded := [each for each in given.addresses if _is_excluded(context, game, each)]:
        says += f" You have excluded {listed(excluded)}; from then on they can join."
    if is_listed(context):
        words = f", in your words:\n{given.text}" if given.text else "."
        says += f" It says that {context.identity.address} invites them{words}"
    return Deed(says, mail)


@command(
    GiveSeat,
    "ASSIGN",
    For.GM,
    shown_in="gm_people",
    because="they get an email that they may not expect",
)
def give_seat(context: LetterContext, given: GiveSeat) -> Deed:
    """ASSIGN, which VACATE undoes. The person gets the same welcome as one who joins."""
    game = require_gm(context, GameStatus.FORMING)
    _check_newcomer(context, game, given.address)
    if len(game.seats) >= game.places:
        raise UserError(f"{game.name} has no free seat. SEATS adds more.")
    if _is_excluded(context, game, given.address):
        raise UserError(f"You have excluded {given.address}. ALLOW {given.address} undoes that.")
    names = ruleset_of(context.site.rulesets, game.ruleset).info.names
    name = given.name.upper()
    if name and registration.is_reserved(names, name):
        raise UserError(f"{name} cannot be a name here: it already means something else.")
    if name and not names.allows(name):
        raise UserError(f"{name} cannot be a name here: {names.sentence}")
    if registration.is_taken(game, name):
        raise UserError(f"The name {name} is taken, or others could take it for one that is.")

    def seat() -> str:
        reply_limits.check_unasked(context.desk, context.identity.person, given.address)
        command_to_join = Join(game.name, (given.name,) if given.name else ())
        wish = registration.wish_in(context.desk, game, given.address, command_to_join)
        row, welcome = registration.join(context.desk, wish)
        assert row.person is not None
        row.heard_at = None
        addressing = Addressing(mailbox(row.person), "welcome", game=game, seat=row)
        reply_limits.post_unasked(context.desk, context.identity.person, welcome, addressing)
        what = f"The GM gave the seat {row.name} to someone."
        return log_change(context, game, what, f"{given.address} has the seat {row.name}.")

    one = f"the seat {name}" if name else "a seat, with a drawn name,"
    full = start_terms.if_last(game, context.now, context.zone)
    return Deed(f"{given.address} gets {one} in {game.name} and is notified.{full}", seat)


@command(
    Replace,
    "REPLACE",
    For.GM,
    shown_in="gm_people",
    because="the new player gets the reports of the seat",
)
def replace_player(context: LetterContext, given: Replace) -> Deed:
    """REPLACE. The new player gets the last reports; the old tokens become invalid.

    Another REPLACE with the old player's address undoes it.
    """
    game = require_gm(context, *BEGUN)
    row = seat_called(game, given.seat)
    _check_is_free_to_take(context, row)
    address, whom = _newcomer(context, row, given.whom)
    _check_newcomer(context, game, address)
    known = parts_at(context, game, address)
    if knows := vacancies.knows_too_much(context.session, row, known):
        raise UserError(f"{whom} {knows}, so nobody can give them {row.name}.")
    if row.eliminated:
        raise UserError(f"{row.name} is eliminated from {game.name}.")

    def replace() -> str:
        newcomer = enrol(context.desk, address, "", "")
        note = hand_over(context, row, newcomer, LeaveReason.REMOVED)
        return announce_and_log(context, game, f"{row.name} has another player.", note)

    old = ", and its player loses the seat" if row.person is not None else ""
    return Deed(
        f"{whom} plays {row.name} in {game.name} from now on{old}. The new player gets "
        f"the last reports; orders on file stay. {in_preview(context, game)}",
        replace,
    )


@command(
    Vacate, "VACATE", For.GM, shown_in="gm_people", because="its player loses the seat at once"
)
def vacate(context: LetterContext, given: Vacate) -> Deed:
    """VACATE. REPLACE undoes it, and before the start SEAT does.

    The player is notified at once, and their tokens become invalid.
    """
    game = require_gm(context, *UNDECIDED)
    row = seat_called(game, given.seat)
    if row.person is None and row.robot is None:
        raise UserError(f"{row.name} is already vacant.")
    if game.status in BEGUN:
        _check_is_free_to_take(context, row)
    if row.robot is not None:
        then = "vacant" if game.turn else "free"
        says = f"The robot of {row.name} leaves {game.name}. Its seat is {then} then."
        return Deed(says, partial(seat_robots.remove, context, row))
    remove = partial(_remove, context, row)
    if game.status is GameStatus.FORMING:
        return Deed(
            f"The player of {row.name} is removed from {game.name}, and the seat is free again. "
            "They cannot join again until you ALLOW them.",
            remove,
        )
    offered = " It is offered to standbys." if game.standby and not row.eliminated else ""
    votes_left = vote_text.without(votes.running(context.session, game), row)
    says = (
        f"{row.name} of {game.name} is vacant from now on. The orders of its player stay on file; "
        f"after those, it gets default orders.{offered} {vacancies.advice(context.session, row)} "
        f"{votes_left}"
    )
    return Deed(says.rstrip(), remove)


def _remove(context: LetterContext, row: SeatRow) -> str:
    """Remove the player from the seat, which is then vacant, or free before the start."""
    game, name, old = row.game, row.name, row.person
    assert old is not None
    begun = game.status is not GameStatus.FORMING
    files = taken_off(context.site, row, context.now) if begun else ()
    diary = revealing.of_leaver(context.session, game, old) if begun else ""
    told = f"You no longer play {name} in {game.name}. The GM decided this. {diary}".rstrip()
    notify_person(context, old, game, told, files, is_outside=True)
    if not begun:
        admissions.add(context.session, game, AdmissionState.EXCLUDED, context.now, person=old)
        games.remove_seat(context.session, row)
        return log_change(
            context, game, f"The GM freed the seat {name}.", f"The seat {name} is free again."
        )
    vacancies.vacate(context.session, row, LeaveReason.REMOVED, context.now)
    offered = vacancies.fill(context.session, row, context.now)
    return announce_and_log(context, game, f"{name} is vacant.", f"A seat is vacant{offered}.")


def _is_excluded(context: LetterContext, game: Game, address: str) -> bool:
    return vacancies.is_excluded(context.session, game, address, person_at(context, address))


def _allow(context: LetterContext, game: Game, address: str) -> Token:
    """Allow the address to join, whatever the GM has decided before; return the token for it."""
    person, state = person_at(context, address), AdmissionState.ALLOWED
    for row in admissions.of(context.session, game):
        if row.address and mailbox_of(row.address) == mailbox_of(address):
            context.session.delete(row)
    row = admissions.add(context.session, game, state, context.now, address=address, person=person)
    return Token(Kind.INVITATION, row.id, person.moves if person is not None else 0)


def _invited(context: LetterContext, given: Invite) -> Game:
    game = require_gm(context, GameStatus.FORMING)
    invited = mail_queries.recipients(context.session, game, "Invitation")
    mailboxes = {mailbox_of(address) for address in invited}
    for address in given.addresses:
        check_address(context.site, address)
        if mailbox_of(address) in mailboxes:
            raise UserError(f"{address} has already been invited to {game.name}.")
        mailboxes.add(mailbox_of(address))
    _check_words(context, given.text)
    ledger.require(context.desk, _charge(context, game, given, len(invited)))
    return game


def _charge(context: LetterContext, game: Game, given: Invite, invited: int = 0) -> Charge:
    payers = {Key.GM: context.person().address, Key.GAME: game.name}
    held = {Key.GAME: invited}
    return Charge(Thing.INVITATION, payers, len(given.addresses), held)


def _check_words(context: LetterContext, words: str) -> None:
    """Raise UserError if the GM's words are too long, or the operator does not know the GM."""
    if words and not is_listed(context):
        raise UserError(
            "Only GMs whom the operator lists as creators of games can add words of their own. "
            "Nobody was invited. INVITE without SAYING sends our own words."
        )
    if len(words) > MOST_WORDS:
        raise UserError(f"Your words can have at most {MOST_WORDS} characters. Nobody was invited.")


def _newcomer(context: LetterContext, row: SeatRow, whom: str | int) -> tuple[str, str]:
    """Return the address of a new player, and what the GM calls them.

    Raises UserError if no standby who could take the seat has the number.
    """
    if isinstance(whom, str):
        return whom, whom
    for person in vacancies.takers(context.session, row):
        if person.account == whom:
            return person.address, f"#{whom}"
    raise UserError(
        f"No standby who can take {row.name} has the number #{whom}. STANDBY lists them."
    )


def _check_is_free_to_take(context: LetterContext, row: SeatRow) -> None:
    """Raise UserError if a GM who plays would take an active player's seat."""
    if not vacancies.is_available(context.session, row):
        refuse_player(context, row.game, f"take {row.name} from its player")


def _check_newcomer(context: LetterContext, game: Game, address: str) -> None:
    """Raise UserError if the person plays in the game already, or has not asked for a seat in it.

    A GM whom the operator lists vouches for those whom they name.
    """
    person, known = person_at(context, address), parts_at(context, game, address)
    if same_mailbox.holds_seat(game, person, address):
        raise UserError(f"{address} already has a seat in {game.name}.")
    has_asked = known or person in vacancies.pool_of(context.session, game)
    if not has_asked and not is_listed(context):
        raise UserError(
            f"{address} has not asked for a seat in {game.name}, so you cannot give them one. Ask "
            f"them to send STANDBY {game.name}."
        )


@command(
    Eliminate,
    "ELIMINATE",
    For.GM,
    shown_in="gm_eliminating",
    because="its player reads at once that they are out",
)
def eliminate(context: LetterContext, given: Eliminate) -> Deed:
    """ELIMINATE. The report names no seat, because some players may not know it."""
    game = require_gm(context, *BEGUN)
    row = seat_called(game, given.seat)
    if row.eliminated:
        raise NoChange(f"{row.name} is already eliminated from {game.name}.")
    if sum(not other.eliminated for other in game.seats) == 1:
        raise UserError(f"{row.name} is the last seat in play. END GAME ends {game.name}.")
    if not vacancies.is_available(context.session, row):
        # A rival would get default orders, and have no vote.
        refuse_player(context, game, f"eliminate {row.name}, which has an active player")
    is_last_awaited = _is_last_awaited(context, row)

    def take_out() -> str:
        row.eliminated, row.offered_at = True, None
        row.missed = row.final_turn = row.wait_turn = 0
        agenda.schedule(context.session, game)
        if is_last_awaited:
            end_early(context.session, game, context.now)
        text = (
            f"The GM eliminated {row.name} from {game.name}. You no longer need to send orders. "
            "After each turn you still get what all players can know, and at the end the final "
            "standings."
        )
        notify_seat(context, row, text, taken_off(context.site, row, context.now))
        hidden = f"{row.name} is eliminated."
        return announce_and_log(context, game, hidden, "A seat is eliminated.")

    ready = _ready_in_words(game) if is_last_awaited else ""
    votes_left = vote_text.without(votes.running(context.session, game), row)
    says = (
        f"{row.name} is eliminated from {game.name}: turns no longer wait for it, and it gets "
        "default orders. Its player is notified at once. From now on they get only what all "
        f"players can know, and the final standings. ELIMINATE {row.name} UNDO brings the seat "
        f"back.{ready} {votes_left}"
    ).rstrip()
    return Deed(says, take_out)


@command(Reinstate, "ELIMINATE", For.GM, Effect.CHANGES, shown_in="gm_eliminating")
def reinstate(context: LetterContext, given: Reinstate) -> Deed:
    """ELIMINATE with UNDO. The player gets the current report at once."""
    game = require_gm(context, *BEGUN)
    row = seat_called(game, given.seat)
    if not row.eliminated:
        raise NoChange(f"{row.name} is not eliminated.")

    def bring_back() -> str:
        row.eliminated, game.ready_at = False, None
        context.undoes[row.name] = f"ELIMINATE {row.name}"
        game.moves += 1
        agenda.schedule(context.session, game)
        notify_seat(context, row, f"The GM brought {row.name} back into {game.name}.")
        if row.person is not None:
            serial = f"reinstated{context.row.id}s{row.number}"
            context.reports[row.id] = lambda: report_anew(
                context.desk, context.playing(), row, serial
            )
        hidden = f"{row.name} is in the game again."
        return announce_and_log(context, game, hidden, "A seat is in the game again.")

    return Deed(
        f"{row.name} is in {game.name} again, in its current position. Its player is notified at "
        f"once, gets the current report, and has to send orders for turn {game.turn}.",
        bring_back,
    )


def _ready_in_words(game: Game) -> str:
    wait = early_wait(game.options_of_house)
    when = f"{in_words(wait)} later" if wait else "at once"
    return f" All others are ready, so the turn is resolved {when}."


def _is_last_awaited(context: LetterContext, row: SeatRow) -> bool:
    """Return whether this seat is the only one that the turn still waits for."""
    table = context.playing()
    waited = waited_for(table)
    ready = any(other.final_turn == table.game.turn for other in table.game.seats)
    return waited == [row] and ready
