/** @file What a graph's function may be given and may give: anything else is told at the call, in JavaScript too. */
import { expect } from 'chai';
import { EinstreamError, graph, input, neg, tensor } from '../../src/index.js';

const x = input([3]);
const untyped = graph as unknown as (declarations: unknown, build: unknown) => { readonly outputs: readonly unknown[] };

function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    expect(error).to.be.instanceOf(EinstreamError).with.property('code', 'E_ARGUMENT');
    return (error as EinstreamError).message;
  }
  throw new Error('it was taken');
}

describe('graph refuses at the call', () => {
  const outputs: Readonly<Record<string, readonly [(symbols: { readonly x: never }) => unknown, RegExp]>> = {
    'one value without a name': [({ x }) => neg(x), /outputs by name.*got a value of a graph.*\({ x }\) => \({ y: … }\)/],
    'one tensor without a name': [() => tensor([1]), /outputs by name.*got a tensor/],
    'nothing, where a function forgot to return': [() => undefined, /outputs by name.*got undefined/],
    'a list': [({ x }) => [x], /outputs by name.*got an array/],
    'what an async function returns': [async ({ x }) => Promise.resolve({ y: x }), /outputs by name.*got a promise/],
    'a text as an output': [() => ({ y: '5' }), /"?y"?: an output is .*got "5"/],
    'an output that is undefined': [() => ({ y: undefined }), /y.*got undefined/],
    'nested numbers as an output': [() => ({ y: [1, 2] }), /y.*got an array.*tensor/],
    'a record as an output': [({ x }) => ({ y: { x } }), /y.*got an object/],
  };
  for (const [title, [build, says]] of Object.entries(outputs))
    it(`${title}`, () => expect(refusal(() => untyped({ x }, build))).to.match(says));

  const given: Readonly<Record<string, readonly [unknown, unknown, RegExp]>> = {
    'no declarations': [undefined, () => ({}), /declared by name.*got undefined/],
    'a list of declarations': [[x], () => ({}), /declared by name.*got an array/],
    'a shape that input was not called with': [{ x: [3] }, () => ({}), /x.*declared by input, param or constant.*got an array/],
    'a tensor that param was not called with': [{ x: tensor([1]) }, () => ({}), /x.*declared by.*got a tensor/],
    'no function': [{ x }, { y: 1 }, /function from their symbols.*got an object/],
  };
  for (const [title, [declarations, build, says]] of Object.entries(given))
    it(`${title}`, () => expect(refusal(() => untyped(declarations, build))).to.match(says));

  it('and takes symbols, tensors and numbers', () => {
    const { outputs } = untyped({ x }, ({ x }: { readonly x: never }) => ({ a: x, b: tensor([1]), c: 2 }));
    expect(outputs).to.have.length(3);
  });
});
