/**
 * @file One fault of every code, as the line that it must print.
 */
import type { ErrorCode, Fault } from '../../src/errors/index.js';

const LINES = `
E_ARGUMENT "maxSize" batchWithin: a batch size is a positive integer; expected an integer ≥ 1, got 0 (use 1 for no batching)
E_FEED "x": every input needs a feed; expected a feed of shape [n, 784], got feeds of w (add x to the feeds)
E_GRADIENT "argmax#3" argmax: an op on the way to the target needs a gradient rule; expected a differentiable op, got argmax (stop the gradient before it)
E_BACKEND "gpu": a backend must be installed; expected the package gpu.js, got no such package (npm install gpu.js)
E_STALE "y": a borrowed tensor is read only inside its frame; expected frame 7, got frame 9 (copy it in time)
E_PARSE "model.json": a value follows a colon; expected a value, got } (check line 3)
E_LIMIT "model.json": a document has a limited depth; expected at most 64, got 65 (raise limits.depth)
E_GRAPH "node 4" relu: an input is the output of another node; expected a tensor below 9, got 12 (check the index)
E_CYCLE "a": a graph does not depend on itself; expected no path from a to a, got a → b → a (cut one edge)
E_NAME "toString#": an output has one name; expected a name used once, got a name used twice (rename one of them)
E_SHAPE "scores" einsum "ij,jk->ik": index j must have one size; expected j = 128, got j = 256 (transpose w)
E_DTYPE "mask" where: the condition is boolean; expected bool, got float32 (compare it with 0)
E_OP "z" softplusx: an op has a known name; expected one of the 90 ops, got softplusx (did you mean softplus)
E_OOM "tensor": memory for the elements must be available; expected 512 MiB, got 1 GiB (use a smaller batch)
E_TIMEOUT "y" matmul: a node ends within its time; expected 100 ms, got 250 ms (raise the timeout)
E_ABORT "run": a cancelled run gives nothing more; expected a live signal, got aborted (start a new run)
E_QUEUE_FULL "requests": a queue holds a limited number of items; expected at most 32, got 33 (choose another overflow policy)
E_EXPIRED "request 17": a request is served before its deadline; expected by 100 ms, got at 130 ms (allow more time)
E_WORKER_LOST "worker 2": a worker lives while it holds work; expected a reply, got exit code 7 (retry on another worker)
E_KERNEL "y" relu: a kernel writes every element; expected 32 elements, got 16 elements (quarantine the backend)
E_CONSUMER "middleware[0]": a callback does not throw; expected a step, got RangeError: boom (catch it inside the callback)
E_DEMAND "grant": demand is a positive integer; expected an integer ≥ 1, got NaN (grant at least one)
E_TEARDOWN "pool": a teardown does not throw; expected a return, got Error: boom (see the cause)
E_CKPT_CORRUPT "step-10.ckpt": the checksum of a section matches; expected crc 0x1234, got crc 0x4321 (use an older checkpoint)
E_CKPT_VERSION "step-10.ckpt": a checkpoint is of a known version; expected at most 1, got 2 (update the library)
E_CKPT_IO "step-10.ckpt": a checkpoint can be written; expected a free disk, got ENOSPC (free some space)
E_NODE_LOST "rank 1" allReduce: every rank takes part; expected 4 ranks, got 3 ranks (restart from the checkpoint)
E_PARTITION "ranks 2, 3": a majority can be reached; expected 3 of 4 ranks, got 2 of 4 ranks (wait for the network)
E_BACKEND_LOST "gpu": a device stays while it is used; expected a live context, got a lost context (run again)
E_CODEGEN "kernel 3" scan: a backend renders every op; expected an op of the gpu backend, got scan (allow the fallback)
E_NUMERIC "q" matmulInteger: an accumulator does not overflow; expected K of at most 131071, got K = 131072 (split the sum)
E_CALIBRATION "act": an observer has seen data; expected at least one batch, got no batch (feed calibration data)
`;

/** The parts of such a line: code, place, op, rule, expected, actual, hint. */
const PARTS = /^(\w+) "([^"]*)"(?: (.+?))?: (.+); expected (.+), got (.+) \((.+)\)$/;

export interface Row {
  readonly code: ErrorCode;
  readonly given: Fault;
  /** What the error must print, behind its code. */
  readonly line: string;
}

export const FAULTS: readonly Row[] = LINES.trim()
  .split('\n')
  .map((text) => {
    const [, code, place, op, rule, expected, actual, hint] = PARTS.exec(text)!;
    return {
      code: code as ErrorCode,
      given: { place, op, rule: rule, expected, actual, hint },
      line: text.slice(code.length + 1),
    };
  });
