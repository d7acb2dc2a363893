"""Two or more at the same moment, on real rows: stories, what has to hold after each, and a command for very many.

`python -m tests.races --rounds 100000` runs all stories, `--story NAME` one of them, `--seed N` the same once more;
`--model 2000` runs the model of a call's life (tests/services/test_lifecycle_model.py) that often.
"""
