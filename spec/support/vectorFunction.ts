/**
 * @file One vector function of the WebAssembly backend as a function of typed arrays, for comparison with JavaScript.
 */
import { brIf, i32, loop, v128 } from '../../src/codegen/render/wasm/instructions.js';
import type { Code } from '../../src/codegen/render/wasm/bytes.js';
import type { Target } from '../../src/codegen/render/wasm/kernel.js';
import { moduleBytes, type Local, type Scope } from '../../src/codegen/render/wasm/module.js';

/** Elements in one call at most. */
export const BLOCK = 1 << 16;
const ROOM = BLOCK * 8;

type Build = (scope: Scope, operands: readonly Local[], target: Target) => Code;
type Words = Float32Array | Float64Array | Int32Array;

/** Applies `build` to whole vectors of `operands`, whose length is a multiple of 4 and at most `BLOCK`. */
export function vectorFunction<T extends Words>(arity: number, target: Target, build: Build): (...operands: readonly T[]) => T {
  const memory = new WebAssembly.Memory({ initial: (ROOM * (arity + 1)) / 65536, maximum: target.memory.maximumPages });
  const source = {
    memory: target.memory,
    functions: [
      {
        name: 'run',
        params: ['i32'] as const,
        body: (scope: Scope) => {
          const at = scope.local('i32');
          const operands = Array.from({ length: arity }, () => scope.local('v128'));
          return loop(
            operands.map((operand, k) => operand.set(v128.load(at.get, { offset: k * ROOM }))),
            v128.store(at.get, build(scope, operands, target), { offset: arity * ROOM }),
            brIf(0, i32.lt_u(at.tee(i32.add(at.get, i32.const(16))), scope.param(0).get)),
          );
        },
      },
    ],
  };
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes(source)), { env: { memory } }).exports;
  return (...operands) => {
    const [{ length, byteLength }] = operands;
    const view = (k: number): T =>
      new (operands[0].constructor as new (b: ArrayBuffer, at: number, n: number) => T)(memory.buffer, k * ROOM, length);
    operands.forEach((operand, k) => view(k).set(operand));
    (run as (bytes: number) => void)(byteLength);
    return view(arity).slice() as T;
  };
}
