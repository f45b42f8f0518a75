#!/usr/bin/env bash
# Makes FOLDER/libtorch out of PyPI's wheel of torch 2.4.0: what the cargo feature `rust-bert` is built and run with.
# Only the processor's part is linked; of CUDA the wheel's libtorch_cpu wants two small libraries. Linux, x86-64.
# Usage: fetch.sh FOLDER
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
python3 -m venv "$folder/venv"
# The wheel is for one Python, but no Python runs it here.
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.11 \
  --target "$folder/wheels" --upgrade torch==2.4.0 nvidia-cuda-runtime-cu12==12.1.105 nvidia-cuda-cupti-cu12==12.1.105
wheels=$folder/wheels libtorch=$folder/libtorch
mkdir -p "$libtorch/lib"
ln -sfn "$wheels/torch/include" "$libtorch/include"
ln -sf "$wheels"/torch/lib/{libtorch_cpu.so,libc10.so,libgomp-*} "$libtorch/lib/"
ln -sf "$wheels/nvidia/cuda_runtime/lib/libcudart.so.12" "$wheels/nvidia/cuda_cupti/lib/libcupti.so.12" "$libtorch/lib/"
ln -sf "$wheels/torch/lib/libtorch_cpu.so" "$libtorch/lib/libtorch.so"
echo 2.4.0 > "$libtorch/build-version"
for name in libtorch_cpu.so libc10.so libcudart.so.12 libcupti.so.12; do
  [ -e "$libtorch/lib/$name" ] || { echo "the wheels have no $name" >&2; exit 1; }
done
echo "$libtorch"
