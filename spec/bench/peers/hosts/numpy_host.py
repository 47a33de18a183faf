"""NumPy in a process of its own: requests come on standard input, answers go to file 3 (see protocol.ts)."""
import ctypes
import json
import os
import sys
import time

import numpy as np

f32 = np.float32
answers = os.fdopen(3, "w")


def say(answer):
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def blas():
    """Which file computes matrix products, as this process has mapped it; for OpenBLAS the kernels that it chose, too."""
    np.ones((2, 2), f32) @ np.ones((2, 2), f32)
    with open("/proc/self/maps") as maps:
        files = sorted({os.path.realpath(line.split()[-1]) for line in maps if "blas" in line})
    for name in files:
        if "openblas" in os.path.basename(name):
            core = ctypes.CDLL(name).openblas_get_corename
            core.restype = ctypes.c_char_p
            return f"{os.path.basename(name)} ({core().decode()})"
    return ", ".join(os.path.basename(name) for name in files)


def chain(x, out, block=16384):
    """Block by block, in place: values stay in the cache between the ops."""
    for start in range(0, x.size, block):
        y = out[start : start + block]
        np.multiply(x[start : start + block], f32(1.5), out=y)
        np.add(y, f32(0.25), out=y)
        np.negative(y, out=y)
        np.exp(y, out=y)
        np.add(y, f32(1), out=y)
        np.reciprocal(y, out=y)
        np.tanh(y, out=y)
        np.maximum(y, f32(0), out=y)
        np.exp(y, out=y)
        np.minimum(y, f32(2), out=y)
        np.add(y, f32(0.5), out=y)
    return out


def softmax(x, out=None):
    out = np.subtract(x, x.max(-1, keepdims=True), out=out)
    np.exp(out, out=out)
    out /= out.sum(-1, keepdims=True)
    return out


def perceptron(x, w1, b1, w2, b2, w3, b3):
    first = np.maximum(x @ w1 + b1, 0)
    second = np.maximum(first @ w2 + b2, 0)
    return softmax(second @ w3 + b3)


def training(x, y, **start):
    """Steps of gradient descent, each from where the one before came to; `values` are those of a new beginning (see trained.ts)."""
    learned = ["w1", "b1", "w2", "b2", "w3", "b3"]
    params = {name: start[name].copy() for name in learned}

    def step(p):
        first = np.maximum(x @ p["w1"] + p["b1"], 0)
        second = np.maximum(first @ p["w2"] + p["b2"], 0)
        d3 = (softmax(second @ p["w3"] + p["b3"]) - y) / f32(len(x))
        d2 = (d3 @ p["w3"].T) * (second > 0)
        d1 = (d2 @ p["w2"].T) * (first > 0)
        slopes = [x.T @ d1, d1.sum(0), first.T @ d2, d2.sum(0), second.T @ d3, d3.sum(0)]
        for name, slope in zip(learned, slopes):
            p[name] -= f32(0.1) * slope

    def values():
        fresh = {name: start[name].copy() for name in learned}
        for _ in range(5):
            step(fresh)
        return fresh["w2"]

    return lambda: step(params), values


def three_operands(a, b, c):
    pairs = (b[:, None, :] * c[None, :, :]).reshape(4096, 64)
    return a.reshape(64, 4096) @ pairs


def tiny(x, a, b):
    y = x
    for _ in range(3):
        y = np.maximum(y * a + b, 0)
    return y + a


def closure(r):
    for _ in range(8):
        r = np.maximum(r, np.minimum(r @ r, f32(1)))
    return r


def transposed(x, out):
    np.copyto(out, x.transpose(2, 1, 0))
    return out


WITH_OUT = {
    "mm": lambda d, out: np.matmul(d["a"], d["b"], out=out),
    "ew": lambda d, out: chain(d["x"], out),
    "softmax": lambda d, out: softmax(d["x"], out),
    "perm": lambda d, out: transposed(d["x"], out),
}
JOBS = {
    "attn": lambda d: d["q"] @ d["k"].swapaxes(-1, -2),
    "ein3": lambda d: three_operands(**d),
    "join3": lambda d: d["a"] @ d["b"] @ d["c"],
    "red0": lambda d: d["x"].sum(0),
    "red1": lambda d: d["x"].sum(1),
    "redall": lambda d: d["x"].sum(),
    "redmax": lambda d: d["x"].max(),
    "mlp1": lambda d: perceptron(**d),
    "mlp64": lambda d: perceptron(**d),
    "tiny": lambda d: tiny(**d),
    "closure": lambda d: closure(**d),
}


def job_of(name, operands):
    """What is timed, and what gives the values to compare; None where there is no such job."""
    for prefix, compute in WITH_OUT.items():
        if name.startswith(prefix):
            out = np.empty_like(next(iter(operands.values())))
            return (lambda: compute(operands, out),) * 2
    if name == "train64":
        return training(**operands)
    compute = JOBS.get(name)
    return compute and (lambda: compute(operands),) * 2


def distance(values, expected):
    values = np.ravel(values())
    if values.shape != expected.shape:
        return float("inf")
    largest = float(np.abs(values - expected).max())
    return largest if largest == largest else float("inf")


def main():
    job = expected = None
    say({"about": f"{np.__version__}, {blas()}", "version": sys.version.split()[0]})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["do"] == "setup":
                prefix = f"{request['folder']}/{request['id']}."
                operands = {
                    name: np.fromfile(f"{prefix}{name}.f32", f32).reshape(shape)
                    for name, shape in request["shapes"].items()
                }
                expected = np.fromfile(f"{prefix}expected.f32", f32)
                job = job_of(request["id"], operands)
                say({"unsupported": True} if job is None else {"distance": distance(job[1], expected)})
            elif request["do"] == "check":
                say({"distance": distance(job[1], expected)})
            elif request["do"] == "run":
                run, _ = job
                cpu, wall = time.process_time(), time.perf_counter()
                for _ in range(request["times"]):
                    run()
                say({"wall": (time.perf_counter() - wall) * 1e3, "cpu": (time.process_time() - cpu) * 1e3})
            else:
                job = expected = operands = None
                say({})
        except Exception as error:
            say({"failed": repr(error)[:1000]})


main()
