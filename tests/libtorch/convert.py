"""Writes the weights of data/models/litner/litner.onnx as a folder that the tagger `rust-bert` reads.

    python convert.py litner.onnx vocab.txt FOLDER

The folder gets config.json, vocab.txt and model.safetensors. Weights are 8-bit numbers in the ONNX file and plain
floats here, so what the model says is nearly, but not exactly, the same.
"""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from safetensors.numpy import save_file

LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
HEADS = 12


def main(model, vocabulary, folder):
    graph = onnx.load(model).graph
    known = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    readers = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)

    def plain(name):
        scale, zero = known[name + "_scale"], known[name + "_zero_point"]
        number = known[name + "_quantized"].astype(np.float32)
        return (number - zero.astype(np.float32)) * scale

    def bias_behind(node):
        """The bias that is added to what a node gives: it says which layer this is."""
        for reader in readers[node.output[0]]:
            if reader.op_type == "Add":
                return next(name for name in reader.input if name in known)
            if reader.op_type in ("Cast", "Mul"):
                return bias_behind(reader)
        raise SystemExit(f"nothing is added behind {node.name}")

    weights = {name: array for name, array in known.items() if name.endswith((".bias", "LayerNorm.weight"))}
    for name in known:
        if name.startswith("bert.embeddings.") and name.endswith(".weight_quantized"):
            name = name.removesuffix("_quantized")
            weights[name] = plain(name)
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            name = bias_behind(node).removesuffix(".bias") + ".weight"
            weights[name] = plain(node.input[1].removesuffix("_quantized")).T
    words, hidden = weights["bert.embeddings.word_embeddings.weight"].shape
    layers = 1 + max(int(name.split(".")[3]) for name in weights if name.startswith("bert.encoder."))
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "attention_probs_dropout_prob": 0.1,
        "hidden_dropout_prob": 0.1,
        "initializer_range": 0.02,
        "hidden_size": hidden,
        "intermediate_size": len(weights["bert.encoder.layer.0.intermediate.dense.bias"]),
        "max_position_embeddings": len(weights["bert.embeddings.position_embeddings.weight"]),
        "num_attention_heads": HEADS,
        "num_hidden_layers": layers,
        "type_vocab_size": len(weights["bert.embeddings.token_type_embeddings.weight"]),
        "vocab_size": words,
        "id2label": {str(at): label for at, label in enumerate(LABELS)},
        "label2id": {label: at for at, label in enumerate(LABELS)},
    }
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: np.ascontiguousarray(array, dtype=np.float32) for name, array in weights.items()}
    save_file(weights, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    shutil.copyfile(vocabulary, folder / "vocab.txt")
    print(f"{folder}: {len(weights)} tensors, {layers} layers")


main(*sys.argv[1:])
