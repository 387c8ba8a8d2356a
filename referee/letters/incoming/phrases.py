"""Phrases that email programs insert automatically, in the languages they use."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

REPLY_PREFIX: Final = re.compile(
    r"^(?:\s*(?:re|aw|sv|vs|antw|antwort|odp|ref|r|rif|res|ynt|vá|vl|fw|fwd|wg|tr|rv|enc|doorst"
    r"|i|vb|továbbítás|回复|回覆|答复|转发|返信)\s*(?:\[\d+\]|\(\d+\))?\s*[:：])+\s*",
    re.IGNORECASE,
)
"""``Re: AW: SV: Fwd:`` and similar prefixes of a subject."""

_HAS_COLON: Final = "(?=[^:：]*+[:：])"
"""Most lines have none, so it is looked for before what is to be above it."""

_WROTE: Final = (
    r"wrote|writes|schrieb|schreef|geschreven|a écrit"
    r"|escribió|escreveu|ha scritto|scrisse|skrev|kirjoitti|napisał\(?a?\)?|pisze|написал\(?а?\)?"
    r"|пише[тш]?|написав\(?ла\)?|napsala?|napísala?|írta|a scris|έγραψε|şunu yazdı|yazdı|rakstīja"
    r"|kirjutas|parašė|je napisaol?a?|viết|wrote the following|写道|寫道|のメール|さんは書きました"
    r"|님이 작성|כתב|כתבה"
)
WROTE: Final = re.compile(
    rf"(?:{_WROTE})(?:\b|(?<=\W)).{{0,80}}(?:[:：]|(?<=\s)-{{2,}})\s*$", re.IGNORECASE
)
"""Ends an attribution: ``On Monday 5 May, Referee wrote:``."""

WROTE_WITHOUT_COLON: Final = re.compile(rf"\b(?:{_WROTE})\b.{{0,60}}$", re.IGNORECASE)
"""Ends an attribution of WEB.DE: ``Am 05.05.26 um 10:00 schrieb Referee``."""

I_WROTE: Final = re.compile(r"\b(?:i|we|ich|je|ik|jag|jeg) (?:wrote|schrieb|schreef|skrev)\b", re.I)
"""In a sentence about a letter of the sender's own."""

NAME_WROTE: Final = re.compile(
    rf"^{_HAS_COLON}\W*+(?!(?:\S+ ){0, 3}(?:i|we|ich|wir|je|nous|yo|io|ja|ik|wij|jag|jeg) )"
    r"(?!(?:on|in|at|am|im|as|what|when|le|el|il|la|op) )"
    rf"(?:[^\W\d_][\w.'\u2019-]*[*,]? ){{1,4}}(?:<[^<>]{{1,80}}> )?(?:{_WROTE})\s*[:：]\W*$",
    re.IGNORECASE,
)
"""An attribution with only a name: ``Eve wrote:``. The quote below it may have no marks."""

WROTE_ON: Final = re.compile(
    rf"(?:{_WROTE}) (?:on|am|le|el|il|op|den|em|dne|dnia)\b.*\d", re.IGNORECASE
)
"""In an attribution with the name first: ``Referee schrieb am Mo., 5. Mai 2026 um 10:00:``."""

TIME: Final = re.compile(r"\d{1,2}[:.h]\d{2}")

YEAR: Final = re.compile(r"\b20\d\d(?:\b| ?[年년])")

ISO_DATE: Final = re.compile(r"^\W*20\d\d[-/]\d{1,2}[-/]\d{1,2}\b")
"""Begins an attribution of Gmail without a verb: ``2016-10-24 15:36 GMT+02:00 Referee <a@b>:``."""

QUOTING: Final = re.compile(
    r"^\s*(?:quoting|zitat von|citando|citeren|citation de) ", re.IGNORECASE
)
"""Begins an attribution of Horde: ``Quoting Referee <a@b>:``."""

POSTED: Final = re.compile(r"^\s*posted by .{1,80} on \d{1,2}/\d{1,2}/\d{4}\s*$", re.IGNORECASE)
"""An attribution of a forum."""

