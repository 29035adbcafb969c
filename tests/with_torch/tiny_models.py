"""Language models of a few thousand random weights, saved as checkpoints are."""

from pathlib import Path

import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

MARKS = ("<s>", "</s>", "<|im_start|>", "<|im_end|>", "<pad>")
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tokenizer_of(template: str | None = CHATML, marks: tuple[str, ...] = MARKS):
    """A byte is a token; marks are special tokens."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    inner = Tokenizer(models.BPE(vocab={letter: i for i, letter in enumerate(letters)}, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    inner.add_special_tokens([AddedToken(mark, special=True) for mark in marks])
    outer = transformers.PreTrainedTokenizerFast(tokenizer_object=inner, bos_token="<s>", eos_token="</s>")
    if template is not None:
        outer.chat_template = template
    return outer


SIZES = {
    "vocab_size": 256 + len(MARKS),
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 2048,
    # Wide enough that no two tokens are nearly equal: rounding decides nothing.
    "initializer_range": 0.4,
    "bos_token_id": 256,
    "eos_token_id": 257,
    "tie_word_embeddings": False,
}


def save_tiny(folder: Path, config=None, *, seed: int = 0, generation: dict | None = None, template=CHATML, **sizes):
    """Save a model (Llama, if no configuration is given) and its tokenizer; returns the folder."""
    torch.manual_seed(seed)
    config = config or transformers.LlamaConfig(**{**SIZES, **sizes})
    model = transformers.AutoModelForCausalLM.from_config(config)
    model.save_pretrained(folder)
    tokenizer_of(template).save_pretrained(folder)
    if generation is not None:
        import json

        path = Path(folder) / "generation_config.json"
        path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **generation}), "utf-8")
    return folder


def plain_loop(folder: Path, requests, tokenizer=None, model=None) -> dict:
    """Answers as a user's loop makes them: one `generate` a row; samsum as pred.py calls it."""
    model = model or transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    tokenizer = tokenizer or transformers.AutoTokenizer.from_pretrained(folder)
    model.generation_config = transformers.GenerationConfig()
    answers = {}
    for request in requests:
        ids = torch.tensor([request.prompt.token_ids], device=model.device)
        length = ids.shape[1]
        ends = [tokenizer.eos_token_id]
        if "<|im_end|>" in (tokenizer.chat_template or ""):
            ends.append(tokenizer.convert_tokens_to_ids("<|im_end|>"))
        more = {}
        if request.stop_at_newline:
            ends.append(tokenizer.encode("\n", add_special_tokens=False)[-1])
            more["min_length"] = length + 1
        with torch.inference_mode():
            output = model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=request.max_new_tokens,
                num_beams=1,
                do_sample=False,
                temperature=None,
                eos_token_id=ends,
                pad_token_id=ends[0],
                **more,
            )[0]
        answers[request.example_id] = tokenizer.decode(output[length:], skip_special_tokens=True)
    return answers
