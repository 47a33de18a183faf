/** @file Our own versioned form keeps everything. */
import { expect } from 'chai';
import fc from 'fast-check';
import { constant, graph, input, named, param } from '../../../src/graph/builder.js';
import { equivalent, keyOf } from '../../../src/graph/canonical.js';
import { parseGraph } from '../../../src/graph/formats/parse.js';
import { serializeGraph } from '../../../src/graph/formats/serialize.js';
import { nodeOf, type OpNode, type ParamNode } from '../../../src/graph/graph.js';
import { validate } from '../../../src/graph/validate/validate.js';
import { clip, concat, einsum, layerNorm, sum } from '../../../src/ops/index.js';
import { STORAGE_DTYPES, arrayOf } from '../../../src/tensor/dtype.js';
import { tensorOver, type Tensor } from '../../../src/tensor/tensor.js';
import { tensor } from '../../../src/tensor/create.js';
import { interchange, unary } from '../../support/interchange.js';
import { plainGraph } from '../../support/plainGraph.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph } from '../../support/random-graph.js';

const again = (g: Parameters<typeof serializeGraph>[0]) => parseGraph(serializeGraph(g));
const withConstant = (value: Tensor) => graph({ c: constant(value) }, ({ c }) => ({ y: c }));
const text = (node: string) => `{"einstream":1,"nodes":[${node}],"inputs":[],"outputs":[{"name":"y","id":0}]}`;