_OPENING: Final = (
    r"on|am|op|le|el|em|il|den|dne|dnia|dňa|w dniu|pe|în data de|la|a|på|στις|vào|\d{1,4}|"
    r"at|in article|po|mån|tis|ons|tor|fre|lör|sön|ma|ti|ke|to|pe|la|su|pon|wt|śr|czw|pt|sob|ndz"
    r"|пн|вт|ср|чт|пт|сб|вс|lun|mar|mer|mié|gio|jeu|jue|ven|vie|sam|sáb|dim|dom|seg|ter|qua|qui|sex"
    r"|mo|di|mi|do|fr|sa|so|mon|tue|wed|thu|fri|sat|sun|在|於|ב"
)
ATTRIBUTES: Final = re.compile(rf"^[\W_]*(?:{_OPENING})(?=[\W\d]|$)", re.IGNORECASE)
"""Begins an attribution that names a day."""

LATE_OPENING: Final = re.compile(r"^\W*(?:\d{4}\b(?![-/.]| ?[年년])|\d{1,2}[:.h]\d{2}(?![.\d]))")
"""A year or a time, which a program can have broken off the line above."""

STRONG: Final = re.compile(r"[\w.+-]@[\w-]|\d{1,2}[:.h]\d{2}|\d{4}")
"""Found in attributions but rarely in sentences: an address, a time, a year."""

SHARED: Final = re.compile(
    r"(?<=[^\s-])[\s-]{1,20}(?=(?:On|Am|Le|El|Il|Op|Em|Den|På|W dniu|Dne)\s[^<>]{0,40}\d)"
)
"""Between words and an attribution on one line: ``F3W5 On Thu, Sep 17, 2026 Eve wrote:``."""

ADDRESS: Final = re.compile(r"[\w.+-]@[\w-]")

_FIELDS: Final = (
    # from
    r"from|von|de|da|van|från|fra|frå|lähettäjä|od|от|від|feladó|από|kimden|发件人|寄件者|差出人"
    # sent, date
    r"|sent|gesendet|envoyé|enviado(?: el)?|enviada(?: em)?|inviato|verzonden|skickat|sendt"
    r"|lähetetty|wysłano|отправлено|надіслано|elküldve|odesláno|poslané|εστάλη|gönderildi|发送时间|送信日時|日期"
    r"|date|datum|fecha|data|dato|päivämäärä|päiväys|дата|dátum|ημερομηνία|tarih"
    # to, cc
    r"|to|an|à|a|para|aan|til|till|vastaanottaja|do|komu|кому|címzett|προς|kime|收件人|宛先"
    r"|cc|kopie|copie|kopia|kopi|kopio|dw|копия|másolat|抄送"
    # subject
    r"|subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|aihe|temat|тема|tárgy"
    r"|předmět|predmet|θέμα|konu|主题|主旨|件名|reply-to|antwort an|importance|wichtigkeit"
)
HEADER_LINE: Final = re.compile(
    rf"^{_HAS_COLON}(?:[\s*]*(?:{_FIELDS})[\s*]*[:：][\s*]*\S|\s*(?:cc|ccn|kopie)\s*[:：]\s*$)",
    re.IGNORECASE,
)
"""A line of the header that Outlook and similar programs put above the quoted letter."""

FIELD: Final = re.compile(r"^[\s*]*[^\W\d_][^:：]{0,30}+[:：]")
"""A line that could be of such a header, in any language."""

ORIGINAL: Final = re.compile(
    r"^\W{2,40}(?:original (?:message|appointment)|antwort nachricht"
    r"|ursprüngliche (?:nachricht|e-?mail)"
    r"|original-?nachricht|message d'origine|message original|mensaje original|mensagem original"
    r"|messaggio originale|mail original|oorspronkelijk bericht"
    r"|ursprungligt meddelande|originalmeddelande|oprindelig (?:meddelelse|besked|mail)"
    r"|opprinnelig melding|alkuperäinen viesti|oryginalna wiadomość|wiadomość oryginalna"
    r"|исходное сообщение|původní zpráva|eredeti üzenet|orijinal mesaj|原始邮件|原始郵件"
    r"|forwarded (?:message|by)|weitergeleitete nachricht|message transféré|mensaje reenviado"
    r"|messaggio inoltrato|doorgestuurd bericht|vidarebefordrat|przekazana wiadomość"
    r"|пересылаемое сообщение|reply message|元のメッセージ)\b.{0,80}$"
    r"|^(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)"
    r"|début du message (?:réexpédié|transféré)|inicio del mensaje reenviado"
    r"|inizio messaggio inoltrato)\s*[:：]\s*$|^>>> .{1,300} >>>\s*$"
    r"|^inactive hide details for .{1,300}$",
    re.IGNORECASE,
)
"""The line above an answered or forwarded letter."""

