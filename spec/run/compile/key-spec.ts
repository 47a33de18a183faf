/** @file Keys of compilations and programs: equal where everything is, and nowhere else (J1, F033). */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  canonicalize,
  compilationKey,
  constant,
  graph,
  input,
  js,
  mul,
  named,
  neg,
  param,
  relu,
  reversed,
  slice,
  sub,
  sum,
  tensor,
  transpose,
  type Backend,
  type CompileOptions,
  type Graph,
  type GraphSymbol,
  type Tensor,
} from '../../../src/index.js';
import { keyOf } from '../../../src/run/specialize.js';
import { rowMajorStrides } from '../../../src/tensor/shape.js';
import { wrap } from '../../../src/tensor/create.js';
import { wrongPair } from '../../support/pairs.js';
import { plainGraph } from '../../support/plainGraph.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';

/** So many drawn, that there are 45,000 pairs, 1.1 million in CI and 10 million in a soak. */
const DRAWN = propertyRuns(300, 1_500, 4_500);

const bits = (...words: readonly number[]): Float32Array => new Float32Array(Uint32Array.from(words).buffer);
const VALUES: readonly Tensor[] = [
  tensor([0, 1]),
  tensor([-0, 1]),
  tensor([1, 1]),
  tensor([1.0000001, 1]),
  wrap(bits(0x7fc00000, 0)),
  wrap(bits(0x7fc00001, 0)),
  wrap(new Int32Array([0, 1])),
  wrap(bits(0, 1)),
  tensor([0, 1], { dtype: 'float64' }),
  tensor([[0, 1]]),
  slice(tensor([1, 0]), reversed),
];

const wide: Backend = { ...js(), name: 'js2' };
const narrow: Backend = { ...js(), capabilities: { ...js().capabilities, maxFusedNodes: 12 } };

interface Drawn {
  readonly shape: readonly number[];
  readonly dtype: 'float32' | 'int32' | 'float64';
  readonly value: number;
  readonly held: 'param' | 'constant';
  readonly manner: number;
  readonly feed: string;
  readonly output: string;
  readonly temporary: string;
  readonly options: CompileOptions;
}

const pick = <const T>(...values: readonly T[]) => fc.constantFrom(...values);

const drawn: fc.Arbitrary<Drawn> = fc.record({
  shape: pick<readonly number[]>([1, 23], [12, 3], [1, 2, 3], [123], [1], [11, 1], [1, 11]),
  dtype: pick('float32', 'int32', 'float64'),
  value: fc.nat(10),
  held: pick('param', 'constant'),
  manner: fc.nat(6),
  feed: pick('x', 'x,', '1:x', 'x"'),
  output: pick('y', 'y,', '1:y', 'x'),
  temporary: pick('a', 'b', 'c'),
  options: fc.record(
    {
      level: pick('none', 'basic', 'standard', 'aggressive'),
      fastMath: pick(true, false),
      fusion: pick(true, false),
      constantFolding: pick(true, false),
      backend: pick(wide, narrow),
      memoryBudget: pick(1, 12, 123),
    },
    { requiredKeys: [] },
  ),
});

function graphOf({ shape, dtype, value, held, manner, feed, output, temporary }: Drawn): Graph {
  const holding = held === 'param' ? param(VALUES[value]) : constant(VALUES[value]);
  const build = (x: GraphSymbol, k: GraphSymbol): GraphSymbol => {
    const last = { axis: shape.length - 1 };
    const t = [
      () => relu(x),
      () => neg(x),
      () => sum(x, last),
      () => sum(x, { ...last, keepdims: true }),
      () => sum(x, { axis: 0 }),
      () => sub(sum(x), k),
      () => sub(k, sum(x)),
    ][manner]();
    return named(temporary, t);
  };
  return graph({ [feed]: input(shape, { dtype }), [`${feed}k`]: holding }, (symbols) => {
    const [x, k] = Object.values(symbols) as unknown as readonly GraphSymbol[];
    return { [output]: mul(sum(build(x, k)), k), [`${output}2`]: k };
  });
}

/** The same, said by other means: structure and options as JSON, elements as bytes. */
const formOf = (each: Drawn, g: Graph): string => {
  const { level = 'standard', fastMath = false, backend, ...rest } = each.options;
  const by = backend === undefined ? null : [backend.name, backend.capabilities.maxFusedNodes];
  return JSON.stringify([plainGraph(canonicalize(g)), level, fastMath, by, rest.fusion ?? null, rest.constantFolding ?? null, rest.memoryBudget ?? null]); // prettier-ignore
};

