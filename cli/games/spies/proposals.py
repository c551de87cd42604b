"""A proposal of SPIES! in one line, "3 pounds papers for 2 chits", and how the other player reads it.

The rules ask for pounds and chits first, then for each secret; the line plans all of it.  Only proposals that
both powers could carry out, by what everybody can see, are offered and accepted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from cli.games.interface import (
    Ambiguous,
    Choice,
    Decided,
    Misunderstood,
    NotPossible,
    PlannedAnswers,
    Unknown,
    ViewContext,
)
from cli.games.spies.cities import as_spoken, starting
from cli.games.spies.names import tokens
from cli.text.layout import series
from p2p_stratego.core.game import Choose, Move
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.lessons.reasons import trade
from p2p_stratego.spies.rules import notation
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES, Power
from p2p_stratego.spies.rules.counters import CHIT_NAMES
from p2p_stratego.spies.rules.observation import funds, hand, secret_face
from p2p_stratego.spies.rules.purse import digits, pounds
from p2p_stratego.spies.rules.state import SPY_CODED, State
from p2p_stratego.spies.rules.turn.trade import Proposals, Terms, Transfer, gives, parsed, transfers
from p2p_stratego.spies.rules.turn.tricks import BY_POLICE
from p2p_stratego.spies.rules.underway import now

FOR: Final = ("for", "want")
_PADDING: Final = frozenset(
    ("offer", "give", "propose", "and", "to", "with", "nothing", "none", "the", "secret", "of")
)
_POUNDS: Final = "pounds"
_CHITS: Final = "chits"
"""Behind a number their beginning is enough: "5 p" gives no papers away."""
_SUMS: Final = (1, 2, 3, 5, 10, 20)
_DIGITS: Final = 3
"""Of a sum that is typed."""


@dataclass
class ProposalSide:
    """The gifts of one side; `own`: of the side that proposes."""

    own: bool
    pounds: int = 0
    chits: list[str] = field(default_factory=list)
    """By name, of one's own."""
    number: int = 0
    """The number of the other's chits; the other chooses them."""
    secrets: list[Transfer] = field(default_factory=list)
    begun: str = ""
    """A number, or the city of a secret, of which the next word tells more."""


