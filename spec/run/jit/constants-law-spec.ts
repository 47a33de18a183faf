/** @file The law of constants: whatever stays the same for a while, and then does not, no run gives anything else. */
import { expect } from 'chai';
import fc from 'fast-check';
import { evaluateSync, jit, js, type Tensor } from '../../../src/index.js';
import { nameOf, nodeOf, type ParamNode } from '../../../src/graph/graph.js';
import { packed, tensorOver } from '../../../src/tensor/tensor.js';
import { hostile } from '../../support/hostile.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { plantedGraph } from '../../support/planted.js';
import { MOVES, type GraphChoice, type RandomGraph } from '../../support/random-graph.js';
import { differentBits } from '../../support/sameBits.js';

type Numbers = Float64Array;
type Compare = (got: Tensor, want: Tensor) => string | undefined;

/** The same buffer for all frames, as a backend lends it. */
const lentLike = (value: Tensor): Tensor => tensorOver(packed(value), value.dtype, value.shape);

/** Elements turned by one place for each time: the numbers stay in their range. */
function turn(tensor: Tensor, from: Tensor, times: number): void {
  const [given, array] = [packed(from) as Numbers, tensor.buffer.array as Numbers];
  for (let i = 0; i < array.length; i++) array[i] = given[(i + times) % array.length];
}

interface Drawn {
  readonly random: RandomGraph;
  /** One bit for each of three inputs, and again: whether it changes with each frame. */
  readonly varying: number;
  /** Which of the others, params among them, is another one after so many frames. */
  readonly breaks: number;
  readonly after: number;
}

const drawn = (choice: GraphChoice): fc.Arbitrary<Drawn> =>
  fc.record({
    random: plantedGraph(choice),
    varying: fc.constantFrom(0, 1, 2, 4, 6),
    breaks: fc.nat(),
    after: fc.integer({ min: 1, max: 24 }),
  });

/** Of how many graphs code counted on inputs that changed later. */
const seen = { graphs: 0, deoptimized: 0 };
const reference = js();

/** Sums of nothing are 0 or −0 by their order, so the two zeros are one. */
const differentNumbers: Compare = (got, want) => {
  const [a, b] = [got.data, want.data] as readonly Numbers[];
  const at = b.findIndex((value, i) => value !== a[i] && !(Number.isNaN(value) && Number.isNaN(a[i])));
  return at < 0 && a.length === b.length ? undefined : `[${at}] expected ${b[at]}, got ${a[at]}`;
};

/** Frame by frame beside js at `none`: undefined, or the first difference. */
function firstOdd({ random: { graph, feeds }, varying, breaks, after }: Drawn, compare: Compare): string | undefined {
  let [time, frame] = [0, 0];
  // All but the interpreter gets slower by the frame, so that constants look quick beside what is measured after them.
  const clock = (): number => (time += frame === 0 ? 1e6 : 1.5 ** frame);
  const backend = jit(js(), { hotPathThreshold: 1, profilingWindow: 2, initialLevel: 'basic', clock });
  const given = new Map(graph.inputs.map((id) => nodeOf(graph, id)).map((node) => [nameOf(node), feeds[nameOf(node)] ?? (node as ParamNode).value])); // prettier-ignore
  const names = [...given.keys()];
  const changes = (name: string, k: number): boolean => name in feeds && ((varying >> (k % 3)) & 1) === 1;
  const steady = names.filter((name, k) => !changes(name, k));
  const broken = steady[breaks % steady.length];
  const lent = new Map(names.map((name) => [name, lentLike(given.get(name)!)]));
  for (let n = 0; n < 32; n++) {
    frame = n;
    names.forEach((name, k) => {
      if (changes(name, k)) turn(lent.get(name)!, given.get(name)!, n);
      else if (name === broken && n >= after) turn(lent.get(name)!, given.get(name)!, n < after + 6 ? 1 : 2);
    });
    // Until then nobody feeds a param.
    const fed = Object.fromEntries([...lent].filter(([name]) => name in feeds || (name === broken && n >= after)));
    const want = evaluateSync(graph, fed, { backend: reference, level: 'none' });
    const got = evaluateSync(graph, fed, { backend });
    for (const key of Object.keys(want)) {
      const difference = compare(got[key], want[key]);
      if (difference !== undefined) return `frame ${n}, ${key}: ${difference}`;
    }
  }
  seen.graphs++;
  if (backend.stats().deoptimizations > 0) seen.deoptimized++;
  return undefined;
}

describe('the law of constants in jit (F040, J10, J12)', function () {
  this.timeout(0);
  const options = { seed: propertySeed(), numRuns: propertyRuns(40, 500, 20_000) };

  it('changes no bit on js of hostile numbers, where nothing is contracted', () => {
    const moves = MOVES.filter((name) => name !== 'einsum');
    fc.assert(
      fc.property(drawn({ element: hostile, moves }), (each) => {
        expect(firstOdd(each, differentBits)).to.equal(undefined);
      }),
      options,
    );
    console.log(`      ${seen.graphs} graphs: the code of ${seen.deoptimized} counted on inputs that changed later`);
    expect(seen.deoptimized).to.be.greaterThan(0);
  });

  it('gives the same whole numbers, in whichever order contractions are made', () => {
    const choice: GraphChoice = {
      element: (number) => (number % 3) - 1,
      moves: ['add', 'sub', 'neg', 'relu', 'maximum', 'transpose', 'sum', 'einsum', 'einsum', 'scale', 'concat'],
      dtypes: ['float64', 'int32'],
      maxMoves: 6,
    };
    fc.assert(
      fc.property(drawn(choice), (each) => {
        expect(firstOdd(each, differentNumbers)).to.equal(undefined);
      }),
      options,
    );
  });
});
