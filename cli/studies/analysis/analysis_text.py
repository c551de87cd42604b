"""An analysis in words: plain sentences, the turning points, a picture of the chance to win, a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from cli.reports import describe
from cli.studies.analysis.analysing import LEAST_TURN, Analysed, Sums, Turn
from cli.text.layout import Line, fit, hung, series, styled, told_apart, words
from cli.text.plot import plot
from cli.text.sanitize import cells
from p2p_stratego.core.analysis import COSTLY, Judgement
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, n_, number
from p2p_stratego.core.narration import joined
from p2p_stratego.core.sampling import percent
from p2p_stratego.registry import signature

_LOST = 1
"""The place of what a choice lost among the figures: a lesson has no such column, and no best choice."""
_GLANCE = 150
"""Cells of what happened at a turning point, where it is told in passing; one sentence can take more."""
_ENDS = re.compile(r"(?<=[.!?]) ")
"""Between sentences."""
_LEAST_SHOWN = 0.001
"""Of the chance to win: 0.1 points."""
_SHOWN = _LEAST_SHOWN / 2
"""A loss that is less is shown as 0.0."""
_FEW_BITS = 0.005
"""Fewer tell nothing that a person would notice."""
_WIDTH = 80
"""Columns of a picture where there is no terminal."""
_WIDE = 120
"""The same of a table."""
_NAME, _LEAST_NAME, _KIND, _NUMBER, _CHOICE, _LEAST_CHOICE = 12, 7, 8, 6, 24, 8
"""Columns of the table's parts, which are wider where the words over them are."""


def text(analysis: Analysed, seats: Iterable[Seat], columns: int | None) -> list[str]:
    """The analysis for people, with the decisions of `seats`; `columns`: None for whole lines."""
    chosen = list(seats)
    rows, left_out = table(analysis, chosen, columns)
    lines = hung(describe.verdict(analysis.report), columns)
    if analysis.lesson:
        lines += hung(
            _(
                "This is a lesson: a script led both sides, and it shows the rules rather than the best"
                " choices. So no choice is weighed against others here."
            ),
            columns,
        )
    lines.append("")
    if analysis.judged:
        lines += [*rows, ""]
        for sentence in (
            *left_out,
            *_steps(analysis),
            *meaning(analysis.report.genesis.game.name, lesson=analysis.lesson),
        ):
            lines += hung(sentence, columns)
    else:
        lines += hung(_("Nobody decided anything in this game, so there is nothing to judge."), columns)
    lines += ["", *hung(title(analysis, chosen[0]), columns), ""]
    lines += [words(line).rstrip() for line in picture(analysis, chosen[0], min(columns or _WIDTH, 120))]
    lines += ["", _("Turning points"), ""]
    turns = [turned(analysis, turn, chosen[0]) for turn in analysis.turns] or [no_turn(analysis)]
    for sentence in filter(None, (*turns, luckiest(analysis, chosen[0]))):
        lines += hung(sentence, columns)
    if (end := analysis.broken_off) is not None:
        lines += hung(broken_off(analysis, end, chosen[0]), columns)
    for seat in chosen if analysis.judged else ():
        lines.append("")
        for sentence in about(analysis, seat):
            lines += hung(sentence, columns)
    return lines


def no_turn(analysis: Analysed) -> str:
    """Why there is no turning point."""
    if not analysis.great:
        return _("There is none: nothing that happened changed the chance to win by 5 points.")
    return _(
        "There is none: only moves that show no reason for it changed the chance to win by 5 points or more."
    )


def about(analysis: Analysed, seat: Seat) -> list[str]:
    """The game of one seat in plain sentences."""
    name, sums = analysis.names[seat], analysis.sums(seat)
    compared = [] if analysis.lesson else _compared(name, sums)
    return [*analysis.game.summary(name, analysis.of(seat)), *compared, _fortune(name, sums)]


