/**
 * @file The loop IR as JavaScript: the `js` backend's kernels.
 *
 * Arithmetic is float64 and rounds when it is stored, so a float32 result carries one rounding.
 */
import { emitted, literal, type Emitted } from '../emitted.js';
import type { GatherIR, KernelIR, NestIR } from '../ir.js';
import { renderContraction } from './js-contraction.js';
import { renderFolds } from './js-folds.js';
import { loopsOf, nested, walksOf, type Walk } from './js-loops.js';
import { renderScalar, stored } from './js-scalar.js';

/** A function body that returns `(inputs, outputs) => void` over tensors, and reads its functions from `F`. */
export function renderJs(ir: KernelIR): Emitted {
  const body = ir.kind === 'gather' ? renderGather(ir) : (renderContraction(ir) ?? renderNest(ir));
  return emitted(`'use strict';\nreturn function (I, O) {\n${prologue(ir)}\n${body.join('\n')}\n};`);
}

function prologue(ir: KernelIR): string {
  const inputs = ir.kind === 'gather' ? [ir.data, ir.index] : ir.inputs;
  const open = (list: string, k: number, name: string, offset: number): string =>
    `const t${name} = ${list}[${k}], a${name} = t${name}.buffer.array, s${name} = t${name}.offset${offset === 0 ? '' : ` + ${literal(offset)}`};`;
  return [...inputs.map((access, k) => open('I', k, String(k), access.offset)), open('O', 0, 'z', ir.output.offset)].join('\n');
}

function renderNest(ir: NestIR): string[] {
  if (ir.folds.length > 0 || ir.emits === 'element') return renderFolds(ir);
  const walks = walksOf(ir);
  return nested(loopsOf(ir, 0, ir.outer), walks, '', (addresses) => {
    const { statements, value, truth } = renderScalar(ir.result, ir.output.dtype, {
      operand: (index) => `a${index}[${addresses[index]}]`,
      fold: () => 'NaN',
      position: '0',
      prefix: 'v',
      count: 1,
      dtypes: ir.inputs.map(({ dtype }) => dtype),
    });
    return [...statements, `az[${addresses.at(-1)!}] = ${stored(value, ir.output.dtype, truth)};`];
  });
}

function renderGather(ir: GatherIR): string[] {
  const walks: readonly Walk[] = [
    { array: 'a0', start: 's0', strides: ir.data.strides },
    { array: 'a1', start: 's1', strides: ir.index.strides },
    { array: 'az', start: 'sz', strides: ir.output.strides },
  ];
  const loops = ir.extents.map((extent, axis) => ({ axis, extent }));
  return nested(loops, walks, '', ([data, index, output]) => [
    `let g = a1[${index}];`,
    `if (!(g >= ${literal(-ir.size)} && g < ${literal(ir.size)})) F.outOfRange(g, ${literal(ir.size)});`,
    `if (g < 0) g += ${literal(ir.size)};`,
    `az[${output}] = a0[${data} + g * ${literal(ir.step)}];`,
  ]);
}