@dataclass(frozen=True)
class Reader:
    """Reads one line, by what the player can see."""

    view: View[State]
    options: Proposals

    @property
    def state(self) -> State:
        """The state in which the proposal is made."""
        return self.options.state

    def parts(self, phrase: Sequence[str]) -> tuple[ProposalSide, ProposalSide]:
        """The gift and the wish of a proposal.  Raises Misunderstood."""
        at = next((at for at, word in enumerate(phrase) if word in FOR), len(phrase))
        both = ProposalSide(own=True), ProposalSide(own=False)
        for part, spoken in zip(both, (phrase[:at], phrase[at + 1 :]), strict=True):
            for word in spoken:
                self._take(both, part, word)
        return both

    def _take(self, both: tuple[ProposalSide, ProposalSide], part: ProposalSide, word: str) -> None:
        """Take one more word into a part."""
        if word in _PADDING or word == _("nothing"):
            return
        if part.begun.isdigit() and _POUNDS.startswith(word):
            part.pounds, part.begun = int(part.begun), ""
        elif part.begun.isdigit() and _CHITS.startswith(word) and not part.own:
            part.number, part.begun = int(part.begun), ""
        elif part.begun in NAMES and (word in SPY_CODED or word == BY_POLICE):
            part.secrets.append(self._transfer(both, part, word))
            part.begun = ""
        else:
            self.close(both, part)
            self._begin(both, part, word)

    def close(self, both: tuple[ProposalSide, ProposalSide], part: ProposalSide) -> None:
        """The word that was begun ends here: a bare number is pounds.  Raises NotPossible."""
        if part.begun.isdigit():
            part.pounds, part.begun = int(part.begun), ""
        if part.begun:
            pieces = series([transfer.piece for transfer in self.pieces(both, part)])
            secret = words.secret(CITY_NAMED[part.begun])
            raise NotPossible(_("Who takes {secret}? Name {pieces} behind it.", secret=secret, pieces=pieces))

    def _begin(self, both: tuple[ProposalSide, ProposalSide], part: ProposalSide, word: str) -> None:
        """A word that begins something new: a number, a chit, or a secret by its city."""
        if word.isdigit():
            part.begun = word[: _DIGITS + 1]
            return
        left = self.chits_left(part)
        secrets = {self.city(transfer) for transfer in self.open(both, part)}
        matches = starting(word, (*left, *sorted(secrets)))
        matches = [word] if word in matches else matches
        if len(matches) > 1:
            raise Ambiguous(
                _("“{word}” could be {meanings}.", word=word[:24], meanings=as_spoken(series(matches)))
            )
        if not matches:
            sentence = (
                mark("“{word}” is neither pounds, a chit of yours nor a secret that you could give.")
                if part.own
                else mark("“{word}” is neither pounds, chits nor a secret there.")
            )
            raise Unknown(_(sentence, word=word[:24]))
        if matches[0] in left:
            part.chits.append(matches[0])
        else:
            part.begun = matches[0]

    def chits_left(self, part: ProposalSide) -> Counter[str]:
        """The own chits that are not named yet; of the other's, none can be named."""
        if not part.own or not gives(self.state, self.options.power):
            return Counter()
        faces = hand(self.state, self.options.power, self.view.known)
        left = Counter(CHIT_NAMES[face] for face in faces if face is not None)
        left.subtract(part.chits)
        return +left

    def city(self, transfer: Transfer) -> str:
        """The name of a secret that changes hands."""
        return NAMES[self.state.secrets[transfer.secret].origin]

    def open(self, both: tuple[ProposalSide, ProposalSide], part: ProposalSide) -> list[Transfer]:
        """The secrets that a part could still name, with each piece that could take one."""
        giver = self.options.power if part.own else self.options.other
        named = [*both[0].secrets, *both[1].secrets]
        possible = transfers(self.state, self.options.power, self.options.other, named)
        return [transfer for transfer in possible if transfer.giver == giver]

    def pieces(self, both: tuple[ProposalSide, ProposalSide], part: ProposalSide) -> list[Transfer]:
        """The ways to hand over the secret that was begun."""
        return [transfer for transfer in self.open(both, part) if self.city(transfer) == part.begun]

    def _transfer(self, both: tuple[ProposalSide, ProposalSide], part: ProposalSide, piece: str) -> Transfer:
        for transfer in self.pieces(both, part):
            if transfer.piece == piece:
                return transfer
        secret = words.secret(CITY_NAMED[part.begun])
        raise NotPossible(
            _(
                "{piece} cannot take {secret}: it stands elsewhere, or has one already.",
                piece=piece,
                secret=secret,
            )
        )

    def terms(self, mine: ProposalSide, theirs: ProposalSide) -> Terms:
        """The first part of the proposal, as the rules know it."""
        places: list[int] = []
        faces = hand(self.state, self.options.power, self.view.known)
        for name in mine.chits:
            kind = CHIT_NAMES.index(name)
            places.append(next(at for at, face in enumerate(faces) if face == kind and at not in places))
        sums: list[int | None] = [mine.pounds, theirs.pounds]
        if self.state.secret:
            sums = [None if pounds else 0 for pounds in sums]
        return Terms(sums[0], tuple(sorted(places)), sums[1], theirs.number)

    def why(self, mine: ProposalSide, theirs: ProposalSide) -> str:
        """Why these terms are impossible."""
        for power, part in ((self.options.power, mine), (self.options.other, theirs)):
            has = funds(self.state, power, self.view.known)
            if has is not None and part.pounds > has:
                return _("{power} has {pounds} only.", power=words.power(power), pounds=words.pounds(has))
        most = len(self.state.hands[self.options.other])
        if theirs.number > most:
            return _(
                "{power} has {counted} only.",
                power=words.power(self.options.other),
                counted=n_("{count} chit", "{count} chits", most),
            )
        return _("One of the two may not give this, or would hold more than ten chits.")


def read(view: View[State], options: Proposals, phrase: Sequence[str]) -> PlannedAnswers:
    """All that a line plans.  Raises Misunderstood."""
    if phrase and phrase[-1] in FOR:
        raise NotPossible(
            _("For what? Type it behind “{word}”; for a present, “nothing”.", word=as_spoken(phrase[-1]))
        )
    reader = Reader(view, options)
    both = mine, theirs = reader.parts(phrase)
    for part in both:
        reader.close(both, part)
    terms, named = reader.terms(mine, theirs), [*mine.secrets, *theirs.secrets]
    if terms.empty and not named:
        raise NotPossible(_("Name what you give, and behind “for” what you want for it."))
    if terms.move not in options:
        raise NotPossible(reader.why(mine, theirs))
    then: list[Decided] = []
    if options.state.secret:
        then += [digits(part.pounds) for part in both if part.pounds]
    for transfer in named:
        word = "give" if transfer.giver == options.power else "want"
        then.append(notation.words(word, reader.city(transfer), transfer.piece))
    gift = not (theirs.pounds or theirs.number or theirs.secrets)
    warned = (_("You give something, and get nothing for it."),) * gift
    return PlannedAnswers(terms.move, (*then, notation.READY), warnings=warned)


# Completion


