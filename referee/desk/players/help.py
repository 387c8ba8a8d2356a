"""HELP: pages about commands and orders, generated from the grammars, and the rulebooks."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher, get_close_matches
from itertools import islice
from typing import Any, Final, NamedTuple

from referee.desk.base.desk import Site
from referee.desk.base.loaded_games import LoadedGame, other_grammars
from referee.desk.base.option_text import players, written
from referee.desk.base.rulebooks import Rulebook, plain, players_guide, rulebook, ruleset_word
from referee.desk.games import house_rules
from referee.desk.games.pack_text import summary
from referee.desk.orders.command_entries import For, question
from referee.desk.orders.letter_context import LetterContext
from referee.desk.players import order_help
from referee.domain.commands import Help, ShowRules
from referee.domain.house_rules import HOUSE_OPTIONS
from referee.domain.rule_packs import BUILT_IN
from referee.domain.ruleset_names import names_of
from referee.letters.outgoing.notices import HelpPage
from referee.parsing.lines import words_of
from referee.parsing.reference import about, about_order, reference, sections
from referee.parsing.words import is_everyday
from referee.rules.ruleset import Option, Phase, Ruleset, RulesetInfo, UserError
from referee.rules.wording import listed

_WELCOME: Final = """\
Write to {address}, one order or command on each line.
To send orders, reply to your report and type them at the top.

ORDERS
  ORDERS: show your orders on file
  CHECK: on the first line, test your orders and file nothing
  FINAL: you are done, and the turn can be resolved early
  UNDO: take your last email back

YOUR GAME
  STATUS: deadline, votes and your settings
  MAP: a map of what you know
  PRESS TO MARS: message to MARS; end it with END
  DIARY: note for yourself; end it with END
  VOTE EXTEND 2 days: ask all players for more time
  ABSENT TO 2 October: you are away
  RULES: the house rules of your game

GAMES
  LIST: games you can join
  JOIN SW-1 FRODO: join the game SW-1 as FRODO
  PLAY: games against robots, which start at once
  OBSERVE SW-1: read a game without playing
  STANDBY ALL: get an offer when a seat is vacant

MORE HELP
  HELP COMMANDS: every command; HELP PRESS: one command
  HELP ORDERS: the orders of your game
  HELP and an order: what it means, with your own units
{rules}
  HELP GM: commands for game masters
  HELP OPTIONS: what a GM can choose in every game
  HELP SCHEDULE: how a GM writes when turns are due

There is also HELP on {chapters}."""

_LEAD: Final = """\
Write one command on each line, below a line with the game, such as GM SW-1.
UNDO takes back what you have set. What cannot be taken back we first show you.

SHEETS: who has sent orders
REMIND NOW: remind those who have not
EXTEND 2 days: give the turn more time
RESOLVE: resolve the turn now
HOLD: resolve no turn until RESUME
REPLACE CERES sam@example.org: give a seat to another player
PRESS TO ALL: message to all players; end it with END
ROLLBACK: undo the last turn

