"""Packs of house rules in words."""

from collections.abc import Iterator
from datetime import timedelta

from referee.desk.base.option_text import written
from referee.desk.games.house_rules import press_in_words
from referee.domain.rule_packs import RulePack
from referee.domain.schedules import every_turn, in_words
from referee.parsing.schedules import read_schedule


def summary(pack: RulePack) -> str:
    """Return the differences of a pack from a new game, in one paragraph after its name."""
    return f"{pack.name}: {' '.join(_sentences(pack))}"


def _sentences(pack: RulePack) -> Iterator[str]:
    settings = pack.settings
    yield f"Turns are due {every_turn(read_schedule(pack.schedule))}."
    spans = [
        f"{word} {in_words(timedelta(seconds=settings[name])) if settings[name] else 'none'}"
        for word, name in (
            ("grace", "grace_seconds"),
            ("time bank", "bank_seconds"),
            ("extensions", "extension_seconds"),
        )
    ]
    limit = settings["missed_limit"]
    spans.append(f"missed turns {limit or 'any number'}")
    yield f"{', '.join(spans)}.".capitalize()
    words = press_in_words(pack.press)
    yield f"{words[:1].upper()}{words[1:]}."
    chosen = (*pack.options.items(), *pack.of_ruleset.items())
    if chosen:
        yield f"Options: {', '.join(f'{name}={written(value)}' for name, value in chosen)}."