def _compared(name: str, sums: Sums) -> list[str]:
    """How the choices fared beside the best ones."""
    sentences = [
        n_(
            "{player} made {count} decision; {judged} could be compared with the best one, and {best} of"
            " these cost less than {least} points.",
            "{player} made {count} decisions; {judged} could be compared with the best one, and {best} of"
            " these cost less than {least} points.",
            sums.decided,
            player=name,
            judged=sums.judged,
            best=sums.best,
            least=points(COSTLY, sign=False),
        )
    ]
    if sums.unknown:
        sentences.append(
            n_(
                "{count} decision of {player} rests on pieces or cards that nobody has opened: it is counted,"
                " and not judged.",
                "{count} decisions of {player} rest on pieces or cards that nobody has opened: they are"
                " counted, and not judged.",
                sums.unknown,
                player=name,
            )
        )
    if sums.worst is not None:
        sentences.append(_costliest(name, sums, sums.worst))
    return sentences


def _fortune(name: str, sums: Sums) -> str:
    return _(
        "All luck of {player} (its own, less that of the others) comes to {luck} points of the chance to win."
        " {player} learned enough to halve what closed cards or pieces could be {gained} times;"
        " the other side {given} times.",
        player=name,
        luck=points(sums.luck),
        gained=number(sums.gained, 1),
        given=number(sums.given, 1),
    )


def _costliest(name: str, sums: Sums, worst: Judgement) -> str:
    return _(
        "Beside the best ones its choices cost {player} {lost} points of the chance to win in all; the"
        " costliest, {cost}, is in step {step}: {chosen}, where {best} was better.",
        player=name,
        lost=points(sums.lost, sign=False),
        cost=points(worst.lost or 0.0, sign=False),
        step=worst.made.step,
        chosen=worst.chosen,
        best=worst.best,
    )


def points(chance: float, *, sign: bool = True) -> str:
    """A change of the chance to win in points of a hundred: "+4.2"."""
    shown = round(100 * chance, 1) or 0.0
    return number(shown, 1, sign=sign)


def turned(analysis: Analysed, turn: Turn, seat: Seat) -> str:
    """A turning point, as `seat` sees it."""
    before, after = analysis.chances[turn.at - 2][seat], analysis.chances[turn.at - 1][seat]
    sentence = _(
        "Step {step}: {player} went from {before} to {after}. {events}",
        step=turn.at,
        player=analysis.names[seat],
        before=share(before),
        after=share(after),
        events=joined(*_happened(analysis, turn.at), turn.reason),
    )
    knew, knows = knew_of(analysis, turn.at - 1, seat), knew_of(analysis, turn.at, seat)
    if knew is None or knows is None:
        return sentence
    return joined(
        sentence,
        _(
            "By what {player} knew: from {before} to {after}.",
            player=analysis.names[seat],
            before=share(knew),
            after=share(knows),
        ),
    )


def turning(analysis: Analysed) -> str:
    """Where the game turned, for somebody who did not play; "" if it never did."""
    turn = analysis.pivot
    if turn is None:
        return ""
    return _("It turned at step {step}: {happened}", step=turn.at, happened=_in_short(analysis, turn))


def where_it_turned(analysis: Analysed, seat: Seat) -> str:
    """Where the game turned, as the player of `seat` is told of it after the game; "" if it never did."""
    turn = analysis.pivot
    if turn is None or abs(turn.after - turn.before) < LEAST_TURN:
        return turning(analysis)
    return _(
        "It turned at step {step}: {happened} Your chance to win went from {before} to {after}.",
        step=turn.at,
        happened=_in_short(analysis, turn),
        before=share(analysis.chances[turn.at - 2][seat]),
        after=share(analysis.chances[turn.at - 1][seat]),
    )


def _in_short(analysis: Analysed, turn: Turn) -> str:
    """What happened at a turning point, and why it was one: what a reader takes in at a glance."""
    sentences = [*_happened(analysis, turn.at), turn.reason]
    if any(_ENDS.search(name) for name in analysis.names):  # what ends there is no sentence
        return at_a_glance(sentences)
    return at_a_glance([sentence for text in sentences for sentence in _ENDS.split(text)])


def at_a_glance(sentences: Sequence[str]) -> str:
    """The first of the sentences, and those behind it that fit into a glance: each whole."""
    first, *others = [sentence for sentence in sentences if sentence] or [""]
    for sentence in others:
        if cells(first) + 1 + cells(sentence) > _GLANCE:
            break
        first = f"{first} {sentence}"
    return first


