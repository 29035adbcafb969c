"""LongBench scores for any model: one command, the official number, the evidence for it."""
