"""GMs of a game: PROMOTE and DEMOTE."""

from functools import partial
from typing import Final

from referee.desk.base import reply_limits
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.orders.command_entries import Deed, For, command
from referee.desk.orders.gm_authority import (
    BEGUN,
    UNDECIDED,
    announce_change,
    is_listed,
    notify_person,
    plays,
    refuse_player,
    require_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import person_at
from referee.desk.seats import departure, deputies, first_gm
from referee.desk.seats.registration import enrol
from referee.domain.gm_commands import Demote, Promote
from referee.letters.outgoing.notices import Appointed
from referee.rules.ruleset import UserError
from referee.store.games import audit
from referee.store.models import GameMaster

_DAYS: Final = first_gm.PROPOSED_FOR.days
_SECOND: Final = (
    f"It is done if another GM also sends DEMOTE with their address within {_DAYS} days. A GM "
    "counts as one with the GM who promoted them, unless that is the first GM."
)
_AGAINST_YOU: Final = (
    f"You stay a GM unless another GM asks for the same within {_DAYS} days. A GM counts as one "
    "with the GM who promoted them, unless you did."
)


@command(
    Promote,
    "PROMOTE",
    For.GM,
    shown_in="gm_people",
    because="a GM can read and do all that you can",
)
def promote(context: LetterContext, given: Promote) -> Deed:
    """PROMOTE, which DEMOTE undoes. The new GM is no longer a deputy in the game.

    A player who becomes a GM sees less than other GMs.
    """
    game = require_gm(context, *UNDECIDED)
    if game.status in BEGUN:
        refuse_player(context, game, "make anybody its GM now")
    person = person_at(context, given.address)
    if person in [gm.person for gm in game.gms]:
        raise UserError(f"{given.address} is already a GM of {game.name}.")

    def appoint() -> str:
        reply_limits.check_unasked(context.desk, context.identity.person, given.address)
        new = enrol(context.desk, given.address, "", "")
        deputies.end_for_gm(context.desk, game, new.person)
        player = ", who also plays in it" if plays(game, new.person) else ""
        answer = announce_change(context, game, f"The game has another GM{player}.")
        first_gm.promote(first_gm.gm_row(game, context.identity.person), new.person, context.now)
        title = game.title if is_listed(context) else ""
        notice = Appointed(game.name, title, new.person.account, new.code)
        addressing = Addressing(mailbox(new.person), f"appointed{context.row.id}", game=game)
        reply_limits.post_unasked(context.desk, context.identity.person, notice, addressing)
        return answer

    return Deed(
        f"{given.address} is a GM of {game.name} too, and can do and see all that you can. "
        f"A GM who plays in {game.name} sees no orders, reports or maps of others. If they are a "
        f"deputy in {game.name}, that ends. DEMOTE undoes that, but they still know what they have "
        "seen.",
        appoint,
    )


@command(Demote, "DEMOTE", For.GM, shown_in="gm_demoting", because="the other GMs read it at once")
def demote(context: LetterContext, given: Demote) -> Deed:
    """DEMOTE, which PROMOTE undoes. The commands of the former GM stop working at once.

    A single GM only proposes to remove the first GM.
    """
    game = require_gm(context, *UNDECIDED)
    by = first_gm.gm_row(game, context.identity.person)
    gm = first_gm.gm_at(game, given.address)
    if first_gm.needs_second(gm, by, context.now):
        return Deed(
            f"{given.address} is the first GM of {game.name}, whom you cannot remove alone. All "
            f"GMs are notified at once that you ask for it. {_SECOND}",
            partial(_propose, context, gm, by),
        )
    person, deciders = gm.person, "Two other GMs" if gm.is_first else "Another GM"

    def remove() -> str:
        departure.remove_gm(context.desk, gm)
        if gm is not by:
            told = (
                f"You are no longer a GM of {game.name}. {deciders} decided this. Thank you for "
                "your work."
            )
            notify_person(context, person, game, told, is_outside=True)
        return announce_change(context, game, f"A GM has left {game.name}.")

    if gm is by:
        says = f"You are no longer a GM of {game.name}. Another GM can PROMOTE you again."
        return Deed(says, remove)
    return Deed(
        f"{given.address} is no longer a GM of {game.name}, and is notified. They still know what "
        "they have seen, so they cannot take a seat in the game either. PROMOTE makes them a GM "
        "again.",
        remove,
    )


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
