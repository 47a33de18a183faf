/** @file Every value has a key of its own. */
import { expect } from 'chai';
import fc from 'fast-check';
import { graph, input, named } from '../../src/graph/builder.js';
import { parseGraph } from '../../src/graph/formats/parse.js';
import { idOfKey, inputsByName, keysOf } from '../../src/graph/keys.js';
import { inferShapes } from '../../src/graph/shapes.js';
import { add, relu } from '../../src/ops/index.js';
import { interchange, unary } from '../support/interchange.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const chain = (names: readonly string[]) =>
  parseGraph(
    interchange({
      tensors: names,
      nodes: names.slice(1).map((_, k) => unary('abs', k, k + 1)),
      inputs: [0],
      outputs: [names.length - 1],
    }),
  );

describe('keys of values', () => {
  it('are their names; a later value with a used name is name#<id>', () => {
    expect(keysOf(chain(['x', 'h', 'h', 'x', 'h']))).to.deep.equal(['x', 'h', 'h#2', 'x#3', 'h#4']);
  });

  it('stay unique where a name looks like a key', () => {
    expect(keysOf(chain(['x#2', 'x', 'x', 'x#2']))).to.deep.equal(['x#2', 'x', 'x#2#2', 'x#2#3']);
  });

  it('are made from op and id where there is no name, and yield to names', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: named('relu_1', add(relu(x), relu(x))) }));
    expect(keysOf(g)).to.deep.equal(['x', 'relu_1#1', 'relu_2', 'relu_1']);
    expect(idOfKey(g, 'relu_1')).to.equal(3);
  });

  it('lead back to the value, by the name of an output too', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ same: x, y: relu(x) }));
    expect([idOfKey(g, 'x'), idOfKey(g, 'same'), idOfKey(g, 'y'), idOfKey(g, 'nope')]).to.deep.equal([0, 0, 1, undefined]);
    expect(inferShapes(g).get('same')).to.deep.equal([2]);
  });

  it('are unique for any names, and each leads back', () => {
    const name = fc.oneof(
      fc.constantFrom('x', 'x#1', 'x#2', 'abs_1', '__proto__', ''),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 2, maxLength: 12 }), (names) => {
        const g = chain(names);
        const keys = keysOf(g) as string[];
        expect(new Set(keys).size).to.equal(names.length);
        keys.forEach((key, id) => expect(idOfKey(g, key)).to.equal(id));
        expect(g.outputs[0].name).to.equal(keys.at(-1));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(300, 3_000, 100_000) },
    );
  });

  it('of inputs with one name share a feed', () => {
    const g = parseGraph(
      interchange({ tensors: ['x', 'x', 'z', 'y'], nodes: [unary('abs', 0, 3)], inputs: [0, 1, 2], outputs: [3] }),
    );
    expect([...inputsByName(g)]).to.deep.equal([
      ['x', [0, 1]],
      ['z', [2]],
    ]);
  });
});
