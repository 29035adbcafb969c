# `make demo` and `make test` set up a virtual environment of their own; a second call reuses it.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint types docs check clean

demo: .venv/.local
	$(BIN)/longbench-eval demo

test: .venv/.dev
	$(BIN)/python -m pytest -m 'not browser'  # a browser's event loop would stay for the other tests

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.dev
	$(BIN)/mypy

docs: .venv/.dev
	$(BIN)/python docs/generate.py

check: test lint types
	$(BIN)/python docs/generate.py --check

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.local: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[local,report,view]'
	@touch $@

# lm-eval is an oracle in the tests: its LongBench module needs none of its dependencies.
.venv/.dev: pyproject.toml | .venv/bin/python
	$(PIP) --editable '.[local,report,view,dev]'
	$(PIP) --no-deps lm-eval==0.4.13
	@touch $@ .venv/.local

clean:
	rm -rf .venv build dist
