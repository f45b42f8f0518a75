"""Writes shortcut.json: what scikit-learn learns from options, for the tests of `shortcut`.

    python3 -m venv venv && venv/bin/pip install scikit-learn==1.9.1
    venv/bin/python crates/metrics/tests/golden/shortcut.py > crates/metrics/tests/golden/shortcut.json

`pairs`: questions of two options, of which a conditional logit is the logistic regression of their difference;
fitted on the first ones, chances for the last ones. `sets`: questions of four options, each option by itself with
"is it right?" as its label, the likeliest of a question taken, in five folds by group.
"""
import json
import random

import numpy
import sklearn
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

WORDS = "gate mill river letter lamp rain bread horse door road field song stone night".split()
RIGHT = "window garden".split()
C = 0.5


def text(draw, cue):
    words = [draw.choice(WORDS) for _ in range(draw.randint(4, 7))]
    if draw.random() < cue:
        words[draw.randrange(len(words))] = draw.choice(RIGHT)
    return " ".join(words)


def features(texts):
    vectorizer = CountVectorizer(token_pattern=r"\w+", ngram_range=(1, 2))
    counts = vectorizer.fit_transform(texts).toarray().astype(float)
    roots = numpy.sqrt(counts)
    return roots / numpy.linalg.norm(roots, axis=1, keepdims=True)


def pairs(draw):
    options = [[text(draw, 0.6), text(draw, 0.2)] for _ in range(100)]
    flat = features([option for pair in options for option in pair])
    # Two features under one hash would be another model: the seed below gives texts without such a pair.
    difference = flat[0::2] - flat[1::2]
    train, test = difference[:80], difference[80:]
    model = LogisticRegression(C=C, fit_intercept=False, tol=1e-10, max_iter=10_000)
    model.fit(numpy.vstack([train, -train]), [1] * len(train) + [0] * len(train))
    chances = model.predict_proba(test)[:, 1]
    chances = [round(chance, 6) for chance in chances]
    fitted = {"trained": 80, "penalty": 1 / (2 * 80 * C), "features": flat.shape[1]}
    return {"options": options, **fitted, "chances": chances}


def sets(draw):
    options = [[text(draw, 0.55)] + [text(draw, 0.1) for _ in range(3)] for _ in range(150)]
    groups = [at % 10 for at in range(150)]
    flat = features([option for one in options for option in one]).reshape(150, 4, -1)
    right = 0
    for fold in range(5):
        train = [at for at in range(150) if groups[at] % 5 != fold]
        test = [at for at in range(150) if groups[at] % 5 == fold]
        model = LogisticRegression(C=10, max_iter=10_000)
        model.fit(flat[train].reshape(len(train) * 4, -1), [1, 0, 0, 0] * len(train))
        chances = model.decision_function(flat[test].reshape(len(test) * 4, -1)).reshape(-1, 4)
        right += int((chances.argmax(axis=1) == 0).sum())
    return {"options": options, "groups": groups, "right": right}


draw = random.Random(2031)
found = {"scikit_learn": sklearn.__version__, "pairs": pairs(draw), "sets": sets(draw)}
print(json.dumps(found, indent=0))
