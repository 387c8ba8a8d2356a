"""GMs of a game: PROMOTE and DEMOTE."""

from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.orders.gm_authority import (
    UNDECIDED,
    announce_change,
    check_address,
    notify_person,
    plays,
    require_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats import deputies
from referee.desk.seats.registration import enrol
from referee.domain.gm_commands import Demote, Promote
from referee.letters.outgoing.notices import Appointed
from referee.rules.ruleset import UserError
from referee.store.models import Game, GameMaster
from referee.store.people import former_players, people
from referee.store.people.former_players import LeaveReason


def preview_promote(context: LetterContext, command: Promote) -> str:
    """Return the preview of PROMOTE. DEMOTE undoes it."""
    game = _game_for_gm(context, command)
    return (
        f"{command.address} is a GM of {game.name} too, and can do and see all that you can. "
        f"If they are a deputy in {game.name}, that ends. DEMOTE undoes that, but they still know "
        "what they have seen."
    )


def promote(context: LetterContext, command: Promote) -> str:
    """Handle PROMOTE. Notifies the new GM, who is no longer a deputy in the game.

    A player who becomes a GM sees less than other GMs.
    """
    game = _game_for_gm(context, command)
    new = enrol(context.desk, command.address, "", "")
    deputies.end_for_gm(context, game, new.person)
    player = plays(game, new.person)
    answer = announce_change(
        context, game, f"The game has another GM{', who also plays in it' if player else ''}."
    )
    game.gms.append(GameMaster(person=new.person))
    notice = Appointed(game.name, game.title, new.person.account, new.code)
    addressing = Addressing(mailbox(new.person), f"appointed{context.row.id}", game=game)
    post(context.desk, notice, addressing)
    return answer


def preview_demote(context: LetterContext, command: Demote) -> str:
    """Return the preview of DEMOTE. PROMOTE undoes it."""
    gm = _gm_to_demote(context, command)
    if gm.person is context.identity.person:
        return f"You are no longer a GM of {gm.game.name}. Another GM can PROMOTE you again."
    return (
        f"{command.address} is no longer a GM of {gm.game.name}, and is notified. They still know "
        "what they have seen, so they cannot take a seat in the game either. PROMOTE makes them a "
        "GM again."
    )


def demote(context: LetterContext, command: Demote) -> str:
    """Handle DEMOTE. Notifies the former GM at once, and their commands stop working."""
    gm = _gm_to_demote(context, command)
    game, person = gm.game, gm.person
    game.gms.remove(gm)
    context.session.delete(gm)
    former_players.note(context.session, game, person, LeaveReason.DEMOTED, context.now)
    if person is not context.identity.person:
        notify_person(
            context,
            person,
            game,
            f"You are no longer a GM of {game.name}. Another GM decided this. "
            "Thank you for your work.",
        )
    return announce_change(context, game, "The game has one GM fewer.")


def _game_for_gm(context: LetterContext, command: Promote) -> Game:
    game = require_gm(context, *UNDECIDED)
    check_address(context, command.address)
    person = people.by_address(context.session, command.address)
    if person in [gm.person for gm in game.gms]:
        raise UserError(f"{command.address} is already a GM of {game.name}.")
    return game


def _gm_to_demote(context: LetterContext, command: Demote) -> GameMaster:
    """Return the GM that the command names. Raises UserError if not a GM, or the only one."""
    game = require_gm(context, *UNDECIDED)
    for gm in game.gms:
        if gm.person.address == command.address:
            if len(game.gms) == 1:
                raise UserError(
                    f"{game.name} has no other GM. First make someone a GM with PROMOTE."
                )
            return gm
    raise UserError(f"{command.address} is not a GM of {game.name}.")
