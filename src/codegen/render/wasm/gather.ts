/**
 * @file Gather as WebAssembly: rows copied whole where the axes behind the gathered one lie together, elements elsewhere.
 *
 * `run` returns 0, or the byte address of the first index that is outside; what lies behind it is not written then.
 */
import type { GatherIR } from '../../ir.js';
import type { Code } from './bytes.js';
import { f64, i32, memoryCopy, when } from './instructions.js';
import type { Target, WasmKernel } from './kernel.js';
import { LOG_BYTES } from './lanes.js';
import type { Scope } from './module.js';
import { moveOf } from './plan.js';
import { openWalk, overAxes, walkWords, type Structure, type Walk } from './walk.js';

const DATA = 0;
const INDEX = 1;
const OUTPUT = 2;
const returns: Code = 0x0f;

export function renderGather(ir: GatherIR, target: Target): WasmKernel {
  const accesses = [ir.data, ir.index, ir.output];
  const dtypes = accesses.map(({ dtype }) => dtype);
  const structure: Structure = {
    dtypes,
    moves: accesses.map(({ strides }) => strides.map(moveOf)),
    rank: ir.extents.length,
  };
  const step = ir.step * 2 ** LOG_BYTES[ir.data.dtype];
  return {
    key: ['gather', ...dtypes, ...structure.moves.map((moves) => moves.join(' '))].join('|'),
    source: () => ({
      memory: target.memory,
      functions: [{ name: 'run', params: ['i32'], results: ['i32'], body: (scope) => gatherBody(structure, scope) }],
    }),
    words: [
      ...walkWords(
        // Where there is nothing to write no index is met, so none is outside.
        ir.extents.includes(0) ? ir.extents.map(() => 0) : ir.extents,
        accesses.map(({ strides }) => strides),
        dtypes,
        ir.size,
      ),
      step,
    ],
    scratch: 0,
  };
}

function gatherBody(structure: Structure, scope: Scope): Code {
  const { walk, code } = openWalk(structure, scope);
  const { rank, moves } = structure;
  const size = walk.count;
  const stepAt = structure.dtypes.length + 1 + rank * (1 + structure.dtypes.length) + 1;
  const step = i32.load(scope.param(0).get, { offset: 4 * stepAt, align: 2 });
  const last = rank - 1;
  const areRows = rank > 0 && moves[INDEX][last] === 'still' && moves[DATA][last] === 'unit' && moves[OUTPUT][last] === 'unit';
  const axes = Array.from({ length: areRows ? last : rank }, (_, axis) => axis);
  const at = scope.local('i32');
  const chosen = (): Code => [
    at.set(i32.load(walk.pointers[INDEX].get)),
    when(i32.lt_s(at.get, i32.const(0)), at.set(i32.add(at.get, size))),
    // Unsigned, so that what is still negative is outside too.
    when(i32.ge_u(at.get, size), [walk.pointers[INDEX].get, returns]),
    copy(walk, i32.add(walk.pointers[DATA].get, i32.mul(at.get, step)), areRows ? last : undefined),
  ];
  return [code, overAxes(walk, axes, chosen), i32.const(0)];
}

/** One element, or a row of as many as `axis` has. */
function copy(walk: Walk, from: Code, axis: number | undefined): Code {
  const to = walk.pointers[OUTPUT].get;
  const log = LOG_BYTES[walk.dtypes[OUTPUT]];
  if (axis !== undefined) return memoryCopy(to, from, i32.shl(walk.extent(axis), i32.const(log)));
  if (log === 3) return f64.store(to, f64.load(from));
  return log === 2 ? i32.store(to, i32.load(from)) : i32.store8(to, i32.load8_u(from));
}
