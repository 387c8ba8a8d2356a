"""The house rules of a game: one document in words, made of its settings."""

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from referee.desk.base import private_games
from referee.desk.base.loaded_games import house_options, ruleset_of
from referee.desk.base.option_text import written
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import start_terms
from referee.desk.orders.command_entries import For, question
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import game_called
from referee.domain.absences import MOST_AT_ONCE, MOST_IN_A_GAME
from referee.domain.commands import ShowRules
from referee.domain.deadlines import longest_turn
from referee.domain.house_rules import VotingRules, early_wait, fair_share, gm_watch
from referee.domain.press import LIMITS_TO_GM, PressRule, PressRules
from referee.domain.schedules import every_turn, in_words
from referee.domain.votes import Motion, Quorum, Secrecy
from referee.letters.outgoing.notices import Chapter, HouseRules, HouseRulesChanged, HouseRulesText
from referee.parsing.schedules import read_schedule
from referee.rules.ruleset import RulesetInfo, UserError
from referee.rules.wording import listed, sentence
from referee.store.models import Game, GameStatus

_MOTIONS: Final = {
    Motion.EXTEND: "VOTE EXTEND (more time for the current turn)",
    Motion.HOLD: "VOTE HOLD (put the game on hold)",
    Motion.RESUME: "VOTE RESUME (resume a game on hold)",
    Motion.DRAW: "VOTE DRAW (end the game as a draw among all who still play)",
    Motion.CONCEDE: "VOTE CONCEDE (end the game with one winner)",
    Motion.END: "VOTE END (end the game now without a winner)",
    Motion.GM: "VOTE GM (have another GM, if yours is silent for two turns)",
}
_AGREEMENT: Final = {
    Quorum.NEVER: "not in this game",
    Quorum.MAJORITY: "more than half must agree",
    Quorum.TWO_THIRDS: "two thirds must agree",
    Quorum.ALL: "all must agree",
}
_SECRECY: Final = {
    Secrecy.NONE: "All votes are open: you see how each player you have met voted.",
    Secrecy.ENDINGS: "Votes that would end the game are secret. The others are open.",
    Secrecy.ALL: "All votes are secret.",
}


_PRIVATE: Final = (
    "The game is private: LIST does not show it, and players join with a code of the GM."
)


def charter(info: RulesetInfo, game: Game) -> HouseRulesText:
    """Return the current house rules with their version."""
    return HouseRulesText(
        game=game.name,
        title=game.title,
        version=game.rules_version,
        changed_turn=game.rules_changed_turn,
        chapters=tuple(
            Chapter(title, tuple(write(info, game)))
            for title, write in _CHAPTERS.items()
            if not game.for_one or title in _FOR_ONE
        ),
    )


def answer_rules(context: LetterContext, given: ShowRules) -> str:
    """RULES. The house rules come as a letter of their own, for players and newcomers."""
    if not given.game and context.identity.game is None:
        raise UserError("Which game? LIST shows the games. An example: RULES SW-1.")
    game = game_called(context, given.game)
    return context.mail(HouseRules(_of(context, game)), f"rules{len(context.letters)}x")


show_rules = question(
    ShowRules, "RULES", For.ANYONE | For.DEPUTY, shown_in="house_rules", answer=HouseRules
)(answer_rules)


def of_letter(context: LetterContext) -> HouseRulesText | None:
    """Return the house rules before the letter if its sender is a GM of the game, or None."""
    game = context.identity.game
    if game is None or not context.identity.is_gm or game.ruleset not in context.site.rulesets:
        return None
    return _of(context, game)


def marked(game: Game) -> str:
    """Return a note that the house rules changed after the start, or ""."""
    if game.rules_changed_turn is None:
        return ""
    return f"house rules changed after the start, in turn {game.rules_changed_turn}"


