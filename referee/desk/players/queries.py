"""Questions of players and GMs, answered from what the asker may know."""

from collections.abc import Sequence
from typing import Any

from referee.desk.base import robots
from referee.desk.base.atlases import MOST_TURNS, atlas_file
from referee.desk.base.attachments import pictured
from referee.desk.base.desk import Site
from referee.desk.base.loaded_games import LoadedGame, ended, title_of_rules
from referee.desk.base.outbox_writer import both_ways
from referee.desk.base.private_games import is_hidden, is_private
from referee.desk.games import absences, deadlines, house_rules, stewardship, vacancies
from referee.desk.games.attendance import reliability_of_game
from referee.desk.games.resolution import missed_before
from referee.desk.orders.command_entries import For, question
from referee.desk.orders.gm_authority import BEGUN, require_outside_gm
from referee.desk.orders.letter_context import LetterContext, how_to_order
from referee.desk.orders.sheets import rule_sheet
from referee.desk.players.status import coming_lines, final_lines
from referee.domain.commands import AttachmentKind, ListGames, ShowAtlas, ShowMap, ShowOrders
from referee.domain.sheets import Entry
from referee.letters.outgoing.layout import labelled
from referee.letters.outgoing.notices import Atlas, Map
from referee.rules.ruleset import Seat
from referee.rules.stewards import orders_unsent
from referee.rules.wording import counted
from referee.store import Session
from referee.store.games import games
from referee.store.mail import digests
from referee.store.mail.digests import OwedKind
from referee.store.models import Game, GameStatus, Person, SeatRow, Sheet


@question(ListGames, "LIST", For.ANYONE | For.DEPUTY, shown_in="questions")
def answer_list(context: LetterContext, _command: ListGames) -> str:
    """LIST: the games that can be joined or are being played, without any names.

    The reliability shown is that of all players together, over games that have ended.
    """
    lines, joinable, person = [], "", context.identity.person
    for game in games.listing(context.session, GameStatus.FORMING, GameStatus.RUNNING):
        if is_private(game) or is_hidden(context.session, game, person, context.to.address):
            continue
        is_installed = game.ruleset in context.site.rulesets
        if game.status is GameStatus.FORMING and free_seats(game) and is_installed:
            joinable = joinable or game.name
        shown = listed_as(context.session, context.site, game, person, context.to.address)
        lines.append(f"{game.name}: {shown}")
    if joinable:
        lines.append(f"To join, send: JOIN {joinable}")
    return "\n".join(lines) or "No game is open for players, and none is running."


def listed_as(
    session: Session, site: Site, game: Game, reader: Person | None = None, address: str = ""
) -> str:
    """Return LIST's line about a game that can be joined or is being played, without any names.

    It names no vacancy to a reader whom the GM has excluded: TAKEOVER answers that there is none.
    """
    title = title_of_rules(site, game.ruleset)
    if game.title != title:
        title = f"{game.title} ({title})"
    if game.status is GameStatus.FORMING:
        what = f"{free_seats(game)} of {game.places} seats free{_robots(game)}"
    else:
        held = sum(row.person is not None for row in game.seats)
        players = f"{held} player{'s' if held != 1 else ''}{_robots(game)}"
        vacant = _vacant(game)
        if vacant and vacancies.is_excluded(session, game, address, reader):
            vacant = ""
        what = f"{players}, turn {game.turn}{vacant}"
    percent = reliability_of_game(session, game).percent
    met = f", {percent}% reliable" if percent is not None else ""
    mark = f"; {marked}" if (marked := house_rules.marked(game)) else ""
    observed = ", takes observers" if game.observers_behind is not None else ""
    return f"{title}, {what}{met}{observed}{mark}"


def free_seats(game: Game) -> int:
    """Return how many seats of a forming game are free."""
    return game.places - len(game.seats)


def _vacant(game: Game) -> str:
    without = [row for row in game.seats if row.person is None and not row.eliminated]
    if not without:
        return ""
    count = sum(row.robot is None for row in without)
    return f", {count} vacant (TAKEOVER {game.name})" if count else f" (TAKEOVER {game.name})"


def _robots(game: Game) -> str:
    """Return how many robots play in the game, in words, or ""."""
    return f", {counted(count, 'robot')}" if (count := len(robots.of_game(game))) else ""


@question(ShowOrders, "ORDERS", For.SEAT | For.DEPUTY, shown_in="questions")
def answer_orders(context: LetterContext, command: ShowOrders) -> str:
    """ORDERS: the orders on file, the default orders, and sheets for future turns."""
    table, row = context.table_in_play(), context.seat()
    if table.game.status is GameStatus.ENDED:
        return f"{table.game.name} {ended(table.game)} and no longer accepts orders."
    wanted = command.turn or context.identity.about.turn or table.game.turn
    rolled_back = context.rolled_back(wanted) if command.turn is None else ""
    turn = table.game.turn if rolled_back else max(wanted, table.game.turn)
    sheet = games.sheet_of(context.session, row, turn)
    lines = []
    if turn == table.game.turn:
        lines = [deadlines.sentence(table.game, context.zone, context.now)]
    lines.append(
        _sheet(context, table, row, sheet) if sheet is not None else _nothing(context, row, turn)
    )
    if turn == table.game.turn:
        lines += final_lines(table, row)
    lines += coming_lines(context, row, turn)
    told = [rolled_back, how_to_order(table.game)] if rolled_back else []
    return "\n".join([" ".join(told), *lines] if told else lines)


