"""Parts that are not read, with advice on what to do instead."""

from typing import Final

_INSTEAD: Final = (
    "Only the text of an email is read: write the orders there, or attach a plain text file (.txt)."
)
_DOCUMENT: Final = f"Documents of a word processor are not read. {_INSTEAD}"
_SHEET: Final = f"Spreadsheets are not read. {_INSTEAD}"
_PDF: Final = f"PDF files are not read. {_INSTEAD}"
_ARCHIVE: Final = f"Packed files are not opened. {_INSTEAD}"
_FORWARDED: Final = f"Letters inside a letter are not read. {_INSTEAD}"
_TNEF: Final = f"Only Outlook can read its own format; let it send plain text. {_INSTEAD}"

WHOLE: Final = "The letter"
"""The name of a letter that cannot be read as a whole."""
ENCRYPTED: Final = (
    "The letter is encrypted and we have no key. Send it unencrypted; you may sign it."
)
IN_TEXT: Final = f"Files that are encoded in the text are not read. {_INSTEAD}"
OTHER_WORDS: Final = (
    "Its HTML has words that its plain text does not have, so only the plain text was read. If "
    "something is missing, send it as plain text."
)
OPAQUE: Final = (
    "The letter is signed in a form that hides its text. Send it without a signature, or let the "
    "signature be in a part of its own."
)
TOO_DEEP: Final = f"Its parts lie too deep inside each other. {_INSTEAD}"
UTF_7: Final = f"Its text is in UTF-7, which we do not read. {_INSTEAD}"
CUT: Final = "It is longer than we read; what comes after that was left out. Send it in pieces."
CUT_MARKUP: Final = (
    "Of its HTML only the first 200,000 characters are read; what comes after that was left out. "
    "Send plain text, or quote less."
)

_BY_ENDING: Final = {
    ".doc": _DOCUMENT, ".docx": _DOCUMENT, ".odt": _DOCUMENT, ".rtf": _DOCUMENT,
    ".xls": _SHEET, ".xlsx": _SHEET, ".ods": _SHEET, ".csv": _SHEET,
    ".pdf": _PDF,
    ".zip": _ARCHIVE, ".gz": _ARCHIVE, ".tgz": _ARCHIVE, ".rar": _ARCHIVE, ".7z": _ARCHIVE,
    ".eml": _FORWARDED, ".msg": _FORWARDED,
    ".dat": _TNEF,
}  # fmt: skip
_BY_KIND: Final = {
    "application/msword": _DOCUMENT,
    "application/rtf": _DOCUMENT,
    "text/rtf": _DOCUMENT,
    "application/pdf": _PDF,
    "application/zip": _ARCHIVE,
    "application/gzip": _ARCHIVE,
    "application/x-zip-compressed": _ARCHIVE,
    "message/rfc822": _FORWARDED,
    "application/ms-tnef": _TNEF,
    "application/vnd.ms-tnef": _TNEF,
}

_FAMILIES: Final = {"image": "Pictures", "audio": "Recordings", "video": "Films"}
_PICTURES: Final = (".jpg", ".jpeg", ".png", ".gif", ".heic", ".webp", ".bmp", ".tif", ".svg")
"""The endings of pictures; some programs send any file as bytes of no kind."""
_CARDS: Final = frozenset(
    ["application/pgp-keys", "text/directory", "text/vcard", "text/x-vcard", "text/calendar"]
)


def why_unreadable(name: str, kind: str, *, is_file: bool) -> str:
    """Return why such a part is not read, or "" if it cannot hold orders.

    Every file can, but pictures and what programs attach to letters.
    """
    if kind.startswith("application/vnd.openxmlformats-officedocument.wordprocessing"):
        return _DOCUMENT
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    if why := _BY_KIND.get(kind) or _BY_ENDING.get(ending):
        return why
    is_picture = kind.startswith("image/") or ending in _PICTURES
    can_hold = is_file and not (is_picture or is_business_card(name, kind))
    return kind_in_words(kind) if can_hold else ""


def kind_in_words(kind: str) -> str:
    """Return the sentences that name such an attachment and say that it is not read."""
    family = kind.partition("/")[0].lower()
    what = _FAMILIES.get(family, f"Files of the kind {kind}")
    return f"{what} are not read. {_INSTEAD}"


def is_business_card(name: str, kind: str) -> bool:
    """Return whether a program attaches it to every letter: a card of contacts, or a key."""
    return kind.lower().partition(";")[0] in _CARDS or name.lower().endswith(
        (".vcf", ".ics", ".asc", ".sig")
    )
