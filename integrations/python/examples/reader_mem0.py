"""Mem0 (`pip install mem0ai`) as a reader: its model draws memories from each scene, and a search finds those of a question.

storymill evaluate FOLDER --reader "python reader_mem0.py --url http://127.0.0.1:8080/v1 --model small --embeddings nomic"
"""

import hashlib
import json
import os
import re
import tempfile
from typing import Any, List

from reader import arguments, serve

SIZE = 256
# Nothing is sent to its makers, and nothing is kept between runs.
os.environ["MEM0_TELEMETRY"] = "False"
folder = tempfile.TemporaryDirectory()
os.environ["MEM0_DIR"] = folder.name

from mem0 import Memory  # noqa: E402
from mem0.embeddings.base import EmbeddingBase  # noqa: E402
from mem0.llms.base import LLMBase  # noqa: E402


class Sentences(LLMBase):
    """In place of a model: each sentence of a scene is a memory."""

    scene = ""

    def generate_response(self, messages: Any, **_: Any) -> str:
        return json.dumps({"memory": [{"text": one} for one in re.split(r"(?<=[.!?])\s+", self.scene) if one.strip()]})


class Hashed(EmbeddingBase):
    """In place of a model of embeddings: which words there are, by a hash of each."""

    def embed(self, text: str, memory_action: Any = None) -> List[float]:
        vector = [0.0] * SIZE
        for word in re.findall(r"\w{3,}", text.lower()):
            vector[int(hashlib.sha256(word.encode()).hexdigest(), 16) % SIZE] += 1.0
        length = sum(one * one for one in vector) ** 0.5 or 1.0
        return [one / length for one in vector]


class Mem0:
    def __init__(self, args: Any) -> None:
        self.books, self.most = 0, args.memories
        server = {"openai_base_url": args.url, "api_key": os.environ.get("OPENAI_API_KEY", "none")}
        store = {"path": os.path.join(folder.name, "qdrant"), "embedding_model_dims": SIZE if args.mock else args.size}
        self.memory = Memory.from_config({
            "llm": {"provider": "openai", "config": {**server, "model": args.model}},
            "embedder": {"provider": "openai", "config": {**server, "model": args.embeddings, "embedding_dims": args.size}},
            "vector_store": {"provider": "qdrant", "config": store},
            "history_db_path": os.path.join(folder.name, "history.db"),
        })
        if args.mock:
            self.memory.llm, self.memory.embedding_model = Sentences(), Hashed()

    def reset(self) -> None:
        # A user for each book, so that none remembers another one.
        self.memory.delete_all(user_id=f"book-{self.books}")
        self.books += 1

    def read(self, scene: int, text: str) -> None:
        Sentences.scene = text
        self.memory.add([{"role": "user", "content": text}], user_id=f"book-{self.books}")

    def excerpt(self, question: str, options: List[str]) -> str:
        user = {"user_id": f"book-{self.books}"}
        found = [self.memory.search(one, filters=user, top_k=self.most) for one in options or [question]]
        texts = [memory["memory"] for one in found for memory in one["results"]]
        return "\n\n".join(dict.fromkeys(texts))


if __name__ == "__main__":
    parser = arguments("memories of Mem0")
    parser.add_argument("--memories", type=int, default=5, help="how many for each option")
    parser.add_argument("--embeddings", default="default", help="the model of embeddings at the same endpoint")
    parser.add_argument("--size", type=int, default=1536, help="the numbers in one of its embeddings")
    args = parser.parse_args()
    serve(Mem0(args), "mem0" + (" mock" if args.mock else ""), args)
