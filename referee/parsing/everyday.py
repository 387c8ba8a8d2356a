"""Everyday words of the languages that players write, which no order is made of.

They need not be complete: they decide only where the form of a line leaves a doubt.
"""

import re
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:['_-][^\W_]+)*")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS: Final = _words("""
    not no never none nor neither cannot dont doesnt didnt wont cant isnt wasnt shouldnt
    wouldnt couldnt arent havent hasnt aint ignore disregard forget cancel cancelled
    don't doesn't didn't won't can't isn't wasn't shouldn't wouldn't couldn't aren't haven't hasn't
    nicht nichts kein keine keinen keinem keiner nie niemals nein weder
    ne n pas jamais non aucun aucune rien ni
    nunca jamás jamas tampoco ningún ningun ninguno ninguna nada
    mai nessun nessuno nessuna niente nulla né neanche
    não nao nem nenhum nenhuma
    niet geen nooit nee
    nie nigdy żaden żadna żadne zaden
    inte ej aldrig ingen inget ikke ikkje aldri nej nei ei älä ne nikdy nem
""")
"""Words that take back, or may take back, what stands next to them."""

_EVERYDAY: Final = _words("""
    a an the this that these those and or but if then than when while because so as of at in on to
    for from with by about into over after before up down out off back again away along ahead
    i me my mine myself we us our ours you your yours yourself he him his she her it its
    they them their themselves
    is am are was were be been being do does did done doing have has had having
    will would shall should can could may might must let lets
    what which who whom whose where why how there here now today tomorrow yesterday
    please thanks thank sorry hello hi dear regards cheers yes ok okay well
    some any every everyone everybody everything anyone anybody anything someone somebody something
    all more most much many less few very too also just only still already yet soon later
    think thought know knew see saw seen look looks looked like likes liked want wants wanted
    need needs mean means meant said say says tell told ask asked hope guess get got give go going
    good great bad nice new old fine wrong right really maybe perhaps sure
    der die das den dem des ein eine einen einem einer und oder aber wenn dann als wie weil
    ich mich mir mein meine wir uns unser du dich dir dein er ihn ihm sein sie ihr es man
    ist bin sind war waren wird werden hat habe haben hatte kann soll will muss darf
    von vom zu zum zur im am um auf aus bei mit nach vor für fuer gegen über unter
    was wer wo warum hier dort jetzt heute morgen gestern bitte danke hallo grüße ja doch mal noch
    schon auch nur sehr mehr alle alles etwas
    le la les un une et ou mais si que qui quoi dans sur sous pour par avec chez vers
    je tu il elle nous vous ils elles mon ma mes ton ta tes son sa ses notre votre leur
    est suis es sommes êtes sont était ai as avons avez ont fait
    ce cet cette ces merci bonjour salut oui bien très tout tous
    el los las uno una y o pero como porque por para con en del al de
    yo tú él ella nosotros ellos mi tu su nuestro
    es soy eres somos son está estoy estaba fue ha he han hay
    gracias hola sí bueno muy todo todos esto eso
    il lo gli uno e ma se che chi cosa di da dal della nel con su per tra fra
    io tu lui lei noi voi loro mio tuo suo nostro
    è sono sei siamo siete era ho hai abbiamo hanno
    grazie ciao sì bene molto tutto questo quello
    o os um uma e mas se que em do da no na dos das com por para
    eu você ele ela nós eles meu seu obrigado olá sim bem muito
    het een en of maar als dan dat dit deze die van voor naar met bij uit op aan
    ik jij hij zij wij jullie mijn jouw zijn is ben was waren heeft heb
    dank bedankt hallo ja goed heel
    i w z na do od po za przed przez dla o u że to ten ta te jest są był była być
    ja ty on ona my wy oni mój twój się co kto gdzie dziękuję dzięki cześć tak bardzo wszystko
    och eller men om jag du han hon vi ni de min din är var har det den att som på av till för med
    og eller jeg du er har det den at som på af til for med tak takk hej hei
""")


def words_of(text: str) -> list[str]:
    """Return the words of *text*: letters and digits, without the marks around them."""
    return _WORD.findall(text)


def is_everyday(word: str) -> bool:
    """Return whether *word* is an everyday word of more than one letter, or a negation."""
    folded = word.casefold()
    return len(folded) > 1 and (folded in _EVERYDAY or folded in NEGATIONS)


def negates(text: str) -> bool:
    """Return whether *text* has a word that takes back what stands next to it."""
    return any(word.casefold() in NEGATIONS for word in words_of(text))


def takes_back(text: str) -> bool:
    """Return whether *text*, behind an order, asks about it or begins with a negation."""
    return "?" in text or negates(" ".join(words_of(text)[:1]))
