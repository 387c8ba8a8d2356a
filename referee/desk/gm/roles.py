"""Who runs a game: people a GM makes GMs of it, and those who are GMs no more."""

from referee.desk.base.outbox_writer import Slip, mailbox, post
from referee.desk.orders.gm_authority import (
    UNDECIDED,
    check_address,
    mastered,
    noted,
    plays,
    tell_person,
)
from referee.desk.orders.letter_context import Visit
from referee.desk.seats.registration import enrol
from referee.domain.gm_commands import Demote, Promote
from referee.letters.outgoing.notices import Appointed
from referee.rules.ruleset import Mistake
from referee.store.models import Game, GameMaster
from referee.store.people import former_players
from referee.store.people.former_players import LeaveReason


def preview_promote(visit: Visit, command: Promote) -> str:
    """PROMOTE is undone by DEMOTE."""
    game = _promoted(visit, command)
    return (
        f"{command.address} is a GM of {game.name} too, and may do and see all that you may. "
        "DEMOTE undoes that, but not what he has seen."
    )


def promote(visit: Visit, command: Promote) -> str:
    """PROMOTE: the new GM is told; a player who is a GM now is told less than others."""
    game = _promoted(visit, command)
    new = enrol(visit.desk, command.address, "", "")
    player = plays(game, new.person)
    answer = noted(
        visit, game, f"The game has another GM{', who plays in it himself' if player else ''}."
    )
    game.masters.append(GameMaster(person=new.person))
    notice = Appointed(game.name, game.title, new.person.account, new.code)
    slip = Slip(mailbox(new.person), f"appointed{visit.row.id}", game=game)
    post(visit.desk, notice, slip)
    return answer


def preview_demote(visit: Visit, command: Demote) -> str:
    """DEMOTE is undone by PROMOTE."""
    master = _demoted(visit, command)
    if master.person is visit.identity.person:
        return f"You are a GM of {master.game.name} no more. Another GM can PROMOTE you again."
    return (
        f"{command.address} is a GM of {master.game.name} no more, and is told so. What he has "
        "seen he knows, so he cannot take a seat of it either. PROMOTE makes him a GM again."
    )


def demote(visit: Visit, command: Demote) -> str:
    """DEMOTE: he is told at once, and his commands count no more."""
    master = _demoted(visit, command)
    game, person = master.game, master.person
    game.masters.remove(master)
    visit.session.delete(master)
    former_players.note(visit.session, game, person, LeaveReason.DEMOTED, visit.now)
    if person is not visit.identity.person:
        tell_person(
            visit,
            person,
            game,
            f"You are a GM of {game.name} no more: another GM of it "
            "decided so. Thank you for your work.",
        )
    return noted(visit, game, "The game has one GM less.")


def _promoted(visit: Visit, command: Promote) -> Game:
    game = mastered(visit, *UNDECIDED)
    check_address(visit, command.address)
    if command.address in {master.person.address for master in game.masters}:
        raise Mistake(f"{command.address} is a GM of {game.name} already.")
    return game


def _demoted(visit: Visit, command: Demote) -> GameMaster:
    """Give whom the command means. Raises Mistake for who is no GM, or the only one."""
    game = mastered(visit, *UNDECIDED)
    for master in game.masters:
        if master.person.address == command.address:
            if len(game.masters) == 1:
                raise Mistake(f"{game.name} has no other GM. PROMOTE makes one.")
            return master
    raise Mistake(f"{command.address} is no GM of {game.name}.")
