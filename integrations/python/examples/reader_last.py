"""A reader that remembers the last scenes alone.

storymill evaluate FOLDER --reader "python reader_last.py --scenes 3 --mock"
"""

from collections import deque
from typing import Deque, List

from reader import arguments, serve


class LastScenes:
    def __init__(self, scenes: int) -> None:
        self.scenes: Deque[str] = deque(maxlen=scenes)

    def reset(self) -> None:
        self.scenes.clear()

    def read(self, scene: int, text: str) -> None:
        self.scenes.append(text)

    def excerpt(self, question: str, options: List[str]) -> str:
        return "".join(self.scenes)


if __name__ == "__main__":
    parser = arguments("remembers the last scenes")
    parser.add_argument("--scenes", type=int, default=3, help="how many")
    args = parser.parse_args()
    serve(LastScenes(args.scenes), f"last-{args.scenes}" + (" mock" if args.mock else ""), args)
