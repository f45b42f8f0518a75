"""Serves a GGUF model on loopback, as OpenAI's chat completions: serve.py MODEL.gguf PORT."""
import signal
import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.port = int(sys.argv[2])
params.hostnames = ["127.0.0.1"]
params.n_ctx = 4096
params.n_parallel = 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 2
# No busy waiting: the cores are shared with the build.
params.cpuparams.poll = params.cpuparams_batch.poll = 0
params.model_alias = {"smollm2"}
params.offline = True
params.cache_ram_mib = 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
signal.pause()
