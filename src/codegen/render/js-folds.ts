/**
 * @file Folds as JavaScript: for each outer index one loop a fold, then what is written.
 */
import type { Monoid } from '../../ops/op.js';
import { literal } from '../emitted.js';
import { keptResult } from '../inlined.js';
import type { NestIR } from '../ir.js';
import { loopsOf, nested, walksOf } from './js-loops.js';
import { renderScalar, stored, type Leaves } from './js-scalar.js';

const NEUTRAL: Record<Monoid, string> = { sum: '0', prod: '1', max: '-Infinity', min: 'Infinity' };

/** `wraps` where the result is int32: sums and products are exact modulo 2³². */
const combine = (monoid: Monoid, wraps: boolean, x: string, y: string): string => {
  switch (monoid) {
    case 'sum':
      return wraps ? `(${x} + ${y}) | 0` : `${x} + ${y}`;
    case 'prod':
      return wraps ? `F.integer.mul(${x}, ${y})` : `${x} * ${y}`;
    default:
      return `Math.${monoid}(${x}, ${y})`;
  }
};

export function renderFolds(ir: NestIR): string[] {
  const inner = loopsOf(ir, ir.outer, ir.extents.length);
  const count = inner.reduce((product, { extent }) => product * extent, 1);
  const walks = walksOf(ir);
  const dtypes = [...ir.inputs, ir.output].map(({ dtype }) => dtype);
  const wraps = ir.output.dtype === 'int32';
  const kept = keptResult(ir, ir.inputs.length);
  const array = (index: number): string => (index === ir.inputs.length ? 'az' : `a${index}`);
  const leaves = (addresses: readonly string[], tag: string): Leaves => ({
    operand: (index) => `${array(index)}[${addresses[index]}]`,
    fold: (index) => `f${index}`,
    position: position(inner.map(({ axis, extent }) => ({ name: `i${tag}${axis}`, extent }))),
    prefix: `v${tag}_`,
    count,
    dtypes,
  });
  return nested(loopsOf(ir, 0, ir.outer), walks, '', (outer) => {
    const lines: string[] = [];
    ir.folds.forEach((fold, at) => {
      const tag = `f${at}_`;
      lines.push(`let f${at} = ${NEUTRAL[fold.monoid]};`);
      lines.push(
        ...nested(
          inner,
          walks.map((walk, k) => ({ ...walk, start: outer[k] })),
          tag,
          (addresses) => {
            const { statements, value } = renderScalar(fold.value, ir.output.dtype, leaves(addresses, tag));
            const keep = kept !== undefined && at === ir.folds.length - 1 ? [`az[${addresses.at(-1)!}] = ${value};`] : [];
            return [...statements, ...keep, `f${at} = ${combine(fold.monoid, wraps, `f${at}`, value)};`];
          },
        ),
      );
      if (fold.finish !== undefined) {
        const { statements, value } = renderScalar(fold.finish, ir.output.dtype, leaves(outer, `d${at}_`));
        lines.push('{', ...statements, `f${at} = ${value};`, '}');
      }
    });
    const write = (addresses: readonly string[], tag: string): readonly string[] => {
      const { statements, value, truth } = renderScalar(kept ?? ir.result, ir.output.dtype, leaves(addresses, tag));
      return [...statements, `az[${addresses.at(-1)!}] = ${stored(value, ir.output.dtype, truth)};`];
    };
    const tag = 'w_';
    return [
      ...lines,
      ...(ir.emits === 'group'
        ? write(outer, tag)
        : nested(
            inner,
            walks.map((walk, k) => ({ ...walk, start: outer[k] })),
            tag,
            (addresses) => write(addresses, tag),
          )),
    ];
  });
}

/** Row-major index within the folded axes. */
function position(axes: readonly { readonly name: string; readonly extent: number }[]): string {
  return axes.reduce((sum, { name, extent }) => (sum === '' ? name : `(${sum} * ${literal(extent)} + ${name})`), '') || '0';
}
