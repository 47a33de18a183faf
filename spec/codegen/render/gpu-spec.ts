/** @file Sources for gpu.js: what may stand in them, and what is refused. */
import { expect } from 'chai';
import { einsum, graph, input, mul, named, relu, sum } from '../../../src/index.js';
import { renderGpu } from '../../../src/codegen/render/gpu.js';
import type { KernelIR, NestIR } from '../../../src/codegen/ir.js';
import { s } from '../../../src/ops/scalar.js';
import { allOps } from '../../../src/ops/registry.js';
import { evaluateSync } from '../../../src/run/index.js';
import { exampleCases } from '../../../src/testing/conformance/cases.js';
import { counting } from '../../support/countingBackend.js';
import { MALICIOUS_NAMES } from '../../support/maliciousNames.js';
import { propertyRuns } from '../../support/property.js';

const sourcesOf = (ir: KernelIR): readonly string[] => renderGpu(ir).passes.map(({ source }) => source);

/** Every word of a source that is none of the engine's, of JavaScript's or of `Math`. */
const strangers = (source: string): readonly string[] =>
  (source.match(/[A-Za-z_$][\w$.]*/g) ?? []).filter(
    (word) =>
      !/^(?:function|const|let|for|if|return|this\.thread\.x|[vask]\d+|e|Math\.(?:floor|ceil|trunc|abs|sqrt|min|max|exp|log|pow|sin|cos|tan))$/.test(
        word,
      ),
  );

/** What kernels the graphs of all examples come to, on float32. */
function everyKernel(): readonly KernelIR[] {
  const { backend, compiled } = counting();
  for (const op of allOps())
    for (const { graph: made, feeds } of exampleCases(op, 'float32')) evaluateSync(made, feeds, { backend });
  return compiled;
}

const elementwise = (over: Partial<NestIR>): NestIR => ({
  kind: 'nest',
  extents: [4],
  outer: 1,
  inputs: [{ dtype: 'float32', strides: [1], offset: 0 }],
  folds: [],
  result: s.operand(0),
  emits: 'group',
  output: { dtype: 'float32', strides: [1], offset: 0 },
  ...over,
});

describe('sources for gpu.js', () => {
  it('hold engine-made identifiers, numbers and functions of Math alone (F037, J2)', () => {
    let count = 0;
    for (const ir of everyKernel()) {
      let sources: readonly string[];
      try {
        sources = sourcesOf(ir);
      } catch {
        continue; // refused
      }
      for (const source of sources) {
        count++;
        expect(strangers(source), source).to.deep.equal([]);
        expect(source).to.match(/^function\([\w,]*\)\{[\w\s.,;:?()[\]{}=<>+\-*/]*\}$/);
      }
    }
    expect(count).to.be.greaterThan(150);
  });

  it('are the same whatever the names of a graph are (J2)', () => {
    const sourcesWith = (name: string): readonly string[] => {
      const { backend, compiled } = counting();
      const made = graph({ [name]: input([2, 3]) }, (symbols) => ({
        [name]: named(name, sum(mul(relu(einsum('ij->ji', symbols[name])), 2))) as never,
      }));
      evaluateSync(
        made,
        {
          [name]: [
            [1, 2, 3],
            [4, 5, 6],
          ],
        },
        { backend },
      );
      return compiled.flatMap(sourcesOf);
    };
    const plain = sourcesWith('x');
    for (const name of MALICIOUS_NAMES.filter((each, k) => each !== '' && k % propertyRuns(5, 1, 1) === 0)) {
      try {
        expect(sourcesWith(name), name).to.deep.equal(plain);
      } catch (error) {
        if ((error as { readonly code?: string }).code !== 'E_NAME') throw error;
      }
    }
  });

  it('read no array beyond seven, and no address or integer that float32 does not hold', () => {
    const access = { dtype: 'float32', strides: [1], offset: 0 } as const;
    const reasonOf = (ir: KernelIR): unknown => {
      try {
        renderGpu(ir);
        return 'rendered';
      } catch (error) {
        return (error as { readonly diagnostic: { readonly expected: string } }).diagnostic.expected;
      }
    };
    const operands = (count: number) => ({
      inputs: Array.from({ length: count }, (_, k) => ({ ...access, offset: k })),
      result: Array.from({ length: count }, (_, k) => s.operand(k)).reduce((a, b) => s.add(a, b)),
    });
    expect(reasonOf(elementwise(operands(7)))).to.equal('rendered');
    expect(reasonOf(elementwise(operands(8)))).to.equal('not more than 7 inputs');
    const long = (n: number) => elementwise({ extents: [n] });
    expect(reasonOf(long(2 ** 22))).to.equal('rendered');
    expect(reasonOf(long(2 ** 22 + 1))).to.equal('not more than 2^22 outputs');
    expect(reasonOf(elementwise({ inputs: [{ ...access, strides: [2 ** 23] }] }))).to.equal('not more than 2^24 elements');
    expect(reasonOf(elementwise({ output: { ...access, dtype: 'int32' } }))).to.equal('not integers beyond 2^24');
    expect(reasonOf(elementwise({ inputs: [{ ...access, dtype: 'float64' }] }))).to.equal('not values that float32 cannot hold');
  });

  it('compute nothing where there is nothing to compute', () => {
    expect(renderGpu(elementwise({ extents: [0] })).passes).to.deep.equal([]);
  });

  it('print numbers that a shading language would read otherwise as arguments', () => {
    const constants = [Infinity, -Infinity, NaN, -0, 1e30, 1e-40];
    const { passes } = renderGpu(
      elementwise({ result: constants.map((each) => s.constant(each)).reduce((a, b) => s.add(a, b)) }),
    );
    expect(passes[0].scalars).to.deep.equal(constants);
  });
});