MORE HELP
{topics}
  HELP GM ALL: every command of a GM on one page
  HELP CREATE: how to open a game; HELP and any other command
  HELP OPTIONS: what you can choose in every game
  HELP SCHEDULE: how to write when turns are due"""

_OF_PLAYERS: Final = ("  UNDO:", "  DIARY:", "  VOTE ", "  ABSENT ")
"""The beginnings of lines of the first page about what a deputy cannot send."""
_OF_OTHERS: Final = ("  PRESS ", "  VOTE ", "  ABSENT ")
"""The beginnings of lines of the first page that are about other players, or about a GM."""

_LEAST: Final = 4
"""A shorter word is like too many others."""
_MOST_WORDS: Final = 30
"""The most words of a letter that are compared."""
_NEAR: Final = 0.75
_SHORT: Final = 3
"""So few words, without an order, are not talk: an order is looked for."""
_ASKING: Final = frozenset(
    """
    how what where when which why help wie was wo warum hilfe comment quoi où aide cómo como qué
    que ayuda come cosa aiuto jak co gdzie pomoc hoe wat waar
    """.split()  # noqa: SIM905  # a list of words is easier to read
)
"""Words of a question, which people also write without a question mark."""


@question(Help, "HELP", For.ANYONE | For.DEPUTY, shown_in="questions", answer=HelpPage)
def answer_help(context: LetterContext, command: Help) -> str:
    """HELP. The page is a letter of its own; HOUSE RULES mails those of the game."""
    topic = command.topic
    if topic.upper().split() == ["HOUSE", "RULES"]:
        if context.identity.game is not None:
            return house_rules.answer_rules(context, ShowRules())
        # The chapter about house rules is found under its first word.
        topic = "HOUSE"
    text = _page_on(topic, context.site, context.table)
    if not topic and (left_out := _left_out(context)):
        text = "\n".join(each for each in text.split("\n") if not each.startswith(left_out))
    page = HelpPage(
        order_help.shown_topic(context.table, command.topic),
        text,
        tuple(order_help.examples(context, command.topic)),
        tuple(order_help.meaning(context, command.topic)),
        tuple(order_help.last_mistake(context, command.topic)),
    )
    return context.mail(page, f"help{len(context.letters)}x")


def _left_out(context: LetterContext) -> tuple[str, ...]:
    """Return the beginnings of lines of the first page that are not for the sender."""
    seat = context.identity.seat
    if context.identity.deputy is not None:
        return _OF_PLAYERS
    return _OF_OTHERS if seat is not None and seat.game.for_one else ()


def _page_on(topic: str, site: Site, table: LoadedGame | None) -> str:
    """Return the page on *topic*. Raises UserError, which lists the topics, if there is none."""
    wanted = " ".join(topic.upper().split())
    if not wanted:
        chapters = listed(each.word for each in players_guide().chapters if each.word != "ORDERS")
        return _WELCOME.format(address=site.address, rules=_rules(site), chapters=chapters)
    if wanted == "ORDERS" and table is not None:
        return _orders(table)
    if page := _page(wanted):
        return page
    for key, ruleset in site.rulesets.items():
        for name in map(str.upper, names_of(ruleset.info)):
            if wanted == name:
                return _overview(site, key)
            if wanted.startswith(f"{name} "):
                word = wanted.removeprefix(name).strip()
                return _order_of(ruleset, table, word) or _chapter(ruleset, name, word)
    wanted = wanted.removeprefix("GM ")
    if page := _chapter_of_game(table, wanted) or _command(wanted) or _order(table, wanted):
        return page
    if page := _choice(wanted) or _of_guide(wanted) or _explained(table, topic):
        return page
    of_orders = (
        "In a reply to an email about your game, you can also ask about a word of its orders."
        if table is None
        else f"You can also ask about a word of the orders of {table.ruleset.info.title}."
    )
    raise UserError(
        f"There is no help on that. HELP lists all topics, HELP COMMANDS all commands. {of_orders}"
    )


def _explained(table: LoadedGame | None, topic: str) -> str:
    """Return the help on the orders of the game that a word of their explanations finds, or ""."""
    return order_help.page(table, topic) if table is not None else ""


def _choice(word: str) -> str:
    """Return the help on a house option or a setting of that name, or ""."""
    of_person, of_game = about("commands.lark", f"SET {word}"), about("gm.lark", f"OPTION {word}")
    if of_person or of_game:
        return "\n\n".join(filter(None, (of_person, of_game)))
    lines = [_house_option(each) for each in HOUSE_OPTIONS if each.name.upper() == word]
    return "\n\n".join((*lines, _ALL_OPTIONS)) if lines else ""


def _of_guide(word: str) -> str:
    """Return the chapter of the guide for players, or ""."""
    chapter = players_guide().chapter(word)
    return f"{chapter.title.upper()}\n\n{plain(chapter.text)}" if chapter is not None else ""


def _orders(table: LoadedGame) -> str:
    """Return the order reference from the grammar of the phase, or advice if it has none."""
    title = table.ruleset.info.title
    page = reference(table.reader.grammar.source)
    return page or f"There is no page on the orders of {title}. Try HELP {title.upper()}."


def is_topic(words: str) -> bool:
    """Return whether HELP has a page on *words* (in capitals) without looking at any ruleset."""
    return (
        words in {*_PAGES, "GM", "OPTIONS", "ORDERS"}
        or any(about(source, words) for source in ("commands.lark", "gm.lark"))
        or players_guide().chapter(words) is not None
    )


def _page(wanted: str) -> str:
    """Return the page of that name, or ""."""
    if wanted == "OPTIONS":
        return _house_options()
    if wanted == "GM":
        topics = (f"  HELP GM {each.topic}: {each.about}" for each in _of_gms())
        return _LEAD.format(topics="\n".join(topics))
    for each in _of_gms():
        if wanted == f"GM {each.topic}":
            return each.page
    return reference(_PAGES[wanted]) if wanted in _PAGES else ""


class _Topic(NamedTuple):
    """A topic of HELP GM: the first word of a heading of the grammar, the heading, and the page."""

    topic: str
    about: str
    page: str


def _of_gms() -> Iterator[_Topic]:
    for heading, page in sections("gm.lark").items():
        yield _Topic(heading.split()[0].strip(","), heading.lower(), page)


def _command(words: str) -> str:
    """Return the help on the commands that start with *words*, or with as many as are known."""
    parts = words.split()
    for length in range(len(parts), 0, -1):
        wanted = " ".join(parts[:length])
        page, for_gms = about("commands.lark", wanted), about("gm.lark", wanted)
        if page and for_gms:
            page = f"{page}\n\n{_FOR_GMS}\n{for_gms}"
        if page or for_gms:
            return page or for_gms
    return ""


def _order(table: LoadedGame | None, word: str) -> str:
    """Return the help on the orders that contain the word, in this or another phase, or ""."""
    if table is None:
        return ""
    if page := about_order(table.reader.grammar.source, word):
        return page
    others = (g.source for g in other_grammars(table.ruleset, table.phase))
    page = "\n\n".join(filter(None, (about_order(source, word) for source in others)))
    return f"{word} is an order of another phase.\n\n{page}" if page else ""


def _order_of(ruleset: Ruleset[Any, Any], table: LoadedGame | None, word: str) -> str:
    """Return the help on the orders of a ruleset that contain the word, or "".

    A chapter of that name comes first, and is not repeated here.
    """
    book = rulebook(ruleset)
    if book is not None and book.chapter(word) is not None:
        return ""
    phases = (Phase(key, "", frozenset()) for key in ruleset.info.phases)
    sources = dict.fromkeys(ruleset.grammar(phase).source for phase in phases)
    page = "\n\n".join(filter(None, (about_order(source, word) for source in sources)))
    is_own = table is not None and table.ruleset.info.key == ruleset.info.key
    return page or (_explained(table, word) if is_own else "")


def _rules(site: Site) -> str:
    titles = [(key, ruleset.info.title) for key, ruleset in sorted(site.rulesets.items())]
    return "\n".join(
        f"  HELP {ruleset_word(key, title)}: the rules of {title}" for key, title in titles
    )


def _overview(site: Site, key: str) -> str:
    """Return the overview of a ruleset's rulebook, its chapters and its options."""
    ruleset = site.rulesets[key]
    book, title = rulebook(ruleset), ruleset.info.title
    parts = (
        [plain(book.overview), _contents(book, ruleset_word(key, title))]
        if book is not None
        else [title]
    )
    overview = " ".join(parts[0].split())
    return "\n\n".join(filter(None, (*parts, options(ruleset.info, overview))))