def choices(context: ViewContext) -> tuple[Choice, ...]:
    """How the line can go on."""
    view: View[State] = context.view
    decision = view.decision
    if not isinstance(decision, Choose) or not isinstance(decision.options, Proposals):
        return ()
    phrase = context.typed.lower().split()
    begun = "" if not phrase or context.typed.endswith(" ") else phrase.pop()
    start = "".join(f"{word} " for word in phrase)
    words_next = dict.fromkeys(_next(Reader(view, decision.options), phrase, begun))
    return tuple(Choice(as_spoken(start + word), as_spoken(word)) for word in starting(begun, words_next))


def _next(reader: Reader, phrase: Sequence[str], begun: str) -> Iterator[str]:
    """The words, or pairs of them, that could come next."""
    try:
        both = mine, theirs = reader.parts(tokens(" ".join(phrase)))
    except Misunderstood:
        return
    part = theirs if set(phrase) & set(FOR) else mine
    if part.begun.isdigit():
        plural = "s" * (part.begun != "1")
        yield from (f"pound{plural}", *[f"chit{plural}"] * (not part.own))
        return
    if part.begun:
        yield from (transfer.piece for transfer in reader.pieces(both, part))
        return
    if part.own and phrase:
        yield FOR[0]
    yield from reader.chits_left(part)
    yield from (f"{reader.city(transfer)} {transfer.piece}" for transfer in reader.open(both, part))
    if not part.own and not part.number:
        yield from _numbers(reader, mine, theirs)
    if not part.pounds:
        yield from _sums(reader, begun, part)


def _numbers(reader: Reader, mine: ProposalSide, theirs: ProposalSide) -> Iterator[str]:
    """The numbers of chits that can be wanted."""
    for number in range(1, len(reader.state.hands[reader.options.other]) + 1):
        wanted = ProposalSide(own=False, pounds=theirs.pounds, number=number)
        if reader.terms(mine, wanted).move in reader.options:
            yield n_("{count} chit", "{count} chits", number)


def _sums(reader: Reader, begun: str, part: ProposalSide) -> Iterator[str]:
    """Sums that a power can pay, and the sum being typed."""
    power = reader.options.power if part.own else reader.options.other
    most = funds(reader.state, power, reader.view.known) if gives(reader.state, power) else 0
    sums = [*_SUMS, *([most] if most is not None else [])]
    if begun.isdigit() and len(begun) <= _DIGITS:
        sums.insert(0, int(begun))
    for number in dict.fromkeys(sums):
        if number and (most is None or number <= most):
            yield n_("{count} pound", "{count} pounds", number)


def facts(view: View[State]) -> list[str]:
    """The words of a proposal: pounds, chits and secrets of both; nothing if no proposal is due."""
    decision = view.decision
    if not isinstance(decision, Choose) or not isinstance(decision.options, Proposals):
        return []
    reader = Reader(view, decision.options)
    both = ProposalSide(own=True), ProposalSide(own=False)
    sentences = []
    for part, power in zip(both, (decision.options.power, decision.options.other), strict=True):
        has = funds(reader.state, power, view.known)
        pounds_ = _("pounds that you do not know") if has is None else words.pounds(has)
        own = reader.chits_left(part).elements()
        chits = as_spoken(", ".join(own)) or n_(
            "{count} chit", "{count} chits", len(reader.state.hands[power])
        )
        secrets = [
            _("{city} to {piece}", city=as_spoken(reader.city(transfer)), piece=transfer.piece)
            for transfer in reader.open(both, part)
        ]
        more = _("; secrets: {secrets}", secrets=", ".join(secrets)) if secrets else ""
        sentences.append(
            _(
                "{power} can give {pounds}; {chits}{more}.",
                power=words.power(power),
                pounds=pounds_,
                chits=chits,
                more=more,
            )
        )
    return sentences


def hinted(view: View[State], decided: Move) -> str:
    """The line for a trade that the adviser begins; "" for another answer."""
    decision = view.decision
    if not isinstance(decision, Choose) or not isinstance(decision.options, Proposals):
        return ""
    deal, state, power = trade(view, decided), now(view), decision.options.power
    if deal is None:
        return ""
    faces = hand(state, power, view.known)
    given = [CHIT_NAMES[face] for place in deal.chits if (face := faces[place]) is not None]
    parts = []
    for own, sum_, chits in ((True, deal.offered, given), (False, deal.wanted, [])):
        words_ = [n_("{count} pound", "{count} pounds", sum_)] * bool(sum_) + [*map(as_spoken, chits)]
        if not own and deal.number:
            words_.append(n_("{count} chit", "{count} chits", deal.number))
        if deal.transfer is not None and own == (deal.transfer.giver == power):
            secret = NAMES[state.secrets[deal.transfer.secret].origin]
            words_.append(as_spoken(f"{secret} {deal.transfer.piece}"))
        parts.append(" ".join(words_) or _("nothing"))
    return f" {as_spoken(FOR[0])} ".join(parts)


