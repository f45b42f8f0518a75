"""Shards on the nodes of a Ray cluster: started, waited for, stopped; and what a lost node means."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time

# A node that is cut off says nothing. By itself Ray waits seven minutes for what runs there, though it knows the node for dead.
os.environ.setdefault("RAY_grpc_client_keepalive_time_ms", "10000")
os.environ.setdefault("RAY_grpc_client_keepalive_timeout_ms", "20000")
import ray  # noqa: E402

# Other nodes need not have this file.
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])


def run_shard(command):
    """Runs a shard on the node that Ray chose: its exit code, its last line, and what it said if it failed."""

    def die_with_worker():
        # A worker that is killed takes its shard along; else it would go on unseen.
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGTERM)

    with tempfile.TemporaryFile("w+") as told, tempfile.TemporaryFile("w+") as said:
        # A session of its own: Ctrl-C comes through the driver, once.
        options = {"preexec_fn": die_with_worker} if sys.platform == "linux" else {}
        shard = subprocess.Popen(command, stdout=told, stderr=said, start_new_session=True, **options)
        try:
            # What Ray cancels learns of it between two looks, and not while it waits for a line.
            while shard.poll() is None:
                time.sleep(0.1)
        except BaseException:
            shard.send_signal(signal.SIGINT)
            shard.wait()
        told.seek(0)
        said.seek(0)
        events = [line for line in told if line.startswith("{")]
        return shard.returncode, json.loads(events[-1] if events else "{}"), said.read()[-2000:]


class Cluster:
    """What the driver knows of Ray. `simulate.py` has another one, with a clock of its own."""

    def __init__(self, address):
        ray.init(address=address, log_to_driver=False, logging_level="error")
        self.now = time.time

    def cpus(self):
        return ray.cluster_resources().get("CPU", 1)

    def start(self, command, wants):
        """Hands a shard to Ray. The labels `models` and `tagger` hold where some node has them (`ray start --resources`)."""
        known = ray.cluster_resources()
        labels = {"models": wants["models"], "tagger": wants["taggers"]}
        labels = {name: 1 for name, wanted in labels.items() if wanted and name in known}
        resources = {"num_cpus": wants["cpus"], "memory": wants["memory_mib"] << 20, "resources": labels}
        return ray.remote(run_shard).options(max_retries=0, **resources).remote(command)

    def wait(self, tasks, seconds):
        """The tasks that have ended, as soon as there are any, and after so many seconds at the latest."""
        if not tasks:
            time.sleep(seconds)
        return ray.wait(tasks, timeout=seconds)[0] if tasks else []

    def result(self, task):
        """What `run_shard` says of a task that has ended; without a code if its node or worker is gone."""
        try:
            return ray.get(task)
        except ray.exceptions.RayError as error:
            return None, {}, str(error)

    def stop(self, tasks):
        """As Ctrl-C stops a build: each writes what it has."""
        for task in tasks:
            ray.cancel(task)
        if tasks:
            ray.wait(tasks, num_returns=len(tasks), timeout=60)
