/** @file Hostile names, parameters and specs are ordinary input: read, or refused with a typed error. */
import { expect } from 'chai';
import { EinstreamError } from '../../src/errors/index.js';
import { graph, input, named, type GraphSymbol } from '../../src/graph/builder.js';
import { equivalent } from '../../src/graph/canonical.js';
import { parseGraph } from '../../src/graph/formats/parse.js';
import { serializeGraph } from '../../src/graph/formats/serialize.js';
import { idOfKey, inputsByName, keysOf } from '../../src/graph/keys.js';
import { inferShapes } from '../../src/graph/shapes.js';
import { validate } from '../../src/graph/validate/validate.js';
import { clip, reshape, sum, transpose } from '../../src/ops/index.js';
import { HOSTILE_NAMES } from '../support/hostileNames.js';
import { einsumNode, interchange, unary } from '../support/interchange.js';

const shown = (name: string): string => JSON.stringify(name.slice(0, 30));

describe('names (G3)', () => {
  const prototype = Reflect.ownKeys(Object.prototype).join();
  afterEach(() => expect(Reflect.ownKeys(Object.prototype).join()).to.equal(prototype));

  it('of tensors are taken as they are, whatever they say', () => {
    for (const name of HOSTILE_NAMES) {
      const g = parseGraph(interchange({ tensors: [name, `${name}2`], nodes: [unary('abs', 0, 1)], inputs: [0], outputs: [1] }));
      expect(validate(g), shown(name)).to.deep.equal([]);
      expect(keysOf(g)).to.deep.equal([name, `${name}2`]);
      expect(idOfKey(g, name)).to.equal(0);
      expect([...inputsByName(g).keys()]).to.deep.equal([name]);
      expect(inferShapes(g, new Map([[name, [2]]])).get(`${name}2`)).to.deep.equal([2]);
      for (const format of ['einstream', 'interchange'] as const) {
        const copy = parseGraph(serializeGraph(g, format));
        expect(keysOf(copy), shown(name)).to.deep.equal([name, `${name}2`]);
        expect(equivalent(copy, g)).to.equal(true);
      }
    }
  });

  it('of inputs, values, outputs and dims are taken as they are by the builder', () => {
    for (const name of HOSTILE_NAMES) {
      const declared = Object.fromEntries([[name, input([name === '' ? 'n' : name, 2])]]);
      const g = graph(declared, (symbols) => ({
        y: named(name, sum((symbols as Record<string, GraphSymbol>)[name], { axis: 1 })),
      }));
      expect(validate(g), shown(name)).to.deep.equal([]);
      expect(equivalent(parseGraph(serializeGraph(g)), g)).to.equal(true);
    }
  });

  it('are taken apart where they only look alike: NFC and NFD', () => {
    const g = parseGraph(interchange({ tensors: ['é', 'e\u0301'], nodes: [unary('abs', 0, 1)], inputs: [0], outputs: [1] }));
    expect(keysOf(g)).to.deep.equal(['é', 'e\u0301']);
  });

  it('in keys of the text pollute nothing: __proto__ at every level, also in metadata and parameters', () => {
    const evil = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
    const texts = [
      `{${evil},"tensors":["x","y"],"nodes":[{${evil},"op":{"ElemUnary":{${evil},"op":"abs"}},"inputs":[0],"outputs":[1],"metadata":{${evil}}}],"inputs":[0],"outputs":[1],"tensor_metadata":{${evil},"0":{${evil}}}}`,
      `{"einstream":1,${evil},"nodes":[{${evil},"op":"input","name":"x","dims":[2],"metadata":{${evil}}},{"id":1,"op":"nope","inputs":[0],"params":{${evil}},"location":{${evil}}}],"inputs":[0],"outputs":[{${evil},"name":"__proto__","id":1}],"metadata":{${evil}}}`,
    ];
    for (const text of texts) {
      const g = parseGraph(text);
      parseGraph(serializeGraph(g));
      expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    }
  });
});

describe('parameters (G13)', () => {
  const x = (build: (x: GraphSymbol) => GraphSymbol) => graph({ x: input([2, 3]) }, (symbols) => ({ y: build(symbols.x) }));

  it('of the wrong type are refused at the call, naming op and parameter', () => {
    for (const axis of ['0', 1.5, NaN, {}, [null], [[0]], () => 0, Symbol('s'), 1n, new Map(), new Float32Array(1), true]) {
      expect(() => x((s) => sum(s, { axis: axis as never })), String(axis))
        .to.throw('parameter axis must be')
        .with.property('code', 'E_ARGUMENT');
    }
  });

  it('are read once and copied: changing them later changes nothing', () => {
    const perm = [1, 0];
    let reads = 0;
    const params = { get perm() { return reads++ === 0 ? perm : [9, 9]; } }; // prettier-ignore
    const g = x((s) => transpose(s, params));
    perm[0] = 7;
    expect(inferShapes(g).get('y')).to.deep.equal([3, 2]);
    expect(reads).to.equal(1);
    expect(validate(g)).to.deep.equal([]);
  });

  it('may come in a proxy; what it gives is what is used', () => {
    const shape = new Proxy([3, 2], { get: (target, key) => Reflect.get(target, key) as unknown });
    expect(inferShapes(x((s) => reshape(s, { shape }))).get('y')).to.deep.equal([3, 2]);
  });

  it('over memory that changes meanwhile are what was read first', () => {
    const shared = new Int32Array(new SharedArrayBuffer(8));
    expect(() => x((s) => clip(s, { min: shared as never })))
      .to.throw('parameter min must be')
      .with.property('code', 'E_ARGUMENT');
  });
});

describe('einsum specs in a graph (G8)', () => {
  const specs = [
    'a'.repeat(1e5),
    `${'a,'.repeat(5e4)}a`,
    'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ->',
    'a->aa',
    'a->b',
    '...a...',
    '...,......',
    'a->->',
    '->',
    '→',
    'а->а',
    '\u0000',
    'a\u0301',
    '>',
    '-',
    '.',
    'a->a,b',
    ' '.repeat(1e5),
    '('.repeat(1e5),
    `sum(${'a'.repeat(1e5)}->a)`,
    'sum'.repeat(1e5),
  ];
  for (const spec of specs) {
    it(`end in time, as a result or as diagnostics: ${shown(spec)}`, () => {
      const text = interchange({ tensors: ['x', 'y'], nodes: [einsumNode(spec, [0], 1)], inputs: [0], outputs: [1] });
      const work = (): void => {
        const g = parseGraph(text);
        validate(g);
        try {
          inferShapes(g, { x: [2] });
        } catch (error) {
          expect(error).to.be.instanceOf(EinstreamError);
        }
      };
      const once = (): number => {
        const start = performance.now();
        work();
        return performance.now() - start;
      };
      expect(Math.min(once(), once(), once()), 'milliseconds').to.be.lessThan(50);
    });
  }
});