def revise(context: LetterContext, before: HouseRulesText | None) -> None:
    """Raise the version if a GM's letter has changed the house rules, and notify the players.

    RULES sends all of them, so the notice shows only the difference.
    """
    game = context.identity.game
    if game is None or before is None or not game.seats:
        return
    after = _of(context, game)
    if after.chapters == before.chapters:
        return
    game.rules_version += 1
    if game.status is not GameStatus.FORMING:
        game.rules_changed_turn = game.turn
    pairs = tuple(_differences(before, after))
    notice = HouseRulesChanged(
        game=game.name,
        version=game.rules_version,
        started=game.status is not GameStatus.FORMING,
        changed=tuple((old, new) for old, new in pairs if old and new),
        gone=tuple(old for old, new in pairs if not new),
        new=tuple(new for old, new in pairs if not old),
    )
    context.note = f"{context.note} All players get an email with the new house rules.".strip()
    for row in game.seats:
        if row.person is not None:
            serial = f"rules{game.rules_version}x{context.row.id}"
            turn = game.turn or None
            addressing = Addressing(
                mailbox(row.person), serial, game=game, seat=row, turn=turn, can_wait=True
            )
            post(context.desk, notice, addressing)


def _of(context: LetterContext, game: Game) -> HouseRulesText:
    return charter(ruleset_of(context.site.rulesets, game.ruleset).info, game)


def _differences(before: HouseRulesText, after: HouseRulesText) -> Iterator[tuple[str, str]]:
    """Yield the lines that differ, each with the line in its place; "" where there is none."""
    for old, new in zip(before.chapters, after.chapters, strict=True):
        changes = SequenceMatcher(None, old.lines, new.lines, autojunk=False).get_opcodes()
        for kind, begin, end, new_begin, new_end in changes:
            if kind != "equal":
                pairs = zip_longest(
                    old.lines[begin:end], new.lines[new_begin:new_end], fillvalue=""
                )
                yield from pairs


def _game(info: RulesetInfo, game: Game) -> Iterable[str]:
    yield f"Rules: {info.title}, edition {info.edition}."
    if game.for_one:
        yield "You play against robots. There is no GM, and your reliability stays as it is."
        yield start_terms.FOR_ONE
    elif game.status is GameStatus.FORMING:
        yield from start_terms.in_words(game)
    if not game.for_one:
        yield from who_joins(game)
    yield from options_in_words(info, game)


def who_joins(game: Game) -> Iterator[str]:
    """Yield sentences on who can join, if not everybody can."""
    if private_games.is_private(game):
        yield _PRIVATE
    if least := house_options(game)["reliability"]:
        yield f"Players who have finished a game must be {least}% reliable to join."
    if house_options(game)["approve"]:
        yield "The GM decides about everyone who wants to join."


def options_in_words(info: RulesetInfo, game: Game) -> Iterator[str]:
    """Yield the options of the ruleset, each with its value in the game and what it means."""
    for option in info.options:
        yield f"{option.name} = {written(game.options.get(option.name))}: {option.sentence}"


def _deadlines(_ruleset: RulesetInfo, game: Game) -> Iterable[str]:
    schedule = read_schedule(game.schedule)
    yield f"Turns are due {every_turn(schedule)}."
    yield _early(early_wait(game.options_of_house))
    if fair := fair_share(game.options_of_house):
        yield f"The turn after it has at least {fair} percent of the usual time."
    if game.grace_seconds:
        yield f"Orders up to {_span(game.grace_seconds)} after the deadline still count."
    else:
        yield "Orders that arrive after the deadline do not count."
    longest = longest_turn(schedule, game.created_at).total_seconds()
    # No reminder goes out before its turn has begun.
    if reminders := [_span(seconds) for seconds in game.reminders if seconds < longest]:
        yield f"We remind you {listed(reminders)} before the deadline if your orders are missing."
    if watch := gm_watch(game.options_of_house):
        yield f"The GM is notified {in_words(watch)} before the deadline if orders are missing."
    if house_options(game)["awaited"]:
        yield "Everyone sees whose orders are still awaited, but not what is in orders: STATUS."
    if game.extension_seconds:
        most = _span(game.extension_seconds)
        yield f"The GM and votes together can extend a turn by at most {most}."


def _early(wait: timedelta) -> str:
    everyone = "everyone who has orders to send says FINAL"
    if not wait:
        return f"A turn is resolved earlier if {everyone}."
    return (
        f"A turn is resolved earlier if {everyone}: {in_words(wait)} after the last one. Until "
        "then, new orders and WAIT count."
    )


