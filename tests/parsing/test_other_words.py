"""Words of other programs for the commands of a GM."""

from referee.parsing.commands import command_words
from referee.parsing.gm_commands import GM_COMMANDS
from referee.parsing.other_words import COMMAND_MEANT
from referee.parsing.reader import Reader

GMS = Reader(GM_COMMANDS, start="command").first_words()


def test_no_such_word_is_a_command() -> None:
    assert command_words().isdisjoint(COMMAND_MEANT)


def test_all_advice_begins_with_a_command_of_a_gm() -> None:
    assert [text for text in COMMAND_MEANT.values() if text.split()[0] not in GMS] == []