@question(ShowMap, "MAP", For.SEAT | For.DEPUTY | For.GM, shown_in="maps", answer=Map)
def answer_map(context: LetterContext, _command: ShowMap) -> str:
    """MAP. The map and its pictures are a letter of their own, unless no place is known.

    A GM who does not play gets the true map.
    """
    if context.identity.seat is None and context.identity.is_gm:
        require_outside_gm(context, *BEGUN, GameStatus.ENDED)
        table, name = context.table_in_play(), ""
        chart = table.truth
    else:
        table, name = context.table_in_play(), context.seat().name
        chart = table.ruleset.chart(table.state, Seat(context.seat().number))
    if chart is None or not chart.nodes:
        return _no_map(table)
    kinds = (AttachmentKind.MAP, AttachmentKind.PNG)
    files = tuple(pictured(table, chart, kind) for kind in kinds)
    names = tuple(file.name for file in files)
    notice = Map(table.game.name, table.game.turn, name, both_ways((chart,)), names)
    return context.mail(notice, f"map{len(context.letters)}x", files)


@question(ShowAtlas, "MAP ATLAS", For.SEAT | For.DEPUTY, shown_in="maps", answer=Atlas)
def answer_atlas(context: LetterContext, _command: ShowAtlas) -> str:
    """MAP ATLAS. The atlas is a file of a letter of its own, if any place is known."""
    table, row = context.table_in_play(), context.seat()
    deputy = context.identity.deputy
    reader = row.person if deputy is None else deputy.person
    if table.game.turn > MOST_TURNS and reader is not None:
        times = digests.Times(context.now, context.now)
        digests.owe(context.session, row, reader.id, OwedKind.ATLAS, times)
        return f"The atlas of {table.game.turn} turns is being made. It comes in another email."
    serial = f"atlas{len(context.letters)}x"
    file = atlas_file(context.desk, table, row, context.addressing(serial))
    if file is None:
        return _no_map(table)
    notice = Atlas(table.game.name, table.game.turn, row.name, file.name)
    return context.mail(notice, serial, (file,))


def _no_map(table: LoadedGame) -> str:
    title = table.ruleset.info.title
    return f"There is no map: {title} has none, or you do not know a place on it yet."


def _nothing(context: LetterContext, row: SeatRow, turn: int) -> str:
    table = context.table_in_play()
    if turn > table.game.turn:
        return f"Nothing is on file for turn {turn}."
    if Seat(row.number) not in table.awaiting:
        return "Nothing is on file, and you do not have to send orders now."
    if table.game.for_one:
        return (
            "Nothing is on file. If you send nothing, the game ends at the deadline. FINAL "
            "resolves the turn without orders of yours."
        )
    standing = table.read(row.standing)
    filled = _filled(context, table, row, standing)
    counts = "" if standing else f"{_missed(context, row)}, and "
    if not filled:
        warning = stewardship.warning(context.session, table, row, table.game.due_at)
        nothing = f"Nothing is on file. If you send nothing, {counts}your seat gets no orders."
        return f"{nothing} {warning}".rstrip()
    kind = "orders from your standing orders" if standing else "default orders"
    head = f"Nothing is on file. If you send nothing, {counts}you get these {kind}:"
    texts = table.render(filled)
    if standing:
        return "\n".join([head, *ruled_lines(table, row, texts, turn)])
    return "\n".join([head, *(f"  {_shown(text)}" for text in texts)])


def _filled(
    context: LetterContext, table: LoadedGame, row: SeatRow, standing: Sequence[Any]
) -> Sequence[Any]:
    """Return the orders of a seat that sends none."""
    seat, ruleset = Seat(row.number), table.ruleset
    if standing:
        return ruleset.defaults(table.state, seat, standing)
    return orders_unsent(ruleset, table.state, seat, missed_before(row, _away(context, row)))


def _away(context: LetterContext, row: SeatRow) -> frozenset[Seat]:
    """Return the seat if its player is away when the turn is due, or nothing."""
    seat, due = Seat(row.number), row.game.due_at
    return frozenset() if due is None else absences.excused(context.session, row.game, (seat,), due)


def _missed(context: LetterContext, row: SeatRow) -> str:
    """Return whether the turn counts as missed without orders, in words."""
    if _away(context, row):
        return "the turn does not count as missed, because you are away then"
    return "you miss the turn"


def _sheet(context: LetterContext, table: LoadedGame, row: SeatRow, sheet: Sheet) -> str:
    source = context.source_of(sheet.origin.letter_id)
    if not sheet.orders:
        return f"Your sheet from {source} has no orders."
    coming = f" for turn {sheet.turn}" if sheet.turn > table.game.turn else ""
    head = f"Your sheet from {source}{coming}:"
    return "\n".join([head, *ruled_lines(table, row, sheet.orders, sheet.turn)])


def ruled_lines(table: LoadedGame, row: SeatRow, orders: Sequence[str], turn: int) -> Sequence[str]:
    """Return each order of a sheet, in its order, with its meaning and ruling."""
    entries = table.with_orders([Entry(text, line) for line, text in enumerate(orders)])
    rulings = rule_sheet(table, row, entries, turn)
    said = [(r.line, r.text, r.meaning) for r in rulings.accepted]
    said += [(r.line, r.text, f"{r.meaning} WARNING: {r.warning}") for r in rulings.warned]
    said += [(fault.line, fault.text, f"REJECTED: {fault.reason}") for fault in rulings.faults]
    return [labelled(_shown(text), words) for _, text, words in sorted(said)]


def _shown(text: str) -> str:
    """Return an order in one line; of an order with several lines, only the first."""
    first, *more = text.splitlines() or [""]
    return f"{first} ..." if more else first