def _contents(book: Rulebook, name: str) -> str:
    lines = [f"  HELP {name} {chapter.word}: {chapter.about}" for chapter in book.chapters]
    return "\n".join(("CHAPTERS", "", *lines))


def _chapter(ruleset: Ruleset[Any, Any], name: str, word: str) -> str:
    """Return a chapter of a rulebook. Raises UserError, which lists them, if there is none."""
    book = rulebook(ruleset)
    if book is None:
        raise UserError(f"There is no rulebook for {name}.")
    chapter = book.chapter(word)
    if chapter is None:
        words = ", ".join(each.word for each in book.chapters)
        raise UserError(f"The rulebook of {name} has no chapter {word}. It has: {words}.")
    return f"{name}: {chapter.title}\n\n{plain(chapter.text)}"


def _chapter_of_game(table: LoadedGame | None, word: str) -> str:
    """Return the chapter of the game's rulebook, if players have no command or order *word*.

    A GM's command of that name comes below it.
    """
    if table is None or about("commands.lark", word) or _order(table, word):
        return ""
    info, book = table.ruleset.info, rulebook(table.ruleset)
    if book is None or book.chapter(word) is None:
        return ""
    page = _chapter(table.ruleset, ruleset_word(info.key, info.title), word)
    for_gms = about("gm.lark", word)
    return f"{page}\n\n{_FOR_GMS}\n{for_gms}" if for_gms else page