def _missed(ruleset: RulesetInfo, game: Game) -> Iterable[str]:
    yield (
        "If you send nothing, your standing orders run. If you have none, you miss the turn "
        "and get the default orders of the rules, if the rules have any."
    )
    if len(ruleset.phases) > 1:
        yield "Turns that are parts of one round of the rules count once."
    yield (
        "Turns that you miss during an absence do not count, if you announced it with ABSENT. You "
        f"can be away for {MOST_AT_ONCE} days at a time, and {MOST_IN_A_GAME} days in the game."
    )
    if game.bank_seconds:
        yield (
            f"A turn waits at least {_span(game.bank_seconds)} longer, until the next time of the "
            "schedule, if a seat would miss its first turn. Each seat gets this time once."
        )
    if game.missed_limit:
        often = "a turn" if game.missed_limit == 1 else f"{game.missed_limit} turns in a row"
        yield f"If a seat misses {often}, the GM is notified, and others can take the seat."
    else:
        yield "You can miss any number of turns."
    how = "automatically" if game.standby else "when the GM says so"
    yield f"Seats that are vacant, or that others can take, are offered to standbys {how}."


def _press(_ruleset: RulesetInfo, game: Game) -> Iterable[str]:
    rules = game.press_rules
    yield sentence(press_in_words(rules))
    if rules.rule is not PressRule.NONE and rules.at_once:
        yield "Until a message is delivered, CANCEL takes it back."
    to_gm = _amount(LIMITS_TO_GM)
    yield f"PRESS TO GM always reaches the GM; a player can write at most {to_gm} a turn to the GM."


def _votes(_ruleset: RulesetInfo, game: Game) -> Iterable[str]:
    rules = VotingRules.of(game.options_of_house)
    for motion, words in _MOTIONS.items():
        yield f"{words}: {_AGREEMENT[rules.quorums[motion]]}."
    yield (
        f"A vote is open for {in_words(rules.length)}. Every seat with a player has one vote. "
        "Not voting counts as no."
    )
    yield _SECRECY[rules.secrecy]


def _observers(_ruleset: RulesetInfo, game: Game) -> Iterable[str]:
    delay = game.observers_behind
    if delay is None:
        yield "Nobody can observe the game."
    else:
        later = f"{delay} turn{'s' if delay != 1 else ''} later" if delay else "at once"
        yield f"Anyone can observe the game. Observers get the public report of each turn, {later}."


def _trust(_ruleset: RulesetInfo, game: Game) -> Iterable[str]:
    if game.trust == "address":
        yield "We accept an email from your address as yours, without further checks."
    else:
        yield (
            "We accept an email as yours if it is a reply to one of ours, is signed by your mail "
            "provider, or has your security code. Otherwise we ask you to confirm it."
        )


_CHAPTERS: Final[dict[str, Callable[[RulesetInfo, Game], Iterable[str]]]] = {
    "THE GAME": _game,
    "DEADLINES": _deadlines,
    "MISSED TURNS": _missed,
    "MESSAGES": _press,
    "VOTES": _votes,
    "OBSERVERS": _observers,
    "VERIFICATION": _trust,
}
_FOR_ONE: Final = frozenset({"THE GAME", "VERIFICATION"})
"""The chapters of a game of one person against robots."""


def press_in_words(rules: PressRules) -> str:
    """Return the press rules in words: whom players can write to, how, and when it is delivered."""
    if rules.rule is PressRule.NONE:
        return "players cannot write to each other"
    whom = "players they have met" if rules.rule is PressRule.MET else "all players"
    signed = "signed or unsigned" if rules.anonymous else "signed"
    when = "delivered after ten minutes" if rules.at_once else "delivered with the next report"
    to_all = "" if rules.broadcast else "; only by name, not to ALL"
    most = f"; at most {amount} a turn" if (amount := _amount(rules)) else ""
    return f"players can write to {whom}, {signed}, {when}{to_all}{most}"


def _amount(rules: PressRules) -> str:
    """Return how much a player can write in a turn, or "" for any amount."""
    count = "1 message" if rules.limit == 1 else f"{rules.limit} messages"
    limits = [count] if rules.limit else []
    limits += [f"{rules.kilobytes} kB"] if rules.kilobytes else []
    return " and ".join(limits)


def _span(seconds: int) -> str:
    return in_words(timedelta(seconds=seconds))