describe('the form einstream', () => {
  it('gives back an equal graph, by equivalence and by structure, for every graph', () => {
    fc.assert(
      fc.property(randomGraph(), ({ graph: g }) => {
        const copy = again(g);
        expect(plainGraph(copy)).to.deep.equal(plainGraph(g));
        expect(equivalent(copy, g)).to.equal(true);
        expect(keyOf(copy)).to.equal(keyOf(g));
        expect(serializeGraph(copy)).to.equal(serializeGraph(g));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(100, 5_000, 200_000) },
    );
  });

  it('keeps dims, dtypes, names, parameters and their defaults', () => {
    const g = graph({ x: input(['n', 3, null], { dtype: 'int32' }), w: param(tensor([1, 2, 3])), z: input([]) }, ({ x, w }) => ({
      y: concat([named('inner', clip(sum(x, { axis: 2 }), { max: Infinity })), einsum('a->ba', w, { sizes: { b: 2 } })], {
        axis: 0,
      }),
      ln: layerNorm(x, { eps: 1e-3 }),
    }));
    const copy = again(g);
    expect(plainGraph(copy)).to.deep.equal(plainGraph(g));
    const clipped = [...Array(g.size).keys()].map((id) => nodeOf(copy, id)).find(({ op }) => op === 'clip') as OpNode;
    expect(clipped.params['max']).to.equal(Infinity);
  });

  it('keeps metadata, locations, further outputs and what nothing produces', () => {
    const g = parseGraph(
      interchange({
        tensors: ['x', 'a', 'b', 'ghost', 'const_2'],
        nodes: [
          { ...unary('exp', 0, 1, 2), metadata: { span: { file: 'f', line: 2 }, deep: [{ $: 1 }, null, -0.5, 'é\u2028"'] } },
        ],
        inputs: [0],
        outputs: [2],
        tensor_metadata: { '0': { name: 'in' } },
      }),
    );
    expect(plainGraph(again(g))).to.deep.equal(plainGraph(g));
  });

  it('keeps the faults of a broken graph', () => {
    const g = parseGraph(
      interchange({ tensors: ['x', 'y'], nodes: [unary('exp', 0, 1), unary('nope', 7, 1)], inputs: [0], outputs: [1, 9] }),
    );
    const copy = again(g);
    expect(plainGraph(copy)).to.deep.equal(plainGraph(g));
    expect(validate(copy).map(({ message }) => message)).to.deep.equal(validate(g).map(({ message }) => message));
  });

  it('keeps every bit of a tensor: -0, infinities, the payload of a NaN, int64', () => {
    const payloads = new Float32Array(new Uint32Array([0x7fc00001, 0xffc12345, 0x80000000, 0x7f800000, 0x00000001]).buffer);
    const values = [
      tensorOver(payloads, 'float32', [5]),
      tensorOver(new Float64Array(new BigUint64Array([0x7ff8000000000123n, 0x8000000000000000n]).buffer), 'float64', [2]),
      tensorOver(Float64Array.of(0.1, 1 / 3, 5e-324, -0, 1.7976931348623157e308), 'float64', [5]),
      tensorOver(BigInt64Array.of(2n ** 62n + 1n, -1n), 'int64', [2]),
      tensorOver(Int32Array.of(-(2 ** 31), 2 ** 31 - 1), 'int32', [2, 1]),
      tensorOver(Uint8Array.of(1, 0, 1), 'bool', [3]),
      tensorOver(new Float32Array(0), 'float32', [0, 3]),
      tensorOver(
        Float32Array.from({ length: 1000 }, (_, i) => i / 7),
        'float32',
        [10, 100],
      ),
      ...STORAGE_DTYPES.map((dtype) => tensorOver(new (arrayOf(dtype))(3), dtype, [3])),
    ];
    for (const value of values) {
      const g = { ...withConstant(tensor(0)), chunks: [[{ id: 0, name: 'c', op: 'constant', inputs: [], value }]] } as never;
      expect(plainGraph(again(g))).to.deep.equal(plainGraph(g));
    }
  });

  it('takes few numbers as people write them: flat with a shape, or nested', () => {
    for (const value of ['{"dtype":"int32","shape":[2,2],"data":[1,2,3,4]}', '{"data":[[1,2],[3,4]],"dtype":"int32"}']) {
      const node = nodeOf(parseGraph(text(`{"op":"constant","value":${value}}`)), 0) as ParamNode;
      expect([node.value.dtype, node.value.toArray()]).to.deep.equal(['int32', [[1, 2], [3, 4]]]); // prettier-ignore
    }
  });

  it('finds ops by alias and fills in default parameters', () => {
    const node = nodeOf(
      parseGraph(
        '{"einstream":1,"nodes":[{"op":"input","dims":[2]},{"id":1,"op":"sum","inputs":[0]}],"inputs":[0],"outputs":[]}',
      ),
      1,
    ) as OpNode;
    expect({ ...node.params }).to.deep.equal({ axis: null, keepdims: false });
  });

  const refused: readonly (readonly [string, string, string, string])[] = [
    ['another version', '{"einstream":2}', 'E_PARSE', 'the version of the form'],
    ['a version that does not come first', '{"nodes":[],"einstream":1}', 'E_PARSE', 'comes first'],
    ['a node without an op', text('{}'), 'E_PARSE', 'must have "op"'],
    ['a constant without a value', text('{"op":"constant"}'), 'E_PARSE', 'must have a "value"'],
    ['a value without elements', text('{"op":"constant","value":{}}'), 'E_PARSE', 'neither'],
    ['a negative id', text('{"id":-1,"op":"input"}'), 'E_PARSE', 'an integer ≥ 0'],
    ['an id beyond the limit', text('{"id":4000000,"op":"input"}'), 'E_LIMIT', 'tensors must stay below'],
    ['dims that are no list', text('{"op":"input","dims":{"0":1}}'), 'E_PARSE', 'dims are a list'],
    ['an unknown dtype', text('{"op":"input","dtype":"float33"}'), 'E_PARSE', 'a dtype must be known'],
  ];
  for (const [what, json, code, message] of refused) {
    it(`refuses ${what}`, () => {
      expect(() => parseGraph(json))
        .to.throw(message)
        .with.property('code', code);
    });
  }

  const kept: readonly (readonly [string, string, string])[] = [
    ['too few elements', '{"shape":[3],"data":[1,2]}', 'E001'],
    ['base64 of another length', '{"shape":[3],"base64":"AAAAAAAAAAA="}', 'E001'],
    ['base64 that is none', '{"shape":[1],"base64":"AA A"}', 'E001'],
    ['a negative size', '{"shape":[-1],"data":[]}', 'E001'],
    ['a size beyond 2^31', '{"shape":[2147483648],"data":[]}', 'E_LIMIT'],
    ['a product beyond the limit', '{"shape":[65536,65536,0],"data":[]}', 'E_LIMIT'],
    ['65 axes', `{"shape":[${Array(65).fill(1).join()}],"data":[1]}`, 'E_LIMIT'],
    ['an unknown dtype', '{"dtype":"complex64","data":[1]}', 'E002'],
    ['a fraction among integers', '{"dtype":"int32","data":[1.5]}', 'E002'],
    ['a bool of 2', '{"dtype":"bool","data":[2]}', 'E002'],
  ];
  for (const [what, value, code] of kept) {
    it(`keeps a value with ${what} as a fault for validate (G4)`, () => {
      const errors = validate(parseGraph(text(`{"op":"constant","name":"c","value":${value}}`))).filter(
        ({ severity }) => severity === 'error',
      );
      expect(errors.map((error) => error.code)).to.deep.equal([code]);
      expect(errors[0].place).to.equal('c');
    });
  }
});