def options(info: RulesetInfo, overview: str) -> str:
    """Return a ruleset's options for the GM and its choices for players, below its *overview*."""
    seats = f"{info.title} is for {players(info)}."
    choices = "A GM can choose at CREATE:\n" if info.options else _NO_OPTIONS
    # An overview can begin with the same sentence.
    lines = [choices if seats in overview else f"{seats} {choices}"]
    lines += [f"  OPTION {o.name}={written(o.default)}: {o.sentence}" for o in info.options]
    for choice in info.choices:
        lines += ["", f"At JOIN: {choice.sentence}", f"  {', '.join(choice.choices)}"]
    return "\n".join(lines)


def _house_option(option: Option) -> str:
    return f"OPTION {option.name}={written(option.default)}: {option.sentence}"


def _house_options() -> str:
    """Return the house options, which every game has."""
    lines = [
        "Every game has these house options. A GM sets them at CREATE or later.",
        "HELP and the name of a ruleset shows the options of that ruleset, which",
        "cannot be changed after the start.",
        "",
    ]
    lines += [f"  {_house_option(each)}" for each in HOUSE_OPTIONS]
    lines += [
        "",
        "A pack has all house rules: CREATE STARWEB RULES casual. These come with",
        "the program; RULES LIST shows yours, too.",
        "",
    ]
    lines += [f"  RULES {summary(pack)}" for pack in BUILT_IN]
    return "\n".join(lines)


def asks(text: str) -> bool:
    """Return whether a line of words asks how something is done, or is too short to be talk."""
    words = words_of(text.casefold())
    return "?" in text or len(words) <= _SHORT or not _ASKING.isdisjoint(words)


def nearest_topic(words: Iterable[str], table: LoadedGame) -> str:
    """Return the topic of HELP about the game that is nearest to one of *words*, or "".

    An order is preferred to a chapter of the rulebook, and that to a chapter of our guide.
    """
    topics = _topics(table)
    typed = (word.strip(".,;:!?()'\"").upper() for word in words)
    long = islice((word for word in typed if _may_be_topic(word)), _MOST_WORDS)
    found = [(word, near) for word in long for near in get_close_matches(word, topics, 1, _NEAR)]
    best = max(found, key=lambda pair: SequenceMatcher(None, *pair).ratio(), default=None)
    return topics[best[1]] if best is not None else ""


def _may_be_topic(word: str) -> bool:
    return len(word) >= _LEAST and not is_everyday(word)


def _topics(table: LoadedGame) -> Mapping[str, str]:
    """Return the topics by the words that lead to them."""
    topics: dict[str, str] = {}
    for word, topic in _listed(table):
        if len(word) >= _LEAST:
            topics.setdefault(word, topic)
    return topics


def _listed(table: LoadedGame) -> Iterator[tuple[str, str]]:
    for word in sorted(table.reader.first_words):
        if len(word) >= _LEAST and about_order(table.reader.grammar.source, word):
            yield word, word
    book, info = rulebook(table.ruleset), table.ruleset.info
    for chapter in book.chapters if book is not None else ():
        yield chapter.word, f"{ruleset_word(info.key, info.title)} {chapter.word}"
    for chapter in players_guide().chapters:
        yield chapter.word, chapter.word


_ALL_OPTIONS: Final = "HELP OPTIONS lists all house options. Only the GM of a game can set them."
_NO_OPTIONS: Final = "It has no options of its own. HELP OPTIONS lists those of every game."
_FOR_GMS: Final = "FOR THE GM OF A GAME"
_PAGES: Final[Mapping[str, str]] = {
    "COMMANDS": "commands.lark",
    "GM ALL": "gm.lark",
    "SCHEDULE": "schedule.lark",
}
