"""The writer of printouts: exact to the character, 78 columns wide (s27)."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Final

from referee.rulesets.starweb.artifacts import artifact_name
from referee.rulesets.starweb.orders import ArtifactNumber
from referee.rulesets.starweb.text.fields import FLEET_FORMS, WORLD_FORMS, shown
from referee.rulesets.starweb.text.printout import (
    FleetRecord,
    OrderEcho,
    Printout,
    Sign,
    WorldRecord,
)

WIDTH: Final = 78
LINE: Final = "   ------------"
RULE: Final = "=" * 20
SEEN: Final = "Players you can see this turn:"
SCORES: Final = "Their scores (not necessarily in order):"

_SHALLOW, _DEEP = "   ", "      "


def render_printout(printout: Printout) -> str:
    """Return the text of *printout*, exact to the character."""
    blocks = [
        [f"Game {printout.game}, Turn {printout.turn}, [{printout.name}]"],
        _heading(printout),
        [LINE],
        *(world_lines(world) for world in printout.worlds),
        *_others(printout),
        *(_sign(sign) for sign in printout.signs),
        [*_echo(printout.echo), *_due(printout.due)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def world_lines(world: WorldRecord) -> list[str]:
    """Return the lines of a world's record with its fleets and departures."""
    gates = "" if world.gates is None else f" ({','.join(map(str, world.gates))})"
    apostle = f" C[{world.apostle}]" if world.apostle else ""
    fields = enclosed(shown(WORLD_FORMS, world))
    record = f"W{world.number}{gates} [{world.owner}]{apostle}{fields}"
    lines = broken(record, world.artifacts)
    for fleet in world.fleets:
        lines += fleet_lines(fleet)
    if world.departures:
        gone = " ".join(f"F{d.fleet}[{d.owner}]-->W{d.to}" for d in world.departures)
        lines += _flow(_words(f"({gone})"), _SHALLOW, _SHALLOW)
    return lines


def fleet_lines(fleet: FleetRecord) -> list[str]:
    """Return the lines of a fleet's record."""
    fields = enclosed(shown(FLEET_FORMS, fleet))
    record = f"F{fleet.number}[{fleet.owner}]={fleet.ships}{fields}"
    return broken(record, fleet.artifacts, _SHALLOW)


def enclosed(fields: list[str]) -> str:
    """Return the fields of a record in parentheses, or "" if there are none."""
    return f" ({','.join(fields)})" if fields else ""


def broken(record: str, artifacts: Iterable[ArtifactNumber], indent: str = "") -> list[str]:
    """Return the lines of a record and its artifacts. Long lines are broken after commas."""
    lines: list[str] = []
    line = indent + record
    while len(line) > WIDTH and (end := line.rfind(",", 0, WIDTH) + 1):
        lines.append(line[:end])
        line = _DEEP + line[end:]
    for number in artifacts:
        piece = f"V{number}:{artifact_name(number)}"
        if len(line) + 2 + len(piece) <= WIDTH:
            line += f"  {piece}"
        else:
            lines.append(line)
            line = _DEEP + piece
    return [*lines, line]


def _heading(printout: Printout) -> list[str]:
    holdings = printout.holdings
    parts = [
        f"{field.name.capitalize()}={count}"
        for field in fields(holdings)
        if (count := getattr(holdings, field.name))
    ]
    parts += [f"{known.relation.value}=[{known.name}]" for known in printout.acquaintances]
    title = f"[{printout.name}]: {printout.character.value}"
    return [title, *_flow(_pieces(f"({','.join(parts)})"), _SHALLOW, _SHALLOW)]


def _others(printout: Printout) -> list[list[str]]:
    names = [("  ", f"[{name}]") for name in printout.seen]
    scores = [("  ", str(score)) for score in printout.scores]
    return [
        _flow([("", title), *parts], "", _SHALLOW)
        for title, parts in ((SEEN, names), (SCORES, scores))
        if parts
    ]


def _sign(sign: Sign) -> list[str]:
    """Return a sign as comment lines (``#``), so that no program reads them as orders."""
    lines = [f"Sign of [{sign.name}]:"]
    for text in sign.lines:
        lines.append(f"# {text[: WIDTH - 2]}" if text else "#")
        if len(text) > WIDTH - 2:
            lines.append(f"#+{text[WIDTH - 2 :]}")
    return lines


def _echo(echo: OrderEcho | None) -> list[str]:
    if echo is None:
        # Players' programs wait for the rule that closes a report.
        return [RULE]
    heading = f"Orders={echo.count} <errors and comments in angle-brackets>:"
    return [heading, RULE, *_flow(_words(" ".join(echo.words)), "", ""), RULE]


def _due(due: str) -> list[str]:
    return _flow(_words(f"Due {due}"), "", _SHALLOW) if due else []


def _pieces(record: str) -> list[tuple[str, str]]:
    *parts, last = record.split(",")
    return [*(("", f"{part},") for part in parts), ("", last)]


def _words(text: str) -> list[tuple[str, str]]:
    return [(" ", word) for word in text.split()]


def _flow(pieces: Iterable[tuple[str, str]], first: str, other: str) -> list[str]:
    """Fill lines with pieces, each with the gap before it on the same line."""
    lines: list[str] = []
    line = ""
    for gap, piece in pieces:
        if not line:
            line = first + piece
        elif len(line) + len(gap) + len(piece) <= WIDTH:
            line += gap + piece
        else:
            lines.append(line)
            line = other + piece
    return [*lines, line] if line else lines
