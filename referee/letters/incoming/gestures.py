"""Gestures: letters in which a person clicked on something, and typed nothing.

Each is known by a part that only it has, by a line that the program writes, or by its subject if
nothing was typed. A person can add words to most of them, so a gesture with orders is a letter.
"""

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from referee.letters.incoming.letter import Letter
from referee.letters.incoming.phrases import REPLY_PREFIX
from referee.letters.incoming.program_text import A_REACTION, find_blocks
from referee.letters.incoming.quoting import own_text

REACTION: Final = "reaction"
_NEARBY: Final = 12
"""The line of the program is among so many first ones of a letter."""
_CHARACTERS: Final = 20_000


def _any(*patterns: str, end: str = "") -> re.Pattern[str]:
    """Return a pattern for the beginning of a text, before *end*."""
    return re.compile(rf"^\W{{0,8}}(?:{'|'.join(patterns)}){end}", re.IGNORECASE)


_NOTHING: Final = re.compile(r"(?!)")
_BEFORE_TITLE: Final = r"\s*[:：(\-]"


@dataclass(frozen=True, slots=True)
class Gesture:
    """A kind of gestures: its name, its own media types, and its subjects and lines."""

    name: str
    parts: frozenset[str] = field(default_factory=frozenset)
    subjects: re.Pattern[str] = _NOTHING
    lines: re.Pattern[str] = _NOTHING


GESTURES: Final = (
    Gesture(
        REACTION,
        frozenset({"text/vnd.google.email-reaction+json"}),
        lines=_any(
            r".{1,100} (?:reacted (?:to your (?:message|e-?mail)|via gmail|with \S{1,12}$)"
            r"|hat (?:auf ihre (?:nachricht|e-?mail) reagiert|(?:über|per|via) gmail reagiert)"
            r"|reagierte auf ihre nachricht|a réagi (?:à votre message|via gmail)"
            r"|(?:ha reaccionado|reaccionó) (?:a (?:tu|su) mensaje|(?:a través de|por) gmail)"
            r"|ha reagito (?:al (?:tuo|suo) messaggio|tramite gmail)"
            r"|reagiu (?:à sua mensagem|(?:por meio d|pel)o gmail)"
            r"|(?:heeft gereageerd|reageerde) (?:op (?:je|uw) bericht|via gmail)"
            r"|(?:har reagerat|reagerade) (?:på ditt meddelande|via gmail)"
            r"|(?:har reageret|reagerede) (?:på din meddelelse|via gmail)"
            r"|zareagował\(?a?\)? (?:na (?:twoją|twój) wiadomość|przez gmail))",
        ),
    ),
    Gesture(
        "answer to an invitation",
        frozenset(
            f"text/calendar; method={method}" for method in ("reply", "counter", "declinecounter")
        ),
        _any(
            r"(?:task )?(?:accepted|declined)|(?:tentative|tentatively accepted)",
            r"new time proposed|(?:updated )?(?:meeting )?response",
            r"angenommen|zugesagt|akzeptiert|abgelehnt|abgesagt|mit vorbehalt|unter vorbehalt",
            r"accepté|refusé|décliné|provisoire|peut-être",
            r"acept(?:ad|ó)[ao]?|rechaz(?:ad|ó)[ao]?|provisional|aceit[ao]|recusad[ao]|provisóri[ao]",
            r"accettato|accettata|rifiutat[ao]|provvisori[ao]|geaccepteerd|afgewezen|voorlopig",
            r"accepterat|avböjt|preliminärt|accepteret|afslået|godtatt|avslått|foreløpig",
            r"hyväksytty|hylätty|zaakceptowano|odrzucono|wstępnie|принято|отклонено|под вопросом",
            r"přijato|odmítnuto|elfogadva|elutasítva|已接受|已拒绝|承諾|辞退",
            end=_BEFORE_TITLE,
        ),
        _any(
            r".{1,100} (?:has |have )?(?:accepted|declined|tentatively accepted|replied)"
            r" (?:to )?(?:this|your|the) (?:invitation|meeting|event|\"maybe\")",
            r".{1,100} hat (?:diese|ihre|die) (?:einladung|besprechungsanfrage) .{0,40}"
            r"(?:angenommen|abgelehnt|akzeptiert|zugesagt)",
        ),
    ),
    Gesture(
        "read receipt",
        frozenset({"message/disposition-notification"}),
        _any(
            r"(?:not )?read|read receipt|return receipt|disposition notification",
            r"(?:un|nicht )?gelesen|ungelesen gelöscht|lesebestätigung|empfangsbestätigung",
            r"(?:non )?lu|confirmation de lecture|accusé de (?:lecture|réception)",
            r"(?:no )?leído|confirmación de lectura|(?:não )?lid[ao]|confirmação de leitura",
            r"(?:non )?letto|conferma di lettura|ricevuta di ritorno|(?:niet )?gelezen"
            r"|leesbevestiging|ontvangstbevestiging",
            r"läst|läskvitto|lest|læst|kvittering|luettu|lukukuittaus|przeczytano"
            r"|potwierdzenie przeczytania|прочитано|уведомление о прочтении|přečteno|olvasva"
            r"|已读|已讀|開封済み",
            end=_BEFORE_TITLE,
        ),
        _any(
            r"this is a (?:return|read) receipt for the (?:mail|message|e-?mail)",
            r"dies ist eine (?:empfangs|lese)bestätigung",
            r"(?:was|has been) (?:read|displayed|opened|deleted without being read) (?:on|at)\b",
            r"wurde am .{4,60} (?:gelesen|geöffnet)|a été lu le\b|se leyó el\b|è stato letto il\b",
            r"note: this return receipt only acknowledges",
        ),
    ),
    Gesture(
        "recall of an email",
        subjects=_any(
            r"recall|message recall (?:success|failure|report)|rückruf|zurückrufen",
            r"rappel(?: de message)?|recuperar|recuperación|retirar|richiamo|richiama|intrekken"
            r"|återkalla|tilbagekald|tilbakekall|odwołanie|отзыв|odvolání|visszahívás|撤回",
            end=_BEFORE_TITLE,
        ),
        lines=_any(
            r".{1,120} (?:would like|wants|is trying) to recall the (?:message|e-?mail)",
            r".{1,120} möchte die (?:nachricht|e-?mail) .{0,200}zurückrufen",
            r".{1,120} (?:souhaite rappeler le message|desea recuperar el mensaje"
            r"|(?:vuole|desidera) richiamare il messaggio|wil het bericht .{0,200}intrekken"
            r"|(?:deseja|gostaria de) (?:recuperar|cancelar) a mensagem)",
        ),
    ),
)


def gesture_of(letter: Letter) -> str:
    """Return the name of the gesture that a letter is, or "". A person may have typed words."""
    kinds = {part.kind for part in letter.attachments}
    subject = REPLY_PREFIX.sub("", letter.subject)
    lines = letter.text[:_CHARACTERS].split("\n")
    first = [*islice((line[:400] for line in lines if line.strip()), _NEARBY)]
    if any(block.name == A_REACTION for block in find_blocks(first).values()):
        return REACTION
    for each in GESTURES:
        if each.parts & kinds or any(map(each.lines.match, first)):
            return each.name
        if each.subjects.match(subject) and not _is_typed(letter.text):
            return each.name
    return ""


def _is_typed(text: str) -> bool:
    return any(line.text.strip() for line in own_text(text).lines)
