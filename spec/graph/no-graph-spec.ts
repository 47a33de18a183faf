/** @file What takes a graph, given something else: told at the call or on the stream, with what to do. */
import { expect } from 'chai';
import { isObservable, lastValueFrom, of, type Observable } from 'rxjs';
import * as einstream from '../../src/index.js';
import { EinstreamError, evaluateBatch, tensor } from '../../src/index.js';

type Call = (graph: unknown, second: unknown, third: unknown) => unknown;

/** Each is called with a graph that is none, and no more than it needs to get there. */
const TAKE_A_GRAPH = [
  'analyze', 'canonicalize', 'compilationKey', 'compile', 'equivalent', 'estimateMemory', 'evaluate', 'evaluateSync',
  'findFusionOpportunities', 'fuse', 'gradient', 'hash', 'hvp', 'inferShapes', 'jacobian', 'keyOf', 'live', 'nodeCount', 'nodeOf',
  'nodesOf', 'optimalBatchSize', 'optimize', 'optimizeForThroughput', 'parallel', 'recovering', 'run', 'runChunk', 'runChunks',
  'runStream', 'runStreamAsync', 'runWithRecovery', 'schedule', 'steps', 'validate', 'validateOrThrow', 'validationOf',
  'vectorized', 'withStrategy',
]; // prettier-ignore

const NO_GRAPHS: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  nothing: [undefined, /got undefined/],
  null: [null, /got null/],
  'a number': [5, /got 5/],
  'a text that nobody parsed': ['{"Add":1}', /parse it: parseGraph\(text\)/],
  'a list': [[], /got an array/],
  'a record': [{ y: 1 }, /got an object/],
  'a promise of a graph': [Promise.resolve(), /got a promise.*await it/],
  'a tensor': [tensor([1]), /got a tensor/],
};

/** What comes of a call in the end: of a stream or a list its last value. */
async function outcome(call: Call, graph: unknown): Promise<unknown> {
  const given = call(graph, {}, {});
  const applied = typeof given === 'function' ? (given as (source: Observable<object>) => unknown)(of({})) : given;
  if (isObservable(applied)) return lastValueFrom(applied);
  const isIterator = typeof applied === 'object' && applied !== null && Symbol.iterator in applied;
  return isIterator ? [...(applied as Iterable<unknown>)] : applied;
}

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it was taken',
    (error: unknown) => error,
  );

describe('what takes a graph says what it was given instead', () => {
  for (const name of TAKE_A_GRAPH) {
    it(`${name}`, async () => {
      const call = (einstream as unknown as Readonly<Record<string, Call>>)[name];
      for (const [title, [graph, says]] of Object.entries(NO_GRAPHS)) {
        const error = await refusal(outcome(call, graph));
        expect(error, title).to.be.instanceOf(EinstreamError).with.property('code', 'E_ARGUMENT');
        expect((error as EinstreamError).message, title)
          .to.match(/a graph is what/)
          .and.match(says);
      }
    });
  }

  it('and so does a batch, which is computed later: nothing is thrown where nobody could catch it', async () => {
    const error = await refusal(evaluateBatch(undefined as never, [{}]));
    expect(error).to.be.instanceOf(EinstreamError).with.property('code', 'E_ARGUMENT');
  });
});
