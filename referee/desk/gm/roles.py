"""GMs of a game: PROMOTE and DEMOTE."""

from typing import Final

from referee.desk.base import reply_limits
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.orders.gm_authority import (
    BEGUN,
    UNDECIDED,
    announce_change,
    check_address,
    notify_person,
    plays,
    refuse_player,
    require_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats import departure, deputies, first_gm
from referee.desk.seats.registration import enrol
from referee.domain.gm_commands import Demote, Promote
from referee.letters.outgoing.notices import Appointed
from referee.rules.ruleset import UserError
from referee.store.games import audit
from referee.store.models import Game, GameMaster
from referee.store.people import people

_DAYS: Final = first_gm.PROPOSED_FOR.days
_SECOND: Final = (
    f"It is done if another GM also sends DEMOTE with their address within {_DAYS} days. A GM "
    "counts as one with the GM who promoted them, unless that is the first GM."
)
_AGAINST_YOU: Final = (
    f"You stay a GM unless another GM asks for the same within {_DAYS} days. A GM counts as one "
    "with the GM who promoted them, unless you did."
)


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
    deputies.end_for_gm(context.desk, game, new.person)
    player = plays(game, new.person)
    answer = announce_change(
        context, game, f"The game has another GM{', who also plays in it' if player else ''}."
    )
    first_gm.promote(first_gm.gm_row(game, context.identity.person), new.person, context.now)
    notice = Appointed(game.name, game.title, new.person.account, new.code)
    addressing = Addressing(mailbox(new.person), f"appointed{context.row.id}", game=game)
    reply_limits.check_unasked(context.desk, command.address)
    reply_limits.post_unasked(context.desk, notice, addressing)
    return answer


def preview_demote(context: LetterContext, command: Demote) -> str:
    """Return the preview of DEMOTE. PROMOTE undoes it."""
    gm, by = _gm_to_demote(context, command)
    game = gm.game
    if gm is by:
        return f"You are no longer a GM of {game.name}. Another GM can PROMOTE you again."
    if first_gm.needs_second(gm, by, context.now):
        return (
            f"{command.address} is the first GM of {game.name}, whom you cannot remove alone. All "
            f"GMs are notified at once that you ask for it. {_SECOND}"
        )
    return (
        f"{command.address} is no longer a GM of {game.name}, and is notified. They still know "
        "what they have seen, so they cannot take a seat in the game either. PROMOTE makes them a "
        "GM again."
    )


def demote(context: LetterContext, command: Demote) -> str:
    """Handle DEMOTE. Notifies the former GM at once, and their commands stop working.

    A single GM only proposes to remove the first GM.
    """
    gm, by = _gm_to_demote(context, command)
    if first_gm.needs_second(gm, by, context.now):
        return _propose(context, gm, by)
    game, person, deciders = gm.game, gm.person, "Two other GMs" if gm.is_first else "Another GM"
    departure.remove_gm(context.desk, gm)
    if gm is not by:
        notify_person(
            context,
            person,
            game,
            f"You are no longer a GM of {game.name}. {deciders} decided this. "
            "Thank you for your work.",
            has_left=True,
        )
    return announce_change(context, game, f"A GM has left {game.name}.")


def _propose(context: LetterContext, first: GameMaster, by: GameMaster) -> str:
    """Record that a GM asks to remove the first GM, notify all GMs, and return the answer."""
    game, proposer = first.game, f"GM #{by.person.account}"
    by.proposed_at = context.now
    what = f"{proposer} asks to remove the first GM of {game.name}, GM #{first.person.account}."
    audit.note(context.session, game, proposer, what, context.now, public=False)
    for gm in game.gms:
        if gm is first:
            notify_person(context, gm.person, game, f"{what} That is you. {_AGAINST_YOU}")
        elif gm is not by:
            notify_person(context, gm.person, game, f"{what} {_SECOND}")
    return f"All GMs are notified that you ask to remove {first.person.address}. {_SECOND}"


def _game_for_gm(context: LetterContext, command: Promote) -> Game:
    game = require_gm(context, *UNDECIDED)
    if game.status in BEGUN:
        refuse_player(context, game, "make anybody its GM now")
    check_address(context.site, command.address)
    person = people.by_address(context.session, command.address)
    if person in [gm.person for gm in game.gms]:
        raise UserError(f"{command.address} is already a GM of {game.name}.")
    return game


def _gm_to_demote(context: LetterContext, command: Demote) -> tuple[GameMaster, GameMaster]:
    """Return the GM that the command names, and the sender.

    Raises UserError if they are not a GM, or the only one.
    """
    game = require_gm(context, *UNDECIDED)
    by = first_gm.gm_row(game, context.identity.person)
    return first_gm.gm_at(game, command.address), by