RULE: Final = re.compile(r"^\s*(?:[_=-]{10,}|\|[-+|>]{10,})\s*$")
"""A ruled line; it means nothing unless a header follows."""

LIST: Final = re.compile(r"\bmailing ?list\b|\bmailingliste\b", re.IGNORECASE)
"""Below a ruled line: the footer of a mailing list."""

DASH: Final = re.compile(r"^\s*[—–]\s*$")
"""A dash above a footer."""

SIGNATURE: Final = re.compile(r"^--[ \u00a0]?$")

FOOTER: Final = re.compile(
    r"^\W{0,3}+(?:"
    r"(?:sent|posted|emailed) (?:from|via|with|using) .{1,120}|sent by \w{1,20}"
    r"|from my (?:i(?:phone|pad|pod)|phone|android|mobile|cell|blackberry|galaxy|samsung|tablet)"
    r"(?: (?:pro|plus|mini|\d{1,2}))*|\w{1,20}+ from mobile|yahoo mail: .{1,40}"
    r"|(?:von|mit) .{1,50} gesendet|gesendet (?:von|mit) .{1,50}"
    r"|(?:diese nachricht wurde|diese e-mail wurde) .{1,60}"
    r"|envoyé (?:de|depuis|à partir de) .{1,50}"
    r"|enviado (?:desde|do|de|a partir do) .{1,50}|inviato (?:da|dal) .{1,50}"
    r"|(?:verstuurd|verzonden) (?:vanaf|met|via) .{1,50}"
    r"|skickat (?:från|med) .{1,50}|sendt (?:fra|med) .{1,50}|lähetetty .{1,50}"
    r"|(?:wysłane|wysłano) (?:z|przy użyciu) .{1,50}"
    r"|(?:отправлено|надіслано) (?:с|из|з|через) .{1,50}"
    r"|(?:odesláno|posláno|odoslané) (?:z|ze) .{1,50}"
    r"|(?:\S{1,40}+ ){1,4}(?<=(?:ról|ről|ból|ből|dan|den) )(?:küldve|gönderildi)|elküldve .{1,50}"
    r"|trimis de pe .{1,50}|στάλθηκε από .{1,50}"
    r"|[ -~]{0,30}+(?![ -~])\w{0,20}から送信"
    r"|发自我的.{1,30}|從我的.{1,30}傳送|나의 .{1,30}에서 보냄|נשלח מה.{1,30}"
    r"|(?:get|obtenir|obtener|obter o|ottieni|scarica|télécharger|pobierz(?: program)?|hent|hämta)"
    r" outlook .{1,80}|outlook (?:für|voor) .{1,50} (?:beziehen|herunterladen|downloaden)"
    r"|get (?:the )?.{1,20} app for .{1,80}|get \w{1,20} for (?:android|ios)"
    r"|virus-free\..{0,60}|(?:this (?:e-?mail|message) has been|diese e-mail wurde) .{0,40}"
    r"(?:checked|scanned|geprüft) .{0,60}|scanned by .{1,40}"
    r")\W*$",
    re.IGNORECASE,
)
"""A line that a phone or a virus scanner adds to every letter."""

DISCLAIMER: Final = re.compile(
    r"^\W{0,5}(?:confidentiality notice|disclaimer|legal notice|privileged and confidential"
    r"|vertraulichkeitshinweis|avis de confidentialité|aviso (?:legal|de confidencialidad)"
    r"|(?:this|the information (?:contained )?in this|the contents of this) (?:e-?mail|message|"
    r"communication|transmission)\b.{0,120}\b(?:confidential|privileged|intended|legally)"
    r"|(?:diese|die in dieser) e-?mail\b.{0,120}\b(?:vertraulich|bestimmt)"
    r"|ce (?:message|courriel)\b.{0,120}\bconfidentiel"
    r"|este (?:mensaje|correo|e-?mail)\b.{0,120}\bconfidencial"
    r"|questo messaggio\b.{0,120}\b(?:riservat|confidenzial)"
    r"|dit bericht\b.{0,120}\bvertrouwelijk"
    r"|if you (?:are not|have received|received) .{0,60}(?:recipient|error)"
    r"|(?:please )?consider the environment before printing"
    r"|please think of the environment)",
    re.IGNORECASE,
)
"""Begins a paragraph that a company's mail server adds."""

