"""Makes the golden set that comes with the project: `python make.py`, written into the folder above.

Texts, questions, claims and answers are our own (`books/`, `texts.py`). Figures come from the reference programs
rouge-score 0.1.2, rouge 1.0.1, jieba 0.42.1 and scikit-learn, or from the published rule of a program that is no package,
written down here anew with its paper. What is in the set has the form of the larger one beside the checkout.
"""

import csv
import hashlib
import json
import random
import re
import string
from collections import Counter
from pathlib import Path

import jieba
from rouge import Rouge
from rouge_score import rouge_scorer
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, confusion_matrix, precision_score, recall_score

import llm
import texts

HERE = Path(__file__).parent
OUT = HERE.parent
PLACES = 6


def write(path, text):
    path = OUT / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def write_json(path, value):
    write(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def lines(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


# Books: plain, as gold, as pages, with their names.


def book(number):
    text = (HERE / f"books/{number}.txt").read_text()
    head, _, body = text.partition("\n\n")
    facts = dict(line.split(": ", 1) for line in head.splitlines())
    spans, plain = [], ""
    for piece in re.split(r"(\{[^}]*\})", body.strip()):
        if piece.startswith("{"):
            kind, _, name = piece[1:-1].rpartition(":")
            spans.append([len(plain), len(plain) + len(name), kind or "PER", name])
            piece = name
        plain += piece
    return facts | {"number": number, "text": plain, "spans": spans}


def blocks(one):
    return [(block[2:], True) if block.startswith("# ") else (block, False) for block in one["text"].split("\n\n")]


NOTE = (
    "Whoever passes this sample on passes all of it on, with these lines. It was written to try out a program that cleans pages; "
    "it is laid out like a page of Project Gutenberg and comes from no library. Nobody answers for faults in it. "
)


def page_of_2022(one):
    title, author = one["title"], one["author"]
    body = "".join(f'<div class="chapter"><h2>{t}</h2></div>\n' if head else f"<p>{t}</p>\n" for t, head in blocks(one))
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>The Project Gutenberg eBook of {title}, by {author}</title>
<style>#pg-header div, #pg-footer div {{ display: block }} .pagenum {{ position: absolute }}</style></head>
<body><section class="pg-boilerplate pgheader" id="pg-header" lang="en"><h2 id="pg-header-heading" title="">The Project Gutenberg eBook of <span lang="en">{title}</span></h2>
<div>{NOTE}</div>
<div class="container" id="pg-machine-header"><p><strong>Title</strong>: {title}</p>
<div id="pg-header-authlist"><p><strong>Author</strong>: {author}</p></div>
<p><strong>Release date</strong>: November 22, 2026 [eBook #{one["number"]}]</p><p><strong>Language</strong>: English</p></div>
<div id="pg-start-separator"><span>*** START OF THE PROJECT GUTENBERG EBOOK {title.upper()} ***</span></div></section>
<h1>{title}</h1><p class="center">by {author}</p>
{body}<section class="pg-boilerplate pgheader" id="pg-footer" lang="en">
<div id="pg-end-separator"><span>*** END OF THE PROJECT GUTENBERG EBOOK {title.upper()} ***</span></div>
<div id="pg-footer-heading">ABOUT THIS SAMPLE</div><div>{NOTE * 3}</div></section></body></html>
"""


def page_of_1998(one):
    """Latin-1, nothing closed, the small print in front."""
    title, author = one["title"], one["author"]
    plain = str.maketrans({"“": '"', "”": '"', "’": "'"})
    body = "".join(f"<H3>{t}</H3>\n" if head else f"<P>{t}\n" for t, head in blocks(one)).translate(plain)
    text = f"""<HTML><HEAD><TITLE>{title}, by {author}</TITLE></HEAD><BODY><PRE>
The Project Gutenberg Etext of {title}, by {author}

{NOTE}

Title: {title}

Author: {author}

***START**THE SMALL PRINT!**FOR PUBLIC DOMAIN ETEXTS**START***
{NOTE * 2}
*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*
</PRE><H1>{title}</H1><P ALIGN=CENTER>by {author}
{body}<PRE>
End of The Project Gutenberg Etext of {title}, by {author}
</PRE></BODY></HTML>
"""
    return text.encode("latin-1")


def make_books(books):
    columns = "file id title author author_birth author_death language kind encoding markup_era gold relation bytes_raw source"
    table = OUT / "books/catalog.csv"
    table.parent.mkdir(exist_ok=True)
    with table.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(columns.split())
        for one in books:
            number = one["number"]
            write(f"books/gold/{number}.txt", re.sub("\n+", "\n", one["text"]) + "\n")
            for name, page, encoding, era in [
                (f"{number}.html", page_of_2022(one).encode(), "utf-8", "2022+ HTML5 pg-header"),
                (f"{number}-1998.html", page_of_1998(one), "iso-8859-1", "1990s HTML, small print"),
            ]:
                write(f"books/{name}", page)
                facts = [name, number, one["title"], one["author"], one["born"], one["died"], "en", "story", encoding, era]
                rows.writerow([*facts, f"gold/{number}.txt", "", len(page), "written for storymill"])
    names = [
        {"book": int(one["number"]), "title": one["title"], "split": "dev", "text": one["text"], "spans": one["spans"]}
        for one in books
    ]
    write("litbank/proper_names.jsonl", lines(names))


def plain_text(one):
    return f"title: {one['title']}\nauthor: {one['author']}\n\n\n" + one["text"].replace("# ", "\n\n") + "\n"


# NarrativeXL (Moskvichev and Mai, 2023): chunks of whole sentences by full stops, and when questions can be asked.


def chunks(text, most=3000):
    pieces = []
    for piece in re.findall(r"[^.]*\.|[^.]+$", text):
        while len(piece) > most:
            at = max(piece.rfind(" ", 0, most), 0) or max(piece.rfind(",", 0, most), 0) or most
            pieces.append(piece[:at])
            piece = piece[at:]
        pieces.append(piece)
    packed = [""]
    for piece in pieces:
        if len(packed[-1]) + len(piece) > most:
            packed.append("")
        packed[-1] += piece
    return packed


def questions(lengths, runs=60):
    """Counts of one run, and how often the true scene's own false retelling is a decoy, over many."""
    draw, counts, same, changes, none = random.Random(42), Counter(), 0, 0, 0
    for run in range(runs):
        for length in lengths:
            for asked in range(length):
                false = [scene for scene in range(asked + 1) for _ in range(max(1, 5 - scene))]
                is_none, truth = draw.random() < 1 / 6, draw.randrange(asked + 1)
                decoys = draw.sample(false, 5 if is_none else 4)
                changes += 1
                none += is_none
                same += not is_none and truth in decoys
                if run == 0:
                    counts["Change"] += 1
                    counts["Lookahead"] += asked <= length - 1 - (5 if draw.random() < 1 / 6 else 4)
    return {
        "book_lengths": lengths,
        "n_questions": counts,
        "none_rate": none / changes,
        "change_decoy_same_scene": [same, changes],
    }


def make_narrativexl(names):
    sha = lambda text: hashlib.sha256(text.encode()).hexdigest()
    found = {}
    for name, text in names.items():
        cut = chunks(text)
        found[name] = {
            "chars": len(text),
            "n_chunks": len(cut),
            "chunk_chars": [len(one) for one in cut],
            "chunk_words_total": sum(len(one.split()) for one in cut),
            "sha256_first3": [sha(one) for one in cut[:3]],
        }
    lengths = [50, 75, 100, 150, 200, 250, 300] * 3
    write_json("narrativexl/expected.json", {"chunks": found, "question_generator_simulation": questions(lengths)})


# Answers: SQuAD's normal form, LV-Eval's scores (Yuan et al., 2024) with its released thresholds.


def normal(text):
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def f1(prediction, reference):
    same = sum((Counter(prediction) & Counter(reference)).values())
    if not same:
        return 0.0, 0.0
    precision, recall = same / len(prediction), same / len(reference)
    return 2 * precision * recall / (precision + recall), recall


def unique_rouge(prediction, reference):
    try:
        return Rouge(metrics=["rouge-l"]).get_scores([prediction], [reference], avg=True)["rouge-l"]["f"]
    except ValueError:
        return 0.0


def gated(prediction, reference, keywords, stop, needed):
    hits = Counter(prediction) & Counter(keywords)
    share = sum(n for word, n in hits.items() if word not in stop) / len(keywords) if keywords else 1.0
    return 0.0 if share < needed else f1(prediction, reference)[0]


def english(prediction, reference, keywords):
    words, wanted = normal(prediction), normal(reference)
    score, recall = f1(words, wanted)
    gate = gated(words, wanted, normal(keywords or ""), texts.STOP_EN, 0.2)
    return score, gate, recall, unique_rouge(prediction, reference)


def chinese(prediction, reference, keywords):
    marks = set(string.punctuation) | set(texts.MARKS_ZH)
    cut = lambda text: list(jieba.cut(text))
    def words(text):
        found = ("".join(c for c in word.lower() if c not in marks and not c.isspace()) for word in cut(text))
        return [word for word in found if word]
    score, recall = f1(words(prediction), words(reference))
    gate = gated(words(prediction), words(reference), words(keywords or reference), texts.STOP_ZH, 0.4)
    twice = lambda text: " ".join(word for word in words(" ".join(cut(text))) if word not in texts.STOP_ZH)
    plain = unique_rouge(" ".join(cut(prediction)), " ".join(cut(reference)))
    return score, gate, recall, plain, unique_rouge(twice(prediction), twice(reference)), cut(prediction), cut(reference)


def make_answers():
    scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=False)
    rows, sums = [], Counter()
    for at, (question, reference, prediction) in enumerate(texts.ANSWERS):
        plain, gate, recall, rouge = english(prediction, reference, reference)
        exact = normal(prediction) == normal(reference)
        special = {"yes", "no", "noanswer"}
        ends = " ".join(normal(prediction)), " ".join(normal(reference))
        hotpot = plain if ends[0] == ends[1] or not special & set(ends) else 0.0
        google = scorer.score(reference, prediction)["rougeL"].fmeasure
        names = ["em", "f1", "rougeL", "lveval_f1", "lveval_f1_kw", "lveval_rougeL", "lveval_recall"]
        exact_values = dict(zip(names, [float(exact), hotpot, google, plain, gate, rouge, recall]))
        sums.update(exact_values)
        expected = {name: round(value, PLACES) for name, value in exact_values.items()}
        rows.append({"document_id": "made", "qi": at, "question": question, "reference": reference, "prediction": prediction, "expected": expected})
    write("narrativeqa/answer_pairs.jsonl", lines(rows))
    means = {name: {"mean": round(value / len(rows), PLACES), "n": len(rows)} for name, value in sums.items()}
    write_json("narrativeqa/expected.json", {"rows": len(rows), "means": means})

    cases = []
    for language, prediction, answer, keywords in texts.CASES:
        row = {"lang": language, "prediction": prediction, "answer": answer, "answer_keywords": keywords}
        if language == "en":
            score, gate, recall, rouge = english(prediction, answer, keywords)
            expected = {"qa_f1_score": score, "qa_f1_score_with_gold_ans": gate, "recall_en": recall, "rouge_score": rouge}
        else:
            score, gate, recall, rouge, filtered, *cut = chinese(prediction, answer, keywords)
            row |= {"tokens_prediction": cut[0], "tokens_answer": cut[1]}
            expected = {"qa_f1_zh_score": score, "qa_f1_zh_score_with_gold_ans": gate, "recall_zh": recall}
            expected |= {"rouge_zh_score": rouge, "rouge_zh_score_blacklist": filtered}
        cases.append(row | {"expected": {name: round(value, PLACES) for name, value in expected.items()}})
    write("lveval/metric_cases.jsonl", lines(cases))
    lists = {"blacklist_en": texts.STOP_EN, "blacklist_zh": texts.STOP_ZH, "punctuation_zh": texts.MARKS_ZH}
    write_json("lveval/wordlists.json", {"source": "made for these tests", **lists})


# Claims (Karpinska et al., 2024): labels by the paper's appendix D; a pair is right where both claims are.


def make_claims(names):
    rows = []
    for at, (book, true, false, why, answers) in enumerate(texts.CLAIMS):
        title = list(names)[book]
        for half, claim in ((True, true), (False, false)):
            row = {"book_title": title, "claim": claim, "type": half, "index": at + 1, "false-claim-explanation": why}
            row |= {"length": len(names[title].split()), "genre": "historical", "publication_year": "new", "length_group": "below 75k"}
            for system, pair in zip(texts.SYSTEMS, answers):
                row[system] = texts.SAID[pair[0 if half else 1]].format(claim=claim)
            rows.append(row)
    write_json("nocha/data_sample_shared.json", rows)
    label = {"T": "true", "F": "false", "t": "true", "f": "false", "n": "false", "?": "fail", "-": None}

    def counts(system, kept):
        at = texts.SYSTEMS.index(system)
        pairs = [[label[said] for said in one[4][at]] for one in kept]
        pairs = [pair for pair in pairs if None not in pair]
        right = [(true == "true", false == "false") for true, false in pairs]
        return {
            "pairs_correct": sum(map(all, right)), "pairs_total": len(right),
            "true_correct": sum(true for true, _ in right), "true_total": len(right),
            "false_correct": sum(false for _, false in right), "false_total": len(right),
        }

    order = lambda at: {"labels_in_row_order": [label[said] for one in texts.CLAIMS for said in one[4][at]]}
    write_json("nocha/expected.json", {
        "rows": len(rows), "pairs": len(texts.CLAIMS),
        "common": {"of": texts.SYSTEMS[:2], "pairs": sum("-" not in "".join(one[4][:2]) for one in texts.CLAIMS)},
        "all_books_in_file": {s: counts(s, texts.CLAIMS) | order(at) for at, s in enumerate(texts.SYSTEMS)},
        "per_book": {
            name: {s: counts(s, [one for one in texts.CLAIMS if one[0] == book]) for s in texts.SYSTEMS}
            for book, name in enumerate(names)
        },
    })
    broken = [
        {"fault": fault, "id": f"broken/{at + 1:02}", "book": list(names)[book], "true_claim": true, "false_claim": false}
        for at, (fault, book, true, false) in enumerate(texts.BROKEN)
    ]
    write("nocha/broken.jsonl", lines(broken))
    for name, text in names.items():
        write(f"nocha/books/{name}.txt", text)


# Faithfulness (Subbiah et al., 2024): judges of summaries; the threshold of a score is the best of 150 on `val`.


def part(truth, said, level):
    tn, fp, fn, tp = (int(n) for n in confusion_matrix(truth, said, labels=[0, 1]).ravel())
    caught = lambda of: 100 - 100 * sum(s for s, l in zip(said, level) if l == of) / level.count(of)
    return {
        "n": len(truth), "tp": tp, "fp": fp, "fn": fn, "tn": tn,
        "kappa": round(cohen_kappa_score(truth, said), 2), "pct_faithful": round(100 * sum(said) / len(said)),
        "precision": round(precision_score(truth, said), 2), "recall": round(recall_score(truth, said), 2),
        "easy_detected": round(caught("easy"), 1), "hard_detected": round(caught("hard"), 1),
        "bal_acc": round(100 * balanced_accuracy_score(truth, said), 1),
    }


def make_faithfulness():
    labels, summaries = {}, texts.SUMMARIES
    for at, (split, model, level, sentences, errors, claims) in enumerate(summaries):
        summary = texts.RETELLING[:sentences]
        labels[f"s{at:02}"] = {
            "label": int(not level), "difficulty": level, "summary": summary, "errors": errors, "story-id": at // 4 + 1,
            "explanations": ["It is told otherwise."] * errors.count(0), "claims": texts.RETELLING[:claims], "split": split, "model": model,
        }
    write_json("storysumm/labels.json", labels)
    ids, of = list(labels), lambda field: [one[field] for one in labels.values()]
    tally = lambda kept: {"n": len(kept), "faithful": sum(not k for k in kept), "easy": kept.count("easy"), "hard": kept.count("hard")}
    defects = {"summary_and_errors_length_differ": [], "label_0_but_no_zero_sentence": [], "explanations_without_zero": []}
    for name, one in labels.items():
        if len(one["summary"]) != len(one["errors"]):
            defects["summary_and_errors_length_differ"].append(f"{name}: {len(one['summary'])} sentences, {len(one['errors'])} labels")
        if one["label"] == 0 and 0 not in one["errors"]:
            defects["label_0_but_no_zero_sentence"].append(name)
    levels, splits, models = of("difficulty"), of("split"), of("model")
    dataset = {
        "summaries": len(ids), "stories": len(set(of("story-id"))), "per_split": Counter(splits), "faithful": levels.count(""),
        "easy": levels.count("easy"), "hard": levels.count("hard"),
        "faithful_by_split": Counter(s for s, l in zip(splits, levels) if not l),
        "by_model": {m: tally([l for l, own in zip(levels, models) if own == m]) for m in sorted(set(models))},
        "sentences": sum(map(len, of("summary"))), "sentence_labels": sum(map(len, of("errors"))),
        "sentence_label_zeros": sum(e.count(0) for e in of("errors")), "claims": sum(map(len, of("claims"))), "known_defects": defects,
    }
    evaluators, truth = {}, of("label")
    for judge, said in texts.JUDGES.items():
        if all(isinstance(one, int) for one in said):
            write_json(f"storysumm/predicted_labels/{judge}.json", {i: {"label": one} for i, one in zip(ids, said)})
            evaluators[judge] = part(truth, said, levels)
            continue
        write_json(f"storysumm/predicted_labels/{judge}.json", {i: {"probs": one} for i, one in zip(ids, said)})
        inside = lambda split, values: [v for v, s in zip(values, splits) if s == split]
        grid = [at / 149 for at in range(150)]
        accuracy = lambda at: balanced_accuracy_score(inside("val", truth), [int(v >= at) for v in inside("val", said)])
        best = max(grid, key=accuracy)
        above = [int(v > best) for v in said]
        parts = {s: part(inside(s, truth), inside(s, above), inside(s, levels)) for s in ("val", "test")}
        evaluators[judge] = {"threshold": best, **parts}
    write_json("storysumm/expected.json", {"dataset": dataset, "evaluators": evaluators})


def main():
    books = [book("90001"), book("90002")]
    names = {"the_lamp_on_gull_rock": plain_text(books[0]), "a_debt_in_rye_street": plain_text(books[1])}
    make_books(books)
    make_narrativexl(names)
    make_answers()
    make_claims(names)
    make_faithfulness()
    llm.make(OUT, lines, write)


if __name__ == "__main__":
    main()
