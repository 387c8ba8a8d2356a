"""Blocks of an email, made from their first line and the lines up to END."""

from collections.abc import Sequence

from referee.domain.commands import Broadcast
from referee.domain.gm_commands import Correct, FileOrders, Invite
from referee.parsing.blocks import DiaryBlock, PressBlock, StandingBlock
from referee.parsing.command_lines import ParsedCommand
from referee.parsing.commands import DiaryHead, PressHead
from referee.parsing.gm_commands import BroadcastHead, CorrectHead, InviteHead, OrdersHead
from referee.parsing.items import Unparsed
from referee.parsing.lines import Line
from referee.parsing.reader import Reader


def block_of(
    head: ParsedCommand, inner: Sequence[Line], orders: Reader | None
) -> ParsedCommand | PressBlock | DiaryBlock | StandingBlock | Unparsed:
    """Return the block that begins with *head* and has the lines *inner*."""
    match head.command:
        case PressHead(recipients, anonymous, receipt, excluded, when):
            text = _text(inner)
            return PressBlock(head.line, recipients, anonymous, text, receipt, excluded, when)
        case DiaryHead():
            return DiaryBlock(head.line, _text(inner))
        case BroadcastHead():
            return ParsedCommand(head.line, head.text, Broadcast(_text(inner)))
        case CorrectHead(reason):
            return ParsedCommand(head.line, head.text, Correct(reason, _text(inner)))
        case InviteHead(addresses):
            return ParsedCommand(head.line, head.text, Invite(addresses, _text(inner)))
        case OrdersHead(seat):
            return ParsedCommand(head.line, head.text, FileOrders(seat, _text(inner)))
        case _ if orders is not None:
            return StandingBlock(head.line, orders.read_lines(inner))
    reason = "There is no running game for these orders."
    return Unparsed(head.text, head.line, 1, reason, is_command=True)


def _text(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines).strip("\n")
