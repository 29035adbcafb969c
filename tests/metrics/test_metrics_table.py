import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longbench_eval.metrics import METRICS

ANSWERS = {
    "retrieval": "Paragraph 3",
    "retrieval_zh": "段落3",
    "count": "3",
    "qa_f1_zh": "北京的大学",
    "rouge_zh": "北京的大学",
}
NAMES = sorted(METRICS)


def test_the_table_holds_the_nine_official_metrics_and_the_other_code_similarity():
    official = "qa_f1 qa_f1_zh rouge rouge_zh classification retrieval retrieval_zh count code_sim"
    assert set(METRICS) == {*official.split(), "code_sim_levenshtein"}


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_itself_is_perfect(name):
    answer = ANSWERS.get(name, "Sport event")
    assert METRICS[name](answer, answer, ["Number", answer]) == pytest.approx(1, abs=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_prediction_is_worth_nothing(name):
    assert METRICS[name]("", ANSWERS.get(name, "Sport event"), ["Number", "Sport event"]) == 0.0


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None)  # the first calls import libraries
@given(prediction=st.text(st.sampled_from("Sport eventPargh段落北京的大学3. \n"), max_size=30) | st.text(max_size=30))
def test_a_score_is_a_float_from_0_to_1(name, prediction):
    score = METRICS[name](prediction, ANSWERS.get(name, "Sport event"), ["Number", "Sport event"])
    assert type(score) is float
    assert 0 <= score <= 1


def test_importing_the_metrics_loads_none_of_the_libraries_they_use():
    code = "import sys, longbench_eval.metrics; print({'jieba', 'rapidfuzz'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
