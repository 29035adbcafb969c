"""What answers a prompt: one small file each, named on the command line as `KIND:NAME`."""

from longbench_eval.models.base import Model, ModelOptions
from longbench_eval.models.callable import CallableModel
from longbench_eval.models.registry import KINDS, open_model

__all__ = ["KINDS", "CallableModel", "Model", "ModelOptions", "open_model"]
