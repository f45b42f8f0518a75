"""A `storymill` that serves pages, and a browser in front of it."""

import os
import re
import signal
import subprocess
import time


class App:
    """A server that is running: `view` or any other command that prints its first address."""

    def __init__(self, program, args, folder):
        begun = time.monotonic()
        self.process = subprocess.Popen(
            [program, *args], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        line = self.process.stdout.readline().strip()
        self.seconds_to_address = time.monotonic() - begun
        if not line.startswith("http://127.0.0.1:"):
            raise SystemExit(f"{args}: no address: {line}\n{self.process.stderr.read()}")
        self.address = line
        self.origin = re.match(r"http://[^/]+", line).group(0)
        self.base = None

    def enter(self, page):
        """Goes in; from then on `open` leads to pages."""
        page.goto(self.address)
        self.base = page.url
        assert self.base.endswith("/"), self.base

    def open(self, page, path):
        """Opens the page at a path below the base and says what status it has."""
        # Another place of the same page would not be loaded anew.
        page.goto("about:blank")
        response = page.goto(self.base + path)
        page.wait_for_load_state("load")
        return response.status

    def kill(self):
        """Ends it as `kill -9` does."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()


def built(program, args, folder):
    """Runs a command that has to end well."""
    ran = subprocess.run([program, *args], cwd=folder, capture_output=True, text=True)
    if ran.returncode not in (0, 5):
        raise SystemExit(f"{args}: {ran.returncode}\n{ran.stdout}\n{ran.stderr}")
    return ran.stdout


def chromium():
    for path in ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]:
        if os.path.exists(path):
            return path
    raise SystemExit("no chromium here: apt-get install chromium")
