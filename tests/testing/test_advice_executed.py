"""Advice that is executed: a command that a letter quotes does in that situation what it says."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from referee.domain.mail_transfer import Line
from referee.parsing.body import read_body
from referee.parsing.command_lines import ParsedCommand
from referee.testing.conversation import Conversation, ConversationError
from referee.testing.correspondents import Received
from tests.support.talks import checked

FOLDER = Path(__file__).parents[1] / "conversations"
ACTION = re.compile(r"^=== (?!\S+ gets|nobody)", re.MULTILINE)
"""The beginning of a statement before which all letters were read."""
REPEATED = re.compile(
    r"^(?: *[:>]|  Line [0-9]| *#[0-9]|NOT .*\n  \S).*"
    r"|(?:GM has sent|they send|player\s+can)\s[^.]+",
    re.MULTILINE,
)
"""A line of the reader or of others, which a letter repeats, and what others can send."""
HEADING = re.compile(
    r"(?:below(?: a line)?|names the game, such as|two lines:) (GM [A-Z]+-\d+)", re.IGNORECASE
)
"""The line that a letter wants above its commands."""
PLAYED = re.compile(r"\b(?:FRODO|SAM|MERRY|PIPPIN|GANDALF|BILBO)\b|#?\d[\w-]*|\S+@\S+")
"""A seat, a person or a number: with another one, it is the same advice."""
ALONE = re.compile(r"^ {2,8}([A-Z]{2,}(?: (?:[\w@#/-]|[.,:](?=\w))+)*)(?:: .*)?$", re.MULTILINE)
"""A command on a line of its own, with or without its meaning behind a colon."""
WITHIN = re.compile(
    r"(?<= )([A-Z]{2,}(?: (?:[A-Z][A-Z0-9][\w-]*|#?\d[\w-]*|\S+@\S+\w|days?|hours?)\b)+)"
)
"""A command of several words within a sentence."""
NO_ADVICE = {
    r"@example\.|\b(?:CERES|MARS)\b|K7QX2M4A|#1234\b": "a placeholder for what the reader knows",
    r"^HISTORY 7$": "an example",
    r"^SEATS |^JOIN SW-1$": "a part of CREATE, or of JOIN with a code",
    r"^(?:ABSENT|DEPUTY) NONE$": "the end of what has not begun",
    r"^CANCEL (?!#)": "an example, or an order of words that ends behind the capitals",
    r"^VOTE CONCEDE (?!TO )": "the reader's own misspelt line",
    r"^YOU ": "a heading",
    r"^ROLLBACK 2 TURNS$": "the form of a command",
    r"^SHARE |^VOTE RESUME$": "the choice of players, in a letter that GMs get, too",
    r"^REVEAL$|^ACCEPT LATE|^VOTE GM$": "what is possible later, as the letter says",
}
"""Quotes that advise nothing here and now, with the reasons."""
SAME_ADVICE = """
absence absence_again allowed_and_words asked_at_home cancel_copies clock clock_back
clock_back_early clock_back_in_steps clock_back_offer clock_ends_nothing confirmed_after_deadline
confirmed_in_grace confirmed_late copies create_start daily_letter daily_letter_of_games deadlines
deputy_game_ended deputy_in_outage deputy_late deputy_misuse deputy_reminded eager_friends
early_outage ending final_aside_waits final_extended final_like_order final_limits final_undone
final_waits gamemaster gestures given_seat gm_demoting gm_message_names gm_no_change gm_on_hold
gm_people gm_reliability gm_turn_letters_outage gm_who_plays grace_days greetings_without_game
heading_and_words help_absence help_examples help_gm hold_by_player hold_rollback hold_short
hold_span hold_time joining late_nothing lost_mailbox machines_and_people missed_rounds names_tried
not_read_below notice observers_ending on_hold one_mailbox only_quoted_words orders_asked
orders_next_to_join outage outage_ahead own_name own_words_quoted press press_at_once press_leaks
press_one_word_name press_poses_as_sheet press_quotes_sheet press_scripts press_timed_ends
press_timed_rollback press_to_all_but press_to_gm press_unsent_successor press_unsigned questions
reliability reminded_after_undo reply_above_attribution reply_edits_report reply_edits_unsafe
reply_of_former_player report_corrected report_present resign_after_end returns rollback_eliminated
rollback_notes rollback_of_correction rulebook set_address_everywhere standby_listed standby_outage
standby_races star_empires_all_allied star_empires_allies star_empires_names star_empires_stranger
starweb_turns subject_of_reply text_of_programs time_bank time_bank_weekly token_bounce
token_forwarded token_reply_all trust undo undo_lasting undo_questions undo_seats vote_alone_friend
vote_candidate_left vote_draw_vacant vote_ends_answer vote_ends_orders vote_extend_moved vote_left
vote_of_leaver who
"""
"""Conversations whose advice the others have, which are the quickest that have all. A new one is
tried. The advice of all is executed in one test, because each advice is executed once."""


def quoted(letter: Received) -> set[str]:
    """Return the commands that a letter advises here and now.

    HELP and house rules have general examples, and a digest asks for the name of a game.
    """
    if re.search("(?i)help|house|digest", letter.subject):
        return set()
    text = REPEATED.sub("", letter.text)
    found = {*ALONE.findall(text), *WITHIN.findall(re.sub(r"(?<=\S)\n *(?=\S)", " ", text))}
    found = {one for one in found if is_command(one) and not re.search("|".join(NO_ADVICE), one)}
    # A question promises what is done after it, unless it says that some is not possible. What a GM
    # who plays cannot see is said only to the proven GM.
    asks = "IF YOU CONFIRM" in letter.text and not re.search("NOT POSSIBLE", letter.text)
    return {*found, "CONFIRM"} if asks else found


def heading(letter: Received) -> str:
    """Return the line above the commands of the letter, with its end, or ""."""
    above = HEADING.search(" ".join(letter.text.split()))
    return f"{above[1]}\n".upper() if above is not None else ""


def kind(letter: Received, command: str) -> tuple[str, str]:
    """Return what is the same for all letters that give this advice in such a situation.

    HELP is given in all situations.
    """
    if command.startswith("HELP"):
        return "", command
    of_commands = r"|\b[A-Z]{2,}\b" if command != "CONFIRM" else ""
    return re.sub(rf"\[.*?\]|\d+{of_commands}", "", letter.subject), PLAYED.sub("_", command)


def is_command(text: str) -> bool:
    """Return whether a line is one command."""
    items = read_body([Line(1, "GM SW-1"), Line(2, text)], None).items
    return len(items) == 1 and isinstance(items[0], ParsedCommand)


def refusal(talk: Conversation, reader: str, command: str) -> str:
    """Return why a command of the reader is not done, or "", from a process of its own."""
    end, start = os.pipe()
    if not (child := os.fork()):
        with suppress(BaseException):
            for words in (command, "CONFIRM"):
                # What it does can be told to others, too.
                with suppress(ConversationError):
                    talk.run(f"=== {reader} replies\n{words}\n=== {reader} gets mail\n")
                answer = talk.people[reader].got[-1]
                os.write(start, answer.refusal.encode())
                if "confirm: " not in answer.subject:
                    os._exit(0)
        os._exit(1)
    os.close(start)
    with open(end, encoding="utf-8") as answers:
        said = answers.read()
    return said if os.waitpid(child, 0)[1] == 0 else f"{said} The answer is no answer."


def situations(talk: Conversation, text: str) -> Iterator[tuple[str, Received]]:
    """Perform a conversation, and yield each reader and their last letter before anybody acts."""
    cuts = [0, *(found.start() for found in ACTION.finditer(text)), len(text)]
    for begin, end in pairwise([0, *cuts[2:]]):
        before = {reader: len(person.got) for reader, person in talk.people.items()}
        talk.run(text[begin:end])
        for reader, person in talk.people.items():
            if len(person.got) > before.get(reader, 0):
                yield reader, person.got[-1]


@pytest.mark.sqlite("A child process has a database in memory to itself.")
@pytest.mark.parametrize(
    "names", ["create_*", pytest.param("*", marks=pytest.mark.release, id="all")]
)
def test_a_quoted_command_is_done(names: str) -> None:
    failed, seen = [], set[tuple[str, str]]()
    for file in sorted(FOLDER.glob(f"{names}.txt")):
        if file.stem in SAME_ADVICE.split():
            continue
        with checked(file.stem) as talk:
            for reader, letter in situations(talk, file.read_text("utf-8")):
                for command in sorted(quoted(letter)):
                    if (advice := kind(letter, command)) not in seen:
                        seen.add(advice)
                        above = heading(letter) * (command != "CONFIRM")
                        if said := refusal(talk, reader, above + command):
                            failed.append(f"{file.stem}, {letter.subject}: {command}: {said}")
    assert "\n".join(failed) == ""
