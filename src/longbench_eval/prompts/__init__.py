"""From an example to the exact text and tokens that are sent: rendering, truncation, chat template, budget."""

from longbench_eval.prompts.budget import Budget, default_budget, fit_budget
from longbench_eval.prompts.build import PromptPolicy, build_prompt, build_prompts, stream_prompts, wants_chat
from longbench_eval.prompts.tokenizer import HFTokenizer, Tokenizer, adapt_tokenizer
from longbench_eval.prompts.truncate import TRUNCATIONS

__all__ = [
    "TRUNCATIONS",
    "Budget",
    "HFTokenizer",
    "PromptPolicy",
    "Tokenizer",
    "adapt_tokenizer",
    "build_prompt",
    "build_prompts",
    "default_budget",
    "fit_budget",
    "stream_prompts",
    "wants_chat",
]
