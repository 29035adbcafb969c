"""What goes into a chat template beside the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from longbench_eval.thinking import Thinking, close_thought


@dataclass(frozen=True, slots=True)
class ChatSetup:
    """How one prompt becomes a conversation that the model goes on with.

    Attributes:
        system: A system message; None for none of our own (a template may bring its own).
        thinking: Whether the template is told to have the model think.
    """

    system: str | None = None
    thinking: Thinking = field(default_factory=Thinking)

    def messages(self, text: str) -> list[dict[str, str]]:
        """The conversation: the prompt as the one user message."""
        system = [] if self.system is None else [{"role": "system", "content": self.system}]
        return [*system, {"role": "user", "content": text}]

    @property
    def switches(self) -> Mapping[str, Any]:
        """Variables for the template."""
        return self.thinking.switches

    def finish(self, wrapped: str, template: str) -> str:
        """Turn thinking off where the template has no switch for it."""
        return close_thought(wrapped, template) if self.thinking.mode == "off" else wrapped