describe('a compilation key', () => {
  it('is equal exactly where canonical form and options are: all pairs of many drawn (J1)', function () {
    this.timeout(0);
    const all = fc.sample(drawn, { seed: propertySeed(), numRuns: DRAWN }).flatMap((each) => {
      // Twice, under another name of what no feed, output or error of a user needs.
      return [each, ...(each.value % 3 === 0 ? [{ ...each, temporary: 'other' }] : [])].map((one) => {
        const g = graphOf(one);
        return { key: compilationKey(g, one.options), form: formOf(one, g) };
      });
    });
    const { wrong, pairs, equal } = wrongPair(all);
    console.log(`      ${pairs} pairs, ${equal} of them equal`);
    expect(wrong).to.equal(undefined);
    expect(equal).to.be.greaterThan(0);
  });

  const base = graph({ x: input([2]), k: constant(tensor([1, 2])) }, ({ x, k }) => ({
    y: named('t', mul(neg(x), k)),
    z: relu(x),
  }));
  const key = (g: Graph, options?: CompileOptions) => compilationKey(g, options);

  it('knows constants bit by bit, and not how they lie (J1)', () => {
    const of = (value: Tensor) => key(graph({ x: input([2]), k: constant(value) }, ({ x, k }) => ({ y: mul(x, k) })));
    const keys = VALUES.slice(0, 8).map(of);
    expect(new Set(keys).size).to.equal(keys.length);
    const square = tensor([[1, 2], [3, 4]]); // prettier-ignore
    expect(of(transpose(transpose(square)))).to.equal(of(square));
    expect(of(transpose(square))).to.equal(of(tensor([[1, 3], [2, 4]]))); // prettier-ignore
  });

  it('knows shapes, kept values and what the backend can do, each for itself', () => {
    const options: readonly CompileOptions[] = [
      ...[
        {},
        { shapes: { x: [2] } },
        { keep: ['t'] },
        { keep: ['z'] },
        { keep: ['t', 'z'] },
        { backend: wide },
        { backend: narrow },
      ],
      ...[
        { shapeInference: false },
        { memoryEstimation: false },
        { parallelism: false },
        { fusion: true },
        { constantFolding: true },
      ],
    ];
    const keys = options.map((each) => key(base as Graph, each));
    expect(new Set(keys).size).to.equal(keys.length);
    expect(compilationKey(base, {}, { x: [2] })).to.equal(key(base, { shapes: { x: [2] } }));
  });

  it('does not depend on the clock, nor on whether it is looked up', () => {
    expect(key(base, { clock: () => 1, caching: true })).to.equal(key(base));
    expect(thrownBy(() => key(base, { keep: ['nobody'] })).code).to.equal('E_ARGUMENT');
  });
});

describe('the key of a program', () => {
  const shapes: readonly (readonly number[])[] = [[1, 23], [12, 3], [1, 2, 3], [123], [], [1], [0], [11, 1], [1, 11], [1, 1, 1]]; // prettier-ignore
  const signature = fc.record({
    dtype: pick('float32', 'float64', 'int32', 'bool'),
    layout: pick(...shapes).chain((shape) =>
      pick(
        rowMajorStrides(shape),
        [...rowMajorStrides(shape)].reverse(),
        shape.map(() => 0),
        shape.map(() => -1),
      ).map((strides) => ({
        shape,
        strides,
      })),
    ),
  });

  it('is equal exactly where dtypes, shapes and strides are: all pairs of many drawn (J1)', function () {
    this.timeout(0);
    const lists = fc.sample(fc.array(signature, { minLength: 1, maxLength: 3 }), { seed: propertySeed(), numRuns: DRAWN });
    const all = lists.map((list) => {
      const tensors = list.map(({ dtype, layout }) => ({ dtype, ...layout }) as const);
      return { key: keyOf(tensors), form: JSON.stringify(tensors.map(({ dtype, shape, strides }) => [dtype, shape, strides])) };
    });
    const { wrong, pairs, equal } = wrongPair(all);
    console.log(`      ${pairs} pairs, ${equal} of them equal`);
    expect(wrong).to.equal(undefined);
    expect(equal).to.be.greaterThan(0);
  });
});
