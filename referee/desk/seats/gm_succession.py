"""New GMs that no GM appoints: by the operator, or by a vote because the GM is silent."""

from referee.desk.base import announcements
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, mailbox, post, tell_operator
from referee.desk.seats import departure, deputies, first_gm
from referee.desk.seats.registration import Registration, enrol
from referee.letters.outgoing.notices import Appointed, OperatorAlert
from referee.rules.ruleset import UserError
from referee.store.games import audit, games
from referee.store.models import FIRST_LINE, Game, Person


def appoint(desk: Desk, game: Game, address: str) -> None:
    """Make somebody a GM of the game, as the operator; notify them and its GMs.

    Raises UserError if they are one already.
    """
    new = enrol(desk, address, "", "")
    if any(gm.person is new.person for gm in game.gms):
        raise UserError(f"{address} is already a GM of {game.name}.")
    told = f"The operator made GM #{new.person.account} a GM of {game.name}."
    for gm in game.gms:
        announcements.tell(desk, game, gm.person, told, f"appointed{new.person.id}")
    _welcome(desk, game, new, "operator", "The operator")


def replace_all(desk: Desk, game: Game, player: Person) -> None:
    """Make a player the only GM of the game, because the players voted for it."""
    old = list(game.gms)
    _welcome(desk, game, Registration(player), "players", "A vote of the players")
    # So nobody who leaves now has a successor.
    first_gm.gm_row(game, player).line = FIRST_LINE
    told = (
        f"You are no longer a GM of {game.name}. No GM answered the players for two turns, and "
        "they voted for another one."
    )
    for gm in old:
        person = gm.person
        departure.remove_gm(desk, gm)
        announcements.tell(desk, game, person, told, f"replaced{person.id}", has_left=True)


def ask_operator(desk: Desk, game: Game) -> str:
    """Ask the operator to appoint another GM, because of a vote; return what to tell everyone."""
    reference = f"{game.name}-T{game.turn}"
    what = (
        f"No GM of {game.name} has answered its players for two turns, and they voted for another "
        "one."
    )
    to_do = (
        f"Find somebody, perhaps one of the players, and run `referee game promote {game.name} "
        f"ADDRESS`. Then `referee game demote {game.name} ADDRESS` removes the old GM."
    )
    audit.note(desk.session, game, "players", what, desk.now, public=False)
    if not desk.site.operator:
        return "Ask the operator to appoint another GM."
    alert = OperatorAlert(f"{game.name} needs another GM", what, reference, to_do)
    tell_operator(desk, alert, f"gm{reference}")
    return "We have asked the operator to appoint another GM."


def _welcome(desk: Desk, game: Game, new: Registration, who: str, by: str) -> None:
    """Make a person a GM in a line of their own, and notify them.

    The audit log says *who* decided it, and the new GM reads *by* whom.
    """
    person = new.person
    plays = any(row.person_id == person.id for row in game.seats)
    games.revoke_claim(game)
    deputies.end_for_gm(desk, game, person)
    first_gm.join(game, person, desk.now)
    note = f"The game has another GM{', who also plays in it' if plays else ''}. {by} decided this."
    audit.note(desk.session, game, who, note, desk.now)
    notice = Appointed(game.name, game.title, person.account, new.code, by)
    serial = f"appointed{person.id}x{desk.now:%Y%m%d%H%M%S}"
    post(desk, notice, Addressing(mailbox(person), serial, game=game))
