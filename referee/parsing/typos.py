"""Typos: a word with one letter wrong."""


def is_typo(typed: str, word: str) -> bool:
    """Return whether one letter of *word* was typed wrong, left out, added or swapped."""
    same = next(
        (n for n, pair in enumerate(zip(typed, word, strict=False)) if pair[0] != pair[1]), None
    )
    if same is None:
        return abs(len(typed) - len(word)) == 1
    rest, wanted = typed[same:], word[same:]
    swapped = wanted[1:2] + wanted[:1] + wanted[2:]
    return rest == swapped or wanted[1:] in (rest, rest[1:]) or rest[1:] == wanted