AWAY: Final = re.compile(
    r"^\W{0,3}(?:auto(?:matic|mated|matisch\w*|mática|matique|matica|mtisk\w*)?[- :]*"
    r"(?:reply|response|replied|antwort|antwoord|svar|vastaus|odpowiedź|ответ)"
    r"|(?:i am |i'm )?(?:currently )?out of (?:the )?office"
    r"|away from (?:my|the) (?:desk|office|mail)"
    r"|vacation (?:reply|response|notice|message)"
    r"|abwesend|abwesenheits\w*|automatische antwort|außer haus"
    r"|réponse automatique|absence du bureau"
    r"|respuesta automática|fuera de (?:la )?oficina|resposta automática|ausência temporária"
    r"|risposta automatica|fuori ufficio|automatisch antwoord|afwezig\w*|niet op kantoor"
    r"|autosvar|automatiskt svar|frånvaro\w*|automatisk svar|fravær\w*|automaattinen vastaus"
    r"|poissa\w*|automatyczna odpowiedź|odpowiedź automatyczna|poza biurem|nieobecność"
    r"|автоответ|автоматический ответ"
    r"|automatická odpověď|mimo kancelář|automatikus válasz|házon kívül|otomatik yanıt"
    r"|răspuns automat|automatski odgovor|resposta automàtica|automatick[áý] odpoveď"
    r"|αυτόματη απάντηση|автоматична відповідь|balasan otomatis|رد تلقائي|תשובה אוטומטית"
    r"|自动回复|自動回覆|自動返信|不在通知|부재중|자동 ?회신)",
    re.IGNORECASE,
)
"""The subject of an automatic reply during an absence."""

BOUNCED: Final = re.compile(
    r"^\W{0,3}(?:undeliver(?:able|ed)|non-?deliver(?:y|able)|delivery failure"
    r"|e?-?mail delivery (?:failed|failure|problem|warning|error|system|subsystem|status|report)"
    r"|mail (?:system error|not delivered|could not be delivered|error|failed|failure)"
    r"|(?:permanent |failed |message )?delivery (?:status|failure|has failed|report|notification)"
    r"|(?:failure|failed) (?:notice|delivery|mail)|returned (?:mail|to sender|e-?mail)"
    r"|delayed mail|message delayed|automatically rejected mail|bounce\W"
    r"|warning: (?:message|could not send|e?-?mail|mail)|processing error$"
    r"|message (?:delivery )?(?:failed|failure|blocked|undeliverable|notification)"
    r"|your (?:message|mail|e-?mail) (?:to \S+ )?(?:could not|was not|has not)"
    r"|unzustellbar|nicht zustellbar|zustellungsfehler|fehler bei der zustellung"
    r"|non remis|[ée]chec de la remise|rebotado|mensaje no entregado|mancata consegna"
    r"|mancato recapito|onbestelbaar|ikke levert|kan inte levereras|niedostarczon"
    r"|недоставленн|ваше сообщение не доставлено|邮件传输失败|退信|配信エラー|配信不能"
    r"|.{1,200} \(delivery failed\)$)",
    re.IGNORECASE,
)
"""The subject of a mail server's delivery failure report."""

REACTION: Final = "reaction"
REACTED: Final = (
    r"(?:dis)?liked|loved|laughed at|emphasi[sz]ed|questioned|reacted (?:\S{1,12} )?to"
    r"|removed an? [a-z ]{1,20} from|(?:n['’])?a (?:pas )?(?:aimé|adoré|ri (?:à|de)|souligné)"
    r"|a mis en question|(?:no )?le (?:gustó|encantó)|se rió de|enfatizó|cuestionó"
    r"|ha (?:messo .{1,20} a|riso di|adorato|evidenziato|messo in dubbio)"
    r"|(?:não )?gostou de|adorou|amou|riu(?:-se)? de|enfatizou|questionou"
    r"|gefällt(?: nicht)?|liebt|lacht über|hebt hervor|hinterfragt|vond|lachte om|benadrukte"
    r"|(?:o?gilla|älska|betona)de|skrattade åt|ifrågasatte|(?:mis)?likte|elsket|elskede"
    r"|syntes godt om|lo (?:ad|av)|fremhev\w{1,3}|fremhæv\w{1,4}|polubi\w{1,3}|uwielbia"
    r"|понравилось|tykkäsi|(?:reagiert mit|a réagi avec|reaccionó con"
    r"|ha reagito con|reagiu com|reageerde met) \S{1,12} (?:auf|à|a|op)"
)
"""The verbs of reactions, which programs write before what they quote."""


