"""Every sign as a row of a table: the kind of trouble, the tasks it is looked for in, and the threshold.

The thresholds are measured on 12 public runs of 3,598 to 4,753 rows. "Healthy" are six whose rows read like answers:
Llama-3-8B-Instruct, LongAlpaca-7B-16k, Mistral-7B-Instruct with a full KV cache and with one of 256 tokens, and
Llama-2-7B-chat with full and sparse attention, 23,336 rows in all. Not so are a base model asked as chat (Llama-2-7B),
thinking cut by the caps (Qwen3-8B), Llama-3.1-8B-Instruct with two KV-cache methods, whose answers nothing ended, and
two RWKV models.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from longbench_eval.scoring.suspicion import signs
from longbench_eval.scoring.suspicion.kinds import Kind
from longbench_eval.tasks import TASKS, Task

ALL = frozenset(TASKS)
CHAT = frozenset(name for name, task in TASKS.items() if task.chat)
# Nothing ends an answer of these: in every run it goes on in the prompt's format, or loops.
FEW_SHOT_AND_CODE = ALL - CHAT
# Healthy models explain their number: of Mistral's answers to passage_count 183 of 200 run into the cap of 32 tokens.
QA_AND_SUMMARIES = frozenset(name for name in CHAT if TASKS[name].category != "synthetic")

# A thought in an answer is no accident, and always costs score.
ONE_ROW = 0.0
# None in healthy runs; 1 % (musique) to 99 % (vcsum) of Llama-2-7B's.
EMPTY = 0.01
# Code models that find nothing to add: healthy up to 2.7 % (repobench-p, Llama-2-7B-chat).
EMPTY_CODE = 0.05
# Healthy up to one answer of a task, 0.5 %; up to 44 % of Llama-3.1's (vcsum), 93 % of Llama-2-7B's.
LOOP = 0.05
# Told by answers that break off in a sentence: healthy up to 48 % (dureader, Llama-3-8B); 96 and 97 % of Qwen3's to
# dureader, gov_report and multi_news.
CAPPED = 0.75
# None in healthy runs; 1 % (vcsum) to 98 % of Llama-2-7B's hold a mark, 3 to 10 % of the RWKV models' play a turn.
MARK = 0.01
# Healthy up to 5 % (2wikimqa, Mistral with the small cache); 13 % and more where nothing ended the answers, up to 90 %.
RUNS_ON = 0.1
# Healthy up to 2 % (summaries that list "Passage 1:"); 14 to 74 % of Llama-2-7B's, 21 and 40 % of RWKV-5's.
ECHO = 0.1
# Up to one answer of a task in all runs: a tear of the context itself, or of one rare character.
TORN = 0.02


def kin_of(task: Task) -> str:
    """One of the 21 whose answers end as those of a task of the user's own do: what is no alarm there is none here."""
    if not task.chat:
        return "lcc" if task.language == "code" else "trec"
    return "qasper" if task.metric in ("qa_f1", "qa_f1_zh", "rouge", "rouge_zh") else "passage_count"


@dataclass(frozen=True, slots=True)
class Detector:
    """A sign that is looked for in the answers to some tasks; an alarm from a share of them on, 0 for a single one."""

    kind: Kind
    sign: Callable[[signs.Answer], bool]
    tasks: frozenset[str]
    threshold: float


_UNCLOSED = Kind(
    "thinking-unclosed",
    "answers are unfinished thinking, such as <think> without </think>",
    "the cap on new tokens ends the thinking before there is an answer",
    "turn thinking off (--thinking off), or give it tokens of its own (--thinking budget N)",
)
_KEPT = Kind(
    "thinking-kept",
    "answers hold finished thinking, up to </think>",
    "it was not taken off and is scored as part of the answer",
    "score only what follows it (score --strip-thinking), or turn thinking off",
)
_EMPTY = Kind(
    "empty",
    "answers are empty or white space",
    "the model ends its turn at once, or writes white space up to the cap",
    "read one prompt as it was sent: the chat template, the end of the prompt, the stop strings",
)
_LOOP = Kind(
    "loop",
    "answers repeat one phrase, or white space, to the end",
    "nothing ended the answer, or the model is damaged (KV cache, quantization, position scaling)",
    "check that the chat template's end-of-turn token stops the answer, and run the unchanged model on the same rows",
)
_CAPPED = Kind(
    "capped",
    "answers were ended by the cap",
    "no end-of-turn token came: thinking, no chat template, or a base model",
    "read how the answers end; apply the model's chat template, turn thinking off",
)
_MARKER = Kind(
    "chat-marker",
    "answers hold marks of a chat template",
    "special tokens were kept, or the template is not the one that the model was trained on",
    "decode without special tokens, stop at the end-of-turn token, and ask a base model without a chat template",
)
_ROLE = Kind(
    "next-turn",
    "answers go on with another turn of the conversation",
    "the end-of-turn token did not stop the answer, or it was dropped as a special token",
    "make the end-of-turn token a stop token",
)
_RUNS_ON = Kind(
    "runs-on",
    "answers go on with the prompt's next question",
    "the model was asked without a chat template, or nothing ended its turn",
    "apply the model's chat template to this task and stop at its end-of-turn token",
)
_ECHO = Kind(
    "prompt-echoed",
    "answers repeat the prompt",
    "the prompt was not cut off the output, or the model copies it instead of answering",
    "record only the new tokens, and check that the prompt as sent ends where the answer should begin",
)
_BROKEN = Kind(
    "broken-characters",
    "answers hold U+FFFD inside",
    "the tokens were decoded one at a time, which tears characters of several bytes apart",
    "decode all new tokens at once",
)

DETECTORS: tuple[Detector, ...] = (
    Detector(_UNCLOSED, signs.thinks_without_end, ALL, ONE_ROW),
    Detector(_KEPT, signs.holds_thinking, ALL, ONE_ROW),
    Detector(_EMPTY, signs.is_empty, CHAT, EMPTY),
    Detector(_EMPTY, signs.is_empty, FEW_SHOT_AND_CODE, EMPTY_CODE),
    Detector(_LOOP, signs.loops, CHAT, LOOP),
    Detector(_CAPPED, signs.is_capped, QA_AND_SUMMARIES, CAPPED),
    Detector(_MARKER, signs.holds_chat_marker, ALL, MARK),
    Detector(_ROLE, signs.plays_another_turn, CHAT, MARK),
    Detector(_RUNS_ON, signs.runs_on, CHAT, RUNS_ON),
    Detector(_ECHO, signs.echoes_prompt, CHAT, ECHO),
    Detector(_ECHO, signs.repeats_instruction, FEW_SHOT_AND_CODE, ECHO),
    Detector(_BROKEN, signs.has_broken_characters, ALL, TORN),
)
