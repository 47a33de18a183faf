/** @file Faults that users reported of other engines: each with a small input and the right behaviour. */
import { expect } from 'chai';
import '../../src/ops/index.js';
import type { Dim, Dims } from '../../src/ops/dims.js';
import { readParams } from '../../src/ops/params.js';
import { ops } from '../../src/ops/registry.js';
import { js, wasm } from '../../src/backends/index.js';
import { sourceFiles } from '../support/sourceFiles.js';
import { computeCase, type ComputedFamily } from './computeCase.js';
import { judge, readFamily, type Case } from './corpus.js';
import { computeNamed, eagerly } from './families.js';

interface Bug {
  readonly id: string;
  readonly area: string;
  readonly symptom: string;
  readonly case?: unknown;
}

interface ShapeCase {
  readonly op: 'Reshape' | 'Where';
  readonly params: { readonly target?: readonly number[]; readonly targetLength?: number };
  readonly inputs: readonly (readonly (number | string)[])[];
  readonly expected: { readonly shape: readonly (number | string)[] };
}

const bugsOf = (area: string): readonly Bug[] => (readFamily('bugs') as readonly Bug[]).filter((bug) => bug.area === area);

/** '?' is a size that is not known. */
const dimsOf = (shape: readonly (number | string)[]): Dims => shape.map((size): Dim => (size === '?' ? null : size));

/** ONNX gives Reshape its target as an input; ours is a parameter, whose open sizes are null. */
function inferCase({ op, params, inputs }: ShapeCase): Dims | undefined {
  const { definition } = ops[op.toLowerCase()];
  const shape =
    params.target ?? (params.targetLength === undefined ? undefined : new Array<null>(params.targetLength).fill(null));
  const given = readParams(definition, shape === undefined ? {} : { shape }, { op });
  return definition.shape(inputs.map(dimsOf), given, { op });
}

describe('a reported fault', () => {
  for (const bug of bugsOf('reduce')) {
    it(`of reductions is not made: ${bug.symptom} (${bug.id})`, () => {
      expect(judge(bug.case as Case, () => computeNamed(bug.case as Case, eagerly))).to.equal(undefined);
    });
  }

  for (const bug of bugsOf('shape')) {
    it(`of shapes is not made: ${bug.symptom} (${bug.id})`, () => {
      const shapeCase = bug.case as ShapeCase;
      const inputs = structuredClone(shapeCase.inputs);
      expect(inferCase(shapeCase)).to.deep.equal(dimsOf(shapeCase.expected.shape));
      expect(shapeCase.inputs, 'the rule leaves the symbols of its operands alone').to.deep.equal(inputs);
    });
  }

  for (const { id, symptom, case: given } of bugsOf('runtime')) {
    if (given === null) continue;
    it(`of a runtime is not made, on js and on wasm: ${symptom} (${id})`, async () => {
      const c = given as Case;
      for (const backend of [js(), await wasm()]) {
        expect(judge(c, () => computeCase(c.kind as ComputedFamily, c, backend, { fallback: 'never' })), backend.name).to.equal(undefined); // prettier-ignore
        await backend.close();
      }
    });
  }

  it('of a runtime that has no value, or of streams, has a test that names it', () => {
    const texts = [...sourceFiles('spec', ['-spec.ts']).values()];
    const ids = [...bugsOf('runtime'), ...bugsOf('stream')].filter((bug) => bug.case === null).map(({ id }) => id);
    expect(ids).to.have.length(11);
    expect(ids.filter((id) => !texts.some((text) => text.includes(id)))).to.deep.equal([]);
  });
});
