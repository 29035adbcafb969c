"""Intervals, paired tests, corrections and power: functions of numpy arrays that know nothing of the benchmark.

An estimate is a weighted sum of means over independent strata (tasks, or their length buckets). Within a stratum
clusters of rows are the units that are resampled or flipped.
"""

from longbench_eval.stats.bootstrap import Interval, Method, Stratum, draw_means, interval_of
from longbench_eval.stats.clusters import Array, Clusters, make_clusters
from longbench_eval.stats.correction import holm
from longbench_eval.stats.permutation import Flips, draw_flips, flip_test
from longbench_eval.stats.power import detectable
from longbench_eval.stats.resampling import Resampling

__all__ = [
    "Array",
    "Clusters",
    "Flips",
    "Interval",
    "Method",
    "Resampling",
    "Stratum",
    "detectable",
    "draw_flips",
    "draw_means",
    "flip_test",
    "holm",
    "interval_of",
    "make_clusters",
]