def example() -> str:
    """A proposal in the words in which answers are offered."""
    pounds_, chits_ = n_("{count} pound", "{count} pounds", 3), n_("{count} chit", "{count} chits", 2)
    return f"{pounds_} {as_spoken(f'papers {FOR[0]}')} {chits_}"


def explained(context: ViewContext) -> str:
    """The sum of the typed line."""
    view: View[State] = context.view
    decision, phrase = view.decision, tokens(context.typed)
    if not phrase or not isinstance(decision, Choose) or not isinstance(decision.options, Proposals):
        return ""
    try:
        mine, theirs = Reader(view, decision.options).parts(phrase)
    except Misunderstood:
        return ""
    for part in (mine, theirs):
        part.pounds = int(part.begun) if part.begun.isdigit() else part.pounds
    return _("You give {gift}; you want {price}.", gift=_in_words(view, mine), price=_in_words(view, theirs))


def _in_words(view: View[State], part: ProposalSide) -> str:
    chits = [words.chit(CHIT_NAMES.index(name)) for name in part.chits]
    chits += [n_("{count} chit", "{count} chits", part.number)] * bool(part.number)
    return _listed(view, words.pounds(part.pounds) * bool(part.pounds), chits, part.secrets)


# The other side


def pending(view: View[State]) -> list[str]:
    """The proposal that the player has to answer, a sentence for each side; nothing if there is none."""
    if not isinstance(view.decision, Choose) or notation.ACCEPT not in view.decision.options:
        return []
    proposal = proposed(view)
    if proposal is None:
        return []
    given, wanted, power, other = proposal
    return [
        _("{power} gives {given}.", power=words.power(power), given=given),
        _("{power} gives {wanted}.", power=words.power(other), wanted=wanted),
    ]


def one_sided(view: View[State]) -> bool:
    """Whether the proposal under way gives its receiver nothing."""
    under_way = _under_way(view)
    if under_way is None:
        return False
    terms, named = under_way
    return terms.offered == 0 and not terms.chits and not named[now(view).power]


def proposed(view: View[State]) -> tuple[str, str, Power, Power] | None:
    """The gift and the wish of the proposal under way, as far as the seat can tell, and the two powers."""
    under_way, state = _under_way(view), now(view)
    if under_way is None or state.partner is None:
        return None
    terms, named = under_way
    power, other = state.power, state.partner
    chits = [n_("{count} chit", "{count} chits", len(terms.chits))] * bool(terms.chits)
    wanted = [_("{counted} of its choice", counted=n_("{count} chit", "{count} chits", terms.number))] * bool(
        terms.number
    )
    return (
        _listed(view, _sum(view, terms.offered, 0), chits, named[power]),
        _listed(view, _sum(view, terms.wanted, 2), wanted, named[other]),
        power,
        other,
    )


def _under_way(view: View[State]) -> tuple[Terms, dict[Power, list[Transfer]]] | None:
    """The terms of the proposal under way, and by giver the secrets that it names; None without one."""
    answers = [answer for _unused, answer in view.since if isinstance(answer, str)]
    at = max((at for at, move in enumerate(answers) if parsed(move) is not None), default=None)
    state = now(view)
    terms = None if at is None else parsed(answers[at])
    if at is None or terms is None or state.partner is None:
        return None
    power, other = state.power, state.partner
    named: dict[Power, list[Transfer]] = {power: [], other: []}
    for move in answers[at + 1 :]:
        word, *parts = move.split(" ")
        secret = state.named(CITY_NAMED[parts[0]]) if word in ("give", "want") else None
        if secret is not None:
            giver, receiver = (power, other) if word == "give" else (other, power)
            named[giver].append(Transfer(giver, receiver, secret, parts[1]))
    return terms, named


def _sum(view: View[State], named_sum: int | None, at: int) -> str:
    """Pounds of a proposal; secret ones as the two read them.  `at`: where their slots begin in `amounts`."""
    if named_sum is not None:
        return words.pounds(named_sum) if named_sum else ""
    for slots in now(view).amounts[at : at + 2]:
        if slots and all(slot in view.known for slot in slots):
            return words.pounds(pounds(tuple(view.known[slot] for slot in slots)))
    return _("pounds that the two alone know")


def _listed(view: View[State], sum_: str, chits: Sequence[str], named: Sequence[Transfer]) -> str:
    state = now(view)
    parts = [*[sum_] * bool(sum_), *chits]
    for transfer in named:
        face = secret_face(state, transfer.secret, view.known)
        content = "" if face is None else f" ({words.content(face)})"
        parts.append(
            _(
                "{secret}{content} to {piece}",
                secret=words.secret(state.secrets[transfer.secret].origin),
                content=content,
                piece=transfer.piece,
            )
        )
    return series(parts) or _("nothing")
