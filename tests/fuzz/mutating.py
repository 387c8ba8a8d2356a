"""Nearly valid inputs: samples that are damaged and mixed with words of the language."""

import re
from collections.abc import Sequence

from hypothesis import strategies as st

MOST_WOUNDS = 6
_LONGEST = 60


def texts(samples: Sequence[str], words: Sequence[str]) -> st.SearchStrategy[str]:
    """Return damaged samples, combined samples, sequences of words, and noise."""
    pieces = st.sampled_from([*words, "\n", " "]) | st.text(max_size=8)
    spoken = st.lists(st.sampled_from([*words, "\n"]) | st.text(max_size=3), max_size=25)
    return st.one_of(
        _damaged(samples, pieces), spoken.map(" ".join), _patched(samples), st.text(max_size=200)
    )


def octets(samples: Sequence[bytes], words: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Return bytes of all kinds, like ``texts``."""
    plain = [sample.decode("latin-1") for sample in samples]
    pieces = st.sampled_from([word.decode("latin-1") for word in words])
    noise = st.binary(max_size=12).map(lambda raw: raw.decode("latin-1"))
    made = st.one_of(_damaged(plain, pieces | noise), _patched(plain))
    return made.map(lambda text: text.encode("latin-1")) | st.binary(max_size=400)


@st.composite
def _damaged(draw: st.DrawFn, samples: Sequence[str], pieces: st.SearchStrategy[str]) -> str:
    """Delete, repeat or replace some parts of a sample."""
    text = draw(st.sampled_from(samples))
    for _ in range(draw(st.integers(1, MOST_WOUNDS))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, _LONGEST)))
        doubled = text[start:end] * draw(st.integers(0, 3))
        text = text[:start] + draw(pieces | st.just(doubled)) + text[end:]
    return text


@st.composite
def _patched(draw: st.DrawFn, samples: Sequence[str]) -> str:
    """Combine lines of several samples."""
    lines = [re.split(r"(?<=\n)", draw(st.sampled_from(samples))) for _ in range(2)]
    text = ""
    for _ in range(draw(st.integers(1, 4))):
        source = draw(st.sampled_from(lines))
        start = draw(st.integers(0, len(source)))
        text += "".join(source[start : start + draw(st.integers(1, 12))])
    return text
