"""Bytes to text: by the declared charset if it is plausible, else by the likeliest one."""

import codecs
import re
from functools import lru_cache
from typing import Final

# A stranger chooses the charset. Python's codecs include compressors, escapes and punycode, so only
# charsets of email are allowed.
_FAMILIES: Final = re.compile(
    r"utf-8|utf-16(-[lb]e)?|utf-32(-[lb]e)?|iso8859-[0-9]+|cp(125[0-8]|437|85[0-9]|86[0-9]|874|932"
    r"|949|950)|koi8-[rut]|mac-[a-z]+|gb18030|big5(hkscs)?|shift_jis(_2004|x0213)?"
    r"|euc_(jp|kr|jis_2004|jisx0213)|johab|iso2022_(jp[a-z0-9_]*|kr)|hz|tis-620|ptcp154|kz1048"
)
# A charset on the left is read as the one on the right, which contains it.
_WIDER: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "cp950",
    "utf-8-sig": "utf-8",
}
_MISSPELT: Final = re.compile(r"^(?:x-)?(?:windows|win|cp|ibm|ms)[-_ ]?(?=[0-9])")
_JOINED: Final = str.maketrans("", "", "-_ ")
_BREAKS: Final = "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_UNSEEN: Final = {c: None for c in (*range(0x20), *range(0x7F, 0xA0), 0xFEFF) if c not in (9, 10)}
_CLEAN: Final = str.maketrans({**_UNSEEN, **dict.fromkeys(map(ord, _BREAKS), "\n")})


def text_of(octets: bytes, declared: str) -> str:
    """Decode *octets*: as declared, else utf-8, else cp1252, else latin-1. Never raises.

    Line ends become LF; control characters and byte order marks are removed.
    """
    if octets.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        declared = "utf-16"
    return clean(_decoded(octets, _codec(declared)))


def clean(text: str) -> str:
    """Return *text* with LF line ends only and without control characters."""
    # Nearly every header field returns here.
    if text.isprintable():
        return text
    # A search for one character is much faster than a search for two.
    text = text.replace("\r\n", "\n") if "\r" in text else text
    return text.translate(_CLEAN)


def is_utf_7(declared: str) -> bool:
    """Return whether *declared* means UTF-7, in which anything can be hidden from a reader."""
    return declared.lower().translate(_JOINED) in ("utf7", "unicode11utf7", "utf7imap", "u7")


@lru_cache(maxsize=64)
def _codec(declared: str) -> str:
    """Return Python's name of the codec, or "" if it is not a charset of email."""
    name = declared.strip().strip("\"'").lower()
    name = _MISSPELT.sub("cp", name)
    if not name.isascii() or not name.isprintable() or len(name) > 40:
        return ""
    try:
        name = codecs.lookup(name).name
    except LookupError:
        return ""
    name = _WIDER.get(name, name)
    return name if _FAMILIES.fullmatch(name) else ""


def _decoded(octets: bytes, codec: str) -> str:
    # Text in a one-byte charset is rarely valid UTF-8 by accident, while UTF-8 declared as such a
    # charset is common.
    narrow = not codec or codec.startswith(("cp125", "iso8859", "utf-8"))
    for name in ("utf-8", codec) if narrow else (codec, "utf-8"):
        try:
            return octets.decode(name or "utf-8")
        except UnicodeError:
            continue
    try:
        return octets.decode("cp1252")
    except UnicodeError:
        return octets.decode("latin-1")
