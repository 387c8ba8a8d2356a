"""One word for each thing: names that were replaced stay out, and no term is explained twice."""

import re
from collections import Counter
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parents[1]
FORMER: Final = frozenset(
    re.findall(
        r"\w+",
        """
        AddressWish Answer Answered Arrival Awaiting Away Barred Brief Charter Claiming Commanded
        Consequence DailyLetter Deed DeedKind Dispatch Done Dossier Edited Editing Enclosure
        Enrolled Fault Gathered GatheredNotice Given Grade Guard Horizon House HouseSettings
        Incoming Lane Lanes Look Mailbox MailboxHold Matter Measures Misread Mistake NobodyWaits
        NotThere Outgoing Patience Piece PlaceError Pulse Ration Ruled Said Slip Standing Stumble
        Taker Taking Terms Trouble Troubles Turnover Turns Understood Visit Way
        deed is_master is_to_be_had keep_all keep_house kept_until lay lay_state let_go
        look_again masters mastered noted noted_quietly obey overseen pull read_until refuse_old
        slip stir tell_masters tell_of_sheet tell_of_stall tell_person tell_seat to_be_had
        void_claim
        """,
    )
)
"""Names of classes, functions and fields for which docs/glossary.md has a better word."""

FORMER_MODULES: Final = frozenset(
    """
        absence addresses allowing announcing answering appointing archive athand
        awaiting ballots banking barring brake branches budgets cases charter checking
        claiming codes company correspondence counting deeds delivery deputizing digest
        discarding editing eliminating enclosing enclosures enrolment examples excerpts
        exporting filing forming forms gathered gathering guard guarding helping
        histories holding holds house houserules incoming inquiries inspecting lanes
        lateness leavings letterbox marker markup mastery moderation moments motions
        notify observing offering ordering orphans outgoing owners packing peopling
        playing post posting preferences prepared previewing pulses readdressing
        recording reminding reporting resigning resolving results retracting returns
        ruling scraping seating sending shaping stalling standing standins steps
        stumbling tables takers taking talk talking timing troubles undoing upkeep
        vacancy visit voting wall
    """.split()  # noqa: SIM905  # a list of words is easier to read
)
"""Names of modules outside the games for which there is a better word."""

DEFINED: Final = re.compile(r"^\s*(?:async def|def|class) (\w+)|^ *(\w+): [\w\"]", re.MULTILINE)


def test_no_former_name_has_come_back() -> None:
    found = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in (ROOT / "referee").rglob("*.py")
        for pair in DEFINED.findall(file.read_text(encoding="utf-8"))
        for name in FORMER.intersection(pair)
    }
    assert found == set()


def test_no_former_module_has_come_back() -> None:
    files = (ROOT / "referee").rglob("*.py")
    modules = {file.stem for file in files if "rulesets" not in file.parts}
    assert FORMER_MODULES.intersection(modules) == set()


def test_the_glossary_explains_no_term_twice() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = Counter(re.findall(r"^- \*\*(.+?)\*\*", glossary, re.MULTILINE))
    assert [term for term, times in terms.items() if times > 1] == []
