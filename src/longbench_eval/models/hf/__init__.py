"""Models that run through transformers, one file a decision; `model` is the whole."""
