/** @file What generated kernels look like: their source, shown as a manual. */
import { expect } from 'chai';
import type { Access, KernelIR, NestIR } from '../../../src/codegen/ir.js';
import { lower, type Work } from '../../../src/codegen/lower.js';
import { renderJs } from '../../../src/codegen/render/js.js';
import '../../../src/ops/index.js';
import { readParams } from '../../../src/ops/params.js';
import { findOp } from '../../../src/ops/registry.js';
import { s } from '../../../src/ops/scalar.js';
import { rowMajorStrides, type Shape } from '../../../src/tensor/shape.js';
import type { ComputedDType } from '../../../src/tensor/dtype.js';

/** Kernels of an op on row-major operands. */
function kernelsOf(
  name: string,
  shapes: readonly Shape[],
  params: object = {},
  dtype: ComputedDType = 'float32',
): readonly KernelIR[] {
  const op = findOp(name)!;
  const read = readParams(op, params, { op: name });
  const inputs = shapes.map((shape) => ({ dtype, shape, strides: rowMajorStrides(shape) }));
  const output = { shape: op.shape(shapes, read, { op: name }) as Shape, dtype: op.dtype(shapes.map(() => dtype), read) }; // prettier-ignore
  return (lower({ op, params: read, inputs, output }) as Work).calls.map(({ ir }) => ir);
}

/** The body between the function's braces, line by line. */
const bodyOf = (ir: KernelIR): readonly string[] => renderJs(ir).split('\n').slice(2, -1);

const head = (...names: readonly string[]): readonly string[] =>
  names.map(
    (name) =>
      `const t${name} = ${name === 'z' ? 'O[0]' : `I[${name}]`}, a${name} = t${name}.buffer.array, s${name} = t${name}.offset;`,
  );

describe('the source of a kernel', () => {
  it('is a function of tensors, in strict mode', () => {
    const [source] = [renderJs(kernelsOf('neg', [[]])[0]).split('\n')];
    expect([source[0], source[1], source.at(-1)]).to.deep.equal(["'use strict';", 'return function (I, O) {', '};']);
  });

  it('of an elementwise op on contiguous operands is one loop, whatever the rank', () => {
    expect(
      bodyOf(
        kernelsOf('add', [
          [2, 3, 4],
          [2, 3, 4],
        ])[0],
      ),
    ).to.deep.equal([
      // prettier-ignore
      ...head('0', '1', 'z'),
      'for (let i0 = 0; i0 < 24; i0++) {',
      'const p0_0 = s0 + i0;',
      'const p1_0 = s1 + i0;',
      'const p2_0 = sz + i0;',
      'const v0 = a0[p0_0];',
      'const v1 = a1[p1_0];',
      'const v2 = v0 + v1;',
      'az[p2_0] = v2;',
      '}',
    ]);
  });

  it('leaves the address of an operand that broadcasts where it is', () => {
    expect(bodyOf(kernelsOf('mul', [[2, 3], [3]])[0]).filter((line) => line.includes('p1_'))).to.deep.equal([
      'const p1_1 = s1 + i1;',
      'const v1 = a1[p1_1];',
    ]);
  });

  it('calls functions by their own names, and has operators in line', () => {
    expect(bodyOf(kernelsOf('neg', [[4]])[0])).to.include('const v1 = -v0;');
    expect(bodyOf(kernelsOf('exp', [[4]])[0])).to.include('const v1 = Math.exp(v0);');
    expect(bodyOf(kernelsOf('erf', [[4]])[0])).to.include('const v1 = F.unary.erf(v0);');
  });

  it('wraps a product of integers at once, and leaves the rounding of a result to the array that stores it', () => {
    expect(bodyOf(kernelsOf('mul', [[4], [4]], {}, 'int32')[0])).to.include('const v2 = Math.imul(v0, v1);');
    expect(bodyOf(kernelsOf('add', [[4], [4]], {}, 'int32')[0])).to.include('const v2 = v0 + v1;');
  });

  it('rounds each step of a fused group as storing it would', () => {
    const steps = [{ op: 'add', params: {}, args: [0, 0] }, { op: 'cast', params: { dtype: 'bool' }, args: [1] }, { op: 'neg', params: {}, args: [2] }]; // prettier-ignore
    const lines = bodyOf(kernelsOf('fused', [[4]], { steps })[0]);
    expect(lines).to.include('const v2 = Math.fround(v1);');
    expect(lines.some((line) => / === 0 \? 0 : 1\);/.test(line))).to.equal(true);
  });

  it('of a reduction folds the inner axes, in float64, and stores once', () => {
    expect(bodyOf(kernelsOf('sum', [[2, 3]], { axis: 1 })[0])).to.deep.equal([
      ...head('0', 'z'),
      'for (let i0 = 0; i0 < 2; i0++) {',
      'const p0_0 = s0 + i0 * 3;',
      'const p1_0 = sz + i0;',
      'let f0 = 0;',
      'for (let if0_1 = 0; if0_1 < 3; if0_1++) {',
      'const pf0_0_1 = p0_0 + if0_1;',
      'const vf0__0 = a0[pf0_0_1];',
      'f0 = f0 + vf0__0;',
      '}',
      'const vw__0 = f0;',
      'az[p1_0] = vw__0;',
      '}',
    ]);
  });

  it('of softmax runs through a group three times: maximum, sum, results', () => {
    const lines = bodyOf(kernelsOf('softmax', [[2, 5]])[0]);
    expect(lines.filter((line) => line.startsWith('for'))).to.have.length(4);
    expect(lines.filter((line) => line.startsWith('let'))).to.deep.equal(['let f0 = -Infinity;', 'let f1 = 0;']);
  });

  it('of a gather tells each index before it reads by it', () => {
    const data: Access = { dtype: 'float32', strides: [0, 1], offset: 0 };
    const ir: KernelIR = { kind: 'gather', extents: [2, 4], data, index: { dtype: 'int32', strides: [1, 0], offset: 0 }, step: 4, size: 3, output: { ...data, strides: [4, 1] } }; // prettier-ignore
    const lines = bodyOf(ir);
    const test = lines.findIndex((line) => line.includes('F.outOfRange(g, 3)'));
    expect(test).to.be.greaterThan(0);
    expect(lines[test]).to.contain('g >= (-3) && g < 3');
    expect(lines.findIndex((line) => line.includes('a0[p0_1 + g * 4]'))).to.be.greaterThan(test);
  });

  it('holds numbers and names of its own only', () => {
    const ir: NestIR = { kind: 'nest', extents: [3], outer: 1, inputs: [], folds: [], result: s.constant(-0.1), emits: 'group', output: { dtype: 'float64', strides: [-2], offset: 4 } }; // prettier-ignore
    expect(bodyOf(ir)).to.deep.equal([
      'const tz = O[0], az = tz.buffer.array, sz = tz.offset + 4;',
      'for (let i0 = 0; i0 < 3; i0++) {',
      'const p0_0 = sz + i0 * (-2);',
      'az[p0_0] = (-0.1);',
      '}',
    ]);
  });
});
