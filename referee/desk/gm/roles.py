"""Who runs a game: people a GM makes GMs of it, and those who are GMs no more."""

from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.orders.gm_authority import (
    UNDECIDED,
    announce_change,
    check_address,
    plays,
    require_gm,
    tell_person,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats.registration import enrol
from referee.domain.gm_commands import Demote, Promote
from referee.letters.outgoing.notices import Appointed
from referee.rules.ruleset import UserError
from referee.store.models import Game, GameMaster
from referee.store.people import former_players
from referee.store.people.former_players import LeaveReason


def preview_promote(context: LetterContext, command: Promote) -> str:
    """PROMOTE is undone by DEMOTE."""
    game = _promoted(context, command)
    return (
        f"{command.address} is a GM of {game.name} too, and may do and see all that you may. "
        "DEMOTE undoes that, but not what he has seen."
    )


def promote(context: LetterContext, command: Promote) -> str:
    """PROMOTE: the new GM is told; a player who is a GM now is told less than others."""
    game = _promoted(context, command)
    new = enrol(context.desk, command.address, "", "")
    player = plays(game, new.person)
    answer = announce_change(
        context, game, f"The game has another GM{', who plays in it himself' if player else ''}."
    )
    game.masters.append(GameMaster(person=new.person))
    notice = Appointed(game.name, game.title, new.person.account, new.code)
    slip = Addressing(mailbox(new.person), f"appointed{context.row.id}", game=game)
    post(context.desk, notice, slip)
    return answer


def preview_demote(context: LetterContext, command: Demote) -> str:
    """DEMOTE is undone by PROMOTE."""
    master = _demoted(context, command)
    if master.person is context.identity.person:
        return f"You are a GM of {master.game.name} no more. Another GM can PROMOTE you again."
    return (
        f"{command.address} is a GM of {master.game.name} no more, and is told so. What he has "
        "seen he knows, so he cannot take a seat of it either. PROMOTE makes him a GM again."
    )


def demote(context: LetterContext, command: Demote) -> str:
    """DEMOTE: he is told at once, and his commands count no more."""
    master = _demoted(context, command)
    game, person = master.game, master.person
    game.masters.remove(master)
    context.session.delete(master)
    former_players.note(context.session, game, person, LeaveReason.DEMOTED, context.now)
    if person is not context.identity.person:
        tell_person(
            context,
            person,
            game,
            f"You are a GM of {game.name} no more: another GM of it "
            "decided so. Thank you for your work.",
        )
    return announce_change(context, game, "The game has one GM less.")


def _promoted(context: LetterContext, command: Promote) -> Game:
    game = require_gm(context, *UNDECIDED)
    check_address(context, command.address)
    if command.address in {master.person.address for master in game.masters}:
        raise UserError(f"{command.address} is a GM of {game.name} already.")
    return game


def _demoted(context: LetterContext, command: Demote) -> GameMaster:
    """Return whom the command means. Raises UserError for who is no GM, or the only one."""
    game = require_gm(context, *UNDECIDED)
    for master in game.masters:
        if master.person.address == command.address:
            if len(game.masters) == 1:
                raise UserError(f"{game.name} has no other GM. PROMOTE makes one.")
            return master
    raise UserError(f"{command.address} is no GM of {game.name}.")
