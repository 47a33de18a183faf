/** @file Gradients through what `fuse` joined. */
import { expect } from 'chai';
import fc from 'fast-check';
import { div, evaluateSync, fuse, gradient, graph, inPrecision, input, isOpNode, js, neg, nodesOf, tensor, type FusionConfig, type Graph, type Tensor } from '../../../src/index.js'; // prettier-ignore
import { inferTypes } from '../../../src/graph/shapes.js';
import { idOfKey } from '../../../src/graph/keys.js';
import { nameOf, nodeOf } from '../../../src/graph/graph.js';
import { isFloating } from '../../../src/tensor/dtype.js';
import { anyFusion, isReordered } from '../../support/anyFusion.js';
import { plantedGraph } from '../../support/planted.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { differentBits } from '../../support/sameBits.js';

const kernels = (g: Graph): number => [...nodesOf(g)].filter(isOpNode).length;

/** What a group's steps give to the gradient of a value is added up first: with a third reader that is another order. */
function areManyReaders(g: Graph): boolean {
  const readers = new Map<number, number>();
  for (const { inputs } of nodesOf(g)) for (const id of inputs) readers.set(id, (readers.get(id) ?? 0) + 1);
  return [...readers.values()].some((count) => count > 2);
}

type Feeds = Readonly<Record<string, Tensor>>;

/** The same shapes, with numbers between 0.5 and 1.5 where they are floating. */
const tame = (feeds: Feeds): Feeds =>
  Object.fromEntries(
    Object.entries(feeds).map(([name, { dtype, shape, size }]) => {
      if (!isFloating(dtype)) return [name, feeds[name]];
      return [
        name,
        tensor(
          Array.from({ length: size }, (_, k) => 0.5 + ((k * 7 + name.length * 3) % 11) / 11),
          { dtype, shape },
        ),
      ];
    }),
  );

/** The first pair of numbers that are not near, as text. */
function firstFar(got: Tensor, want: Tensor): string | undefined {
  const [a, b] = [got.data, want.data] as [ArrayLike<number>, ArrayLike<number>];
  const isNear = (x: number, y: number): boolean => Object.is(x, y) || Math.abs(x - y) <= 1e-6 * (1 + Math.abs(y));
  const at = Array.from(b).findIndex((y, k) => !isNear(a[k], y));
  return at < 0 ? undefined : `[${at}] is ${a[at]}, not ${b[at]}`;
}

describe('fuse', () => {
  const options = { seed: propertySeed(), numRuns: propertyRuns(40, 400, 5_000) };

  /** Gradients of the first floating output, of the graph and of what is made of it. */
  function both(g: Graph, feeds: Feeds, limits: FusionConfig): readonly (readonly [Tensor, Tensor, string])[] | undefined {
    const types = inferTypes(g);
    const isReal = (id: number): boolean => isFloating(types[id]!.dtype!);
    const of = g.outputs.find(({ id, name }) => isReal(id) && idOfKey(g, name) !== undefined);
    const wrt = g.inputs.filter(isReal).map((id) => nameOf(nodeOf(g, id)));
    if (of === undefined || wrt.length === 0 || isReordered(g, limits.strategy!)) return undefined;
    const [got, want] = [fuse(g, limits).graph, g].map((each) =>
      evaluateSync(gradient(each, { of: of.name, wrt, seed: 'ones' }), feeds, { level: 'none', backend: js() }),
    );
    return Object.entries(want).map(([name, value]) => [got[name], value, name] as const);
  }

  it('leaves gradients as they are; where a value has three readers, as near as additions in another order are (F049)', () => {
    let [same, near] = [0, 0];
    fc.assert(
      fc.property(plantedGraph(), anyFusion, ({ graph: g, feeds }, limits) => {
        const isSame = !areManyReaders(g);
        // In float64, and of numbers near 1: what rounding is left shows in no digit of float32.
        const pairs = isSame ? both(g, feeds, limits) : both(inPrecision(g, 'float64'), tame(feeds), limits);
        if (pairs === undefined) return;
        if (isSame) same++;
        else near++;
        for (const [got, want, name] of pairs)
          if (isSame) expect(differentBits(got, want), name).to.equal(undefined);
          else expect(firstFar(got, want), name).to.equal(undefined);
      }),
      options,
    );
    console.log(`      ${same} graphs bit for bit, ${near} nearly`);
    expect(same + near).to.be.greaterThan(options.numRuns / 4);
  });

  it('leaves gradients as near to what they are as additions in another order are (F049)', () => {
    const g = graph({ x: input([64]) }, ({ x }) => ({ y: div(div(neg(x), x), x) }));
    const feeds = { x: tensor(Array.from({ length: 64 }, (_, k) => 0.5 + k / 7)) };
    const fused = fuse(g, { strategy: 'conservative', maxSize: 2, maxDepth: 2, minBenefit: 0 }).graph;
    expect(kernels(fused)).to.be.lessThan(kernels(g));
    const [got, want] = [fused, g].map(
      (each) =>
        evaluateSync(gradient(each, { of: 'y', wrt: ['x'], seed: 'ones' }), feeds, { level: 'none', backend: js() }).x
          .data as Float32Array,
    );
    for (const [k, value] of want.entries()) expect(got[k]).to.be.closeTo(value, 4 * 2 ** -24 * (3 / (0.5 + k / 7) ** 2));
  });
});
