"""A reader that keeps all that it read before its model.

storymill evaluate FOLDER --reader "python reader_full.py --url http://127.0.0.1:8080/v1 --model small"
"""

from typing import List

from reader import arguments, serve


class FullContext:
    def reset(self) -> None:
        self.scenes: List[str] = []

    def read(self, scene: int, text: str) -> None:
        self.scenes.append(text)

    def excerpt(self, question: str, options: List[str]) -> str:
        return "".join(self.scenes)


if __name__ == "__main__":
    args = arguments("keeps all that it read").parse_args()
    serve(FullContext(), "full-context" + (" mock" if args.mock else ""), args)
