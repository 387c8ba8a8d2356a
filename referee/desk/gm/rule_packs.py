"""RULES SAVE, LIST and DROP: packs of house rules, which CREATE takes by name."""

from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import house_options
from referee.desk.games.pack_text import summary
from referee.desk.orders.command_entries import Deed, Effect, For, command, question
from referee.desk.orders.gm_authority import require_gm
from referee.desk.orders.letter_context import LetterContext
from referee.domain.gm_commands import DropRules, ListRules, SaveRules
from referee.domain.rule_packs import BUILT_IN, LONGEST_NAME, MOST_PACKS, SETTINGS, RulePack
from referee.rules.ruleset import UserError
from referee.store.models import Game, GameStatus, Person
from referee.store.people import people, rule_packs


def called(desk: Desk, address: str, name: str) -> RulePack:
    """Return the pack of that name: of the person with this address, or of the program.

    Raises UserError, which lists all names, if there is none.
    """
    person = people.by_address(desk.session, address)
    found = _own(desk, person)
    for pack in (*found, *BUILT_IN):
        if pack.name == name.lower():
            return pack
    names = ", ".join(dict.fromkeys(pack.name for pack in (*found, *BUILT_IN)))
    raise UserError(f'There is no pack called "{name}". You can use: {names}.')


@command(SaveRules, "RULES SAVE", For.GM, Effect.SETS, shown_in="rule_packs")
def save(context: LetterContext, given: SaveRules) -> Deed:
    """RULES SAVE, which RULES DROP undoes."""
    game, name = require_gm(context, *GameStatus), given.name.lower()
    person = context.person()
    if len(name) > LONGEST_NAME or not name.replace("-", "").isalnum():
        raise UserError(
            f"A name has letters, digits and hyphens, {LONGEST_NAME} characters at most."
        )
    own = rule_packs.of(context.session, person)
    if any(pack.name == name for pack in own):
        raise UserError(f"You already have a pack called {name}. RULES DROP {name} deletes it.")
    if len(own) >= MOST_PACKS:
        raise UserError(
            f"You have {MOST_PACKS} packs, which is the most. RULES LIST shows them, and RULES "
            "DROP deletes one."
        )
    pack = _pack_of(game, name)

    def keep() -> str:
        rule_packs.save(context.session, person, pack, context.now)
        return f"Saved. CREATE with RULES {name} uses it, and RULES DROP {name} deletes it."

    return Deed(f"This is saved for your next games. {summary(pack)}", keep)


@command(DropRules, "RULES DROP", For.KNOWN, Effect.SETS, shown_in="rule_packs")
def drop(context: LetterContext, given: DropRules) -> Deed:
    """RULES DROP."""
    person, name = context.person(), given.name.lower()
    if all(pack.name != name for pack in rule_packs.of(context.session, person)):
        raise UserError("You have saved no such pack. RULES LIST shows yours.")

    def delete() -> str:
        rule_packs.drop(context.session, person, name)
        return f"Your pack {name} is deleted. Games that were created with it keep their rules."

    return Deed("", delete)


@question(ListRules, "RULES LIST", For.ANYONE, shown_in="rule_packs")
def listed(context: LetterContext, _given: ListRules) -> str:
    """RULES LIST: the packs of the sender, and those of the program."""
    own = _own(context.desk, context.identity.person)
    names = {pack.name for pack in own}
    lines = [f"Your pack {summary(pack)}" for pack in own]
    lines += [summary(pack) for pack in BUILT_IN if pack.name not in names]
    return "\n".join(lines)


def _own(desk: Desk, person: Person | None) -> list[RulePack]:
    return rule_packs.of(desk.session, person) if person is not None else []


def _pack_of(game: Game, name: str) -> RulePack:
    """Return all that a GM can choose for a game, as it is now."""
    return RulePack(
        name,
        game.schedule,
        {column: getattr(game, column) for column in SETTINGS},
        game.press_rules,
        house_options(game),
        game.ruleset,
        game.options,
    )