def _happened(analysis: Analysed, at: int) -> Sequence[str]:
    """What a step brought, without whose turn it is then."""
    return analysis.game.step_results(
        analysis.steps[at - 2].state, analysis.steps[at - 1].state, analysis.names
    )


def luckiest(analysis: Analysed, seat: Seat) -> str:
    """The step of the greatest luck, as `seat` sees it, if that is no turning point; else ""."""
    luckiest_decision = analysis.luckiest
    if luckiest_decision is None or luckiest_decision.made.step in {turn.at for turn in analysis.turns}:
        return ""
    step = luckiest_decision.made.step
    lucks = [analysis.luck(luckiest_decision, other) for other in range(len(analysis.names))]
    lucky = max(
        range(len(lucks)), key=lambda at: (abs(lucks[at]), lucks[at], at == luckiest_decision.made.seat)
    )
    about = {
        "step": step,
        "lucky": analysis.names[lucky],
        "player": analysis.names[seat],
        "luck": points(lucks[lucky]),
        "events": joined(*_happened(analysis, step)),
        "before": share(analysis.chances[step - 2][seat]),
        "after": share(analysis.chances[step - 1][seat]),
    }
    if analysis.open:
        return _(
            "The greatest luck is no turning point: step {step} brought {lucky} {luck} points beside what"
            " was to be expected, but turning points go by how all pieces lay, and so {player} went from"
            " {before} to {after}. {events}",
            **about,
        )
    return _(
        "The greatest luck is no turning point: step {step} brought {lucky} {luck} points beside what was to"
        " be expected, but turning points go by the change, and {player} went from {before} to {after}."
        " {events}",
        **about,
    )


def title(analysis: Analysed, seat: Seat) -> str:
    """What stands over the picture of the chance to win."""
    name = analysis.names[seat]
    if analysis.open:
        return _("The chance of {player} to win, as all pieces lay", player=name)
    return _("The chance of {player} to win", player=name)


def knew_of(analysis: Analysed, step: int, seat: Seat) -> float | None:
    """The chance of `seat` to win after a step, counted from 1, by its own knowledge; None: unknown."""
    own = analysis.outlooks[step - 1].own
    return None if own is None else own[seat]


def broken_off(analysis: Analysed, end: Turn, seat: Seat) -> str:
    """An end that is no step of the game, with the chance to win until then, as `seat` sees it."""
    return _(
        "Step {step} is no turning point: {end} Until then the chance of {player} to win was {before}.",
        step=end.at,
        end=analysis.steps[end.at - 1].sentences[-1],
        player=analysis.names[seat],
        before=share(analysis.chances[end.at - 2][seat]),
    )


def picture(analysis: Analysed, seat: Seat, columns: int, rows: int = 9, here: int = -1) -> list[Line]:
    """How the chance of `seat` to win went over the game; `here`: the place of a step, from 0."""
    series = [chances[seat] for chances in analysis.chances]
    return plot(series, columns, rows, left=("100 %", "50 %", "0 %"), here=here)