def _any(*patterns: str, end: str = "") -> re.Pattern[str]:
    """Return a pattern for the beginning of a text, before *end*."""
    return re.compile(rf"^\W{{0,8}}(?:{'|'.join(patterns)}){end}", re.IGNORECASE)


_NOTHING: Final = re.compile(r"(?!)")
_NOT_MINE: Final = r"(?!(?:\S+ ){0,3}(?:i|we|ich|wir|je|nous|yo|io|eu|ik|jag|jeg) )"
_REACTS: Final = r"(?:react(?!or)|r[ée]ag|reacc|отреаг|リアクション)"
_MESSAGE: Final = (
    r"(?:message|mail|nachricht|mensaje|messaggio|mensagem|bericht|meddel(?:ande|else)|besked|melding"
    r"|wiadomo|сообщени|письм|viesti|zpráv|üzenet|mesaj|メール|メッセージ)\w{0,4}"
)
_EMOJI: Final = r"\W{0,12}(?:\w{1,12}\W{0,4}){0,3}$"
_BEFORE_TITLE: Final = r"\s*[:：(\-]"


@dataclass(frozen=True, slots=True)
class Gesture:
    """A kind of gestures: letters in which a person clicked on something, and typed nothing.

    Each is known by a part that only it has, by a line that the program writes, or by its subject
    if nothing was typed. A person could write the *sentences*, and the lines that *quote*, too: in
    those of a program, the name of the sender is the subject, or there is none. Below a line that
    quotes, lines of our letter are not the sender's. A person can add words to most, so a gesture
    with orders is a letter.
    """

    name: str
    parts: frozenset[str] = field(default_factory=frozenset)
    subjects: re.Pattern[str] = _NOTHING
    lines: re.Pattern[str] = _NOTHING
    sentences: re.Pattern[str] = _NOTHING
    quotes: re.Pattern[str] = _NOTHING

    def has_line(self, line: str, sender: Collection[str]) -> bool:
        """Return whether a program writes *line* for such a gesture of a *sender* so named."""
        if self.lines.match(line):
            return True
        found = self.sentences.match(line) or self.quotes.match(line)
        is_bare = found is not None and found.groupdict().get("who") == ""
        return is_bare or (found is not None and any(name in line.casefold() for name in sender))


GESTURES: Final = (
    Gesture(
        REACTION,
        frozenset({"text/vnd.google.email-reaction+json"}),
        sentences=_any(
            rf"{_NOT_MINE}.{{1,100}}{_REACTS}\S{{0,12}} .{{0,40}}{_MESSAGE}{_EMOJI}",
            rf"{_NOT_MINE}.{{1,100}}{_MESSAGE}.{{0,40}}{_REACTS}\S{{0,12}}{_EMOJI}",
            r".{1,100} reacted with \S{1,12}$",
        ),
        lines=_any(
            r"<?https://\S{1,200}emojireactionemail\b",
            r"(?<=[\"“„「]).{1,400}[\"”」]\s?を.{1,20}た\W*$",
        ),
        quotes=_any(
            rf"{_NOT_MINE}(?P<who>(?:\S{{1,40}} ){{0,4}})(?:{REACTED})(?: \S{{1,12}}){{0,3}}",
            end=r"\s?[:：]\W*$",
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
            r"wurde am .{4,60} (?:gelesen|geöffnet)|a été lu le\b|se leyó el\b|è stato letto il\b"
            r"|foi lid[ao] em\b|is gelezen op\b|lästes den\b|bl(?:ev læst|e lest) (?:den\b|\d)"
            r"|został\w? przeczytan\w (?:dnia\b|\d)|было прочитано\b",
            r"note: this return receipt only acknowledges",
            r".{0,300}\bno guarantee that the message (?:has been|was) read",
            r".{0,60}\b(?:accusé de (?:lecture|réception)"
            r"|(?:acuse|confirmación) de (?:recibo|lectura)"
            r"|(?:ricevuta|conferma) di (?:ritorno|lettura)|(?:recibo|confirmação) de leitura"
            r"|(?:lese|empfangs)bestätigung|(?:lees|ontvangst)bevestiging|läskvitto|kvittering"
            rf"|potwierdzenie przeczytania|lukukuittaus)\b.{{0,40}}{_MESSAGE}",
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
