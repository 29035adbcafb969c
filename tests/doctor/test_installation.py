"""`doctor` without a model: what is installed and at hand."""

import json

import pytest

from fake_longbench import *  # noqa: F403 (replaced below)