def table(analysis: Analysed, seats: Iterable[Seat], columns: int | None) -> tuple[list[str], list[str]]:
    """The decisions of some seats, one a row; and a sentence for those that are left out, if any.

    `columns`: those of a terminal, which rows should fit in.
    """
    wanted = set(seats)
    title = _("player")
    name = max(map(cells, (title, *(analysis.names[seat] for seat in wanted)))) + 1 if len(wanted) > 1 else 0
    longest, name = name, min(name, _NAME)
    own = [decision for decision in analysis.judged if decision.made.seat in wanted]
    heads, figures = (_("step"), title, _("kind"), _("chosen"), _("best")), measures_heads()
    step = max(5, cells(heads[0]) + 1)
    kind = max(_KIND, cells(heads[2]) + 1)
    kinds = max(
        (cells(analysis.game.kinds(decision.kind)) + 1 for decision in own if _telling(decision)),
        default=kind,
    )
    numbers = [max(_NUMBER, cells(head) + 1) for head in figures]
    room = (columns or _WIDE) - 1 - step - name - kind - sum(numbers)
    if name and room < 2 * _LEAST_CHOICE:
        shorter = max(name - 2 * _LEAST_CHOICE + room, _LEAST_NAME)
        name, room = shorter, room + name - shorter
    elif longest > name and room > 2 * _CHOICE:
        wider = min(longest, name + room - 2 * _CHOICE)
        name, room = wider, room + name - wider
    if kinds > kind and room > 2 * _CHOICE:
        wider = min(kinds, kind + room - 2 * _CHOICE)
        kind, room = wider, room + kind - wider
    choice = min(max(room // 2, _LEAST_CHOICE), _CHOICE)
    widths = (step, name, kind, choice, 0 if analysis.lesson else choice)
    if analysis.lesson:
        numbers[_LOST] = 0
    rows = [_row(heads, widths, figures, numbers)]
    called = told_apart(analysis.names, name - 1) if name else analysis.names
    for decision in filter(_telling, own):
        best = (
            "="
            if decision.best == decision.chosen or (decision.best and (decision.lost or 0.0) < _SHOWN)
            else decision.best
        )
        texts = (
            f"{decision.made.step}",
            called[decision.made.seat],
            analysis.game.kinds(decision.kind),
            decision.chosen,
            best,
        )
        rows.append(_row(texts, widths, measures(decision), numbers))
    return rows, _left_out(analysis, [decision for decision in own if not _telling(decision)])


def _left_out(analysis: Analysed, unlisted: Sequence[Judgement]) -> list[str]:
    """A sentence for decisions that are not listed; what they cost makes up the sums with the rows."""
    costs = []
    for seat, name in enumerate(analysis.names):
        lost = sum(decision.lost or 0.0 for decision in unlisted if decision.made.seat == seat)
        if lost >= _SHOWN:
            listed = sum(
                round(decision.lost or 0.0, 3) for decision in analysis.of(seat) if _telling(decision)
            )
            rest = max(round(analysis.sums(seat).lost, 3) - listed, _LEAST_SHOWN)
            costs.append(f"{name} {points(rest, sign=False)}")
    if not unlisted:
        return []
    if analysis.lesson:
        return [
            n_(
                "{count} decision is not listed: it risked nothing and showed little.",
                "{count} decisions are not listed: they risked nothing and showed little.",
                len(unlisted),
            )
        ]
    if not costs:
        return [
            n_(
                "{count} decision is not listed: it risked nothing, cost nothing and showed little.",
                "{count} decisions are not listed: they risked nothing, cost nothing and showed little.",
                len(unlisted),
            )
        ]
    return [
        n_(
            "{count} decision is not listed: it risked nothing, showed little and cost less than {least}"
            " points ({costs}).",
            "{count} decisions are not listed: they risked nothing, showed little and cost less than {least}"
            " points each (together: {costs}).",
            len(unlisted),
            least=points(COSTLY, sign=False),
            costs=", ".join(costs),
        )
    ]


def _telling(decision: Judgement) -> bool:
    """Whether a decision is worth a row: it could come right or wrong, cost something, or gave much away."""
    return (
        decision.odds is not None
        or (decision.lost or 0.0) >= COSTLY
        or (decision.given or 0.0) >= 1
        or decision.kind == "lie"
    )


def _row(left: Iterable[str], widths: Iterable[int], figures: Iterable[str], wide: Iterable[int]) -> str:
    row = "".join(_cell(value, wide) for value, wide in zip(left, widths, strict=True))
    shown = (f"{figure:>{most}}" for figure, most in zip(figures, wide, strict=True) if most)
    return (row + "".join(shown)).rstrip()


def _cell(value: str, wide: int) -> str:
    return f"{words(fit(styled(value), wide - 1))} " if wide else ""


def share(chance: float) -> str:
    """A chance as people read it; what is impossible has 0 %."""
    return percent(chance) if chance > 0 else "0 %"


def measures_heads() -> tuple[str, str, str, str, str]:
    """What stands over the figures."""
    return _("odds"), _("lost"), _("luck"), _("given"), _("got")


def measures(decision: Judgement) -> tuple[str, str, str, str, str]:
    """The odds, the loss, the luck, what was given and learned, in short; "" for what is not known."""
    return (
        "" if decision.odds is None else share(decision.odds),
        "" if decision.lost is None else points(decision.lost, sign=False),
        "" if decision.luck is None else points(decision.luck),
        ruled_out(decision.given),
        ruled_out(decision.gained),
    )


def ruled_out(bits: float | None) -> str:
    """Bits as the share of all possibilities that they rule out; "" for none."""
    return share(1 - 2**-bits) if bits and bits > _FEW_BITS else ""


def sides(analysis: Analysed, step: int) -> Iterator[str]:
    """Of those who win together, how likely that is after a step, counted from 1: a clause each."""
    game = analysis.report.genesis.game
    for side in game.sides(len(analysis.names)) if step <= len(analysis.chances) else ():
        name = series([analysis.names[seat] for seat in sorted(side)])
        chance, knew = analysis.chances[step - 1][min(side)], knew_of(analysis, step, min(side))
        if knew is None:
            yield _("{player}: {chance} to win", player=name, chance=share(chance))
        else:
            yield _(
                "{player}: {chance} to win, {knew} by what {player} knew",
                player=name,
                chance=share(chance),
                knew=share(knew),
            )


def decision(analysis: Analysed, judged: Judgement) -> Iterator[tuple[str, str]]:
    """One decision in clauses, each with its style: who and what, how good, what its player could think."""
    kind, name = analysis.game.kinds(judged.kind), analysis.names[judged.made.seat]
    yield f"seat{judged.made.seat}", f"{name}: {kind}" + (f": {judged.chosen}" if judged.chosen else "")
    if judged.unknown:
        yield "dim", _("It rests on cards or pieces that nobody has opened.")
    if judged.lost is not None and judged.lost < _SHOWN:
        yield "good", _("as good as the best")
    elif judged.lost is not None:
        cost = points(judged.lost, sign=False)
        look = "warn" if judged.lost >= COSTLY else ""
        yield look, _("cost {points} points; better: {best}", points=cost, best=judged.best)
    if judged.odds is not None:
        came = "" if judged.came is None else _("it came right") if judged.came else _("it went wrong")
        yield "", ": ".join(filter(None, (_("odds {odds}", odds=share(judged.odds)), came)))
    if judged.luck is not None:
        yield "", _("luck {points} points", points=points(judged.luck))
    if given := ruled_out(judged.given):
        yield "", _("the others can rule out {given} of what was closed", given=given)
    if gained := ruled_out(judged.gained):
        yield "", _("learned enough to rule out {gained} of what was closed", gained=gained)
    if judged.knew:
        likely = ", ".join(f"{likelihood.name} {share(likelihood.odds)}" for likelihood in judged.knew)
        yield "dim", _("likely: {things}", things=likely)
    if judged.hasty:
        yield "dim", _("not every choice was weighed in the time")


def _steps(analysis: Analysed) -> list[str]:
    """How steps are counted, in a game whose set-up has several."""
    last = next((at for at, outlook in enumerate(analysis.outlooks, start=1) if outlook.begun), 0)
    if last < 2:
        return []
    return [
        _(
            "step: as a replay counts them. Steps 1 to {last} are the set-up, so step {first} is the first of"
            " play.",
            last=last,
            first=last + 1,
        )
    ]


def meaning(game: str, *, lesson: bool = False) -> list[str]:
    """What the columns mean, and by whose eyes the decisions of a game were judged."""
    odds = _("odds: how likely the choice was to come right, by what its player could know.")
    best = _(
        "best: what the bot that judges here would have chosen ({bot}); = where the choice was as good.",
        bot=signature(game),
    )
    lost = _(
        "lost: points of the chance to win that the best choice was worth more, by that bot's evaluation."
    )
    return [
        *([odds] if lesson else [best, odds, lost]),
        _(
            "luck: by how many points the chance to win of its player is better than was to be expected, once"
            " the card or piece was open."
        ),
        _(
            "given: of all that the closed cards or pieces of the player could be, how much the others can"
            " rule out since then: 50 % halves it. got: the same the other way round."
        ),
    ]
