"""A question, answered."""

from __future__ import annotations

import countci.explaining.words as words
from countci.explaining.causes import gather, judge
from countci.explaining.question import Question
from countci.model import Explanation, Reason

_NO_CODE = Reason(
    code="unproven",
    text="without the machine code of both builds nothing is proven here:"
    " causes are told from lines alone",
)


def explain(question: Question) -> Explanation:
    """Return where a difference comes from: causes, and the hunk to blame."""
    facts = gather(question)
    judgement = judge(facts)
    found = words.causes(facts, judgement)
    return Explanation(
        query=question.query,
        base=facts.totals[0],
        head=facts.totals[1],
        causes=found,
        rest=facts.delta - sum(cause.delta for cause in found),
        blame=words.blame(facts, judgement),
        functions=words.functions(facts),
        lines=words.lines(facts),
        notes=() if facts.machine.known else (_NO_CODE,),
    )
