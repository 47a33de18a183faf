/**
 * @file Every field of a graph that holds a text, by the builder and by both file formats: what becomes of a name there.
 *
 * Each field gives the elements of `2x` for x = [1, 2] when the name is taken; where it is no name but a word that must be
 * known, a typed error is right too.
 */
import {
  cast,
  constant,
  defineOp,
  einsum,
  evaluateSync,
  graph,
  input,
  js,
  mul,
  named,
  ops,
  param,
  slice,
  softLogic,
  softmax,
  sum,
  tensor,
  type Backend,
  type Graph,
  type GraphSymbol,
  type RunOptions,
  type Tensor,
} from '../../src/index.js';
import { parseGraph } from '../../src/graph/formats/parse.js';

export type Field = (name: string, backend: Backend) => Tensor;

const X = [1, 2];
const own = <T>(name: string, value: T): Readonly<Record<string, T>> => Object.fromEntries([[name, value]]);
const twice = (x: GraphSymbol): GraphSymbol => mul(x, 2);
const run = (
  made: Graph,
  backend: Backend,
  feeds: Readonly<Record<string, unknown>> = { x: X },
  options: RunOptions = {},
): Readonly<Record<string, Tensor>> => evaluateSync(made, feeds as never, { backend, ...options });

/** A graph of one rule from x to y. */
const ruled = (rule: (x: GraphSymbol) => GraphSymbol): Graph => graph({ x: input([2]) }, ({ x }) => ({ y: rule(x) }));
const byRule =
  (rule: (x: GraphSymbol, name: string) => unknown): Field =>
  (name, backend) =>
    run(
      ruled((x) => {
        rule(x, name);
        return twice(x);
      }),
      backend,
    )['y'];
const byOption =
  (option: string): Field =>
  (name, backend) =>
    run(ruled(twice), backend, { x: X }, { [option]: name })['y'];

const BUILDER: Readonly<Record<string, Field>> = {
  'an input': (name, backend) => run(graph(own(name, input([2])), (all) => ({ y: twice(all[name]) })), backend, own(name, X))['y'], // prettier-ignore
  'a param': (name, backend) => run(graph(own(name, param(tensor(X))), (all) => ({ y: twice(all[name]) })), backend, {})['y'], // prettier-ignore
  'a param that a feed overrides': (name, backend) => run(graph(own(name, param(tensor([7, 7]))), (all) => ({ y: twice(all[name]) })), backend, own(name, X))['y'], // prettier-ignore
  'a constant': (name, backend) => run(graph(own(name, constant(tensor(X))), (all) => ({ y: twice(all[name]) })), backend, {})['y'], // prettier-ignore
  'an output': (name, backend) =>
    run(
      graph({ x: input([2]) }, ({ x }) => own(name, twice(x))),
      backend,
    )[name],
  'a node': (name, backend) => run(ruled((x) => named(name, twice(x))), backend)['y'], // prettier-ignore
  'a kept value': (name, backend) => run(graph({ x: input([2]) }, ({ x }) => ({ z: sum(named(name, twice(x))) })), backend, { x: X }, { keep: [name] })[name], // prettier-ignore
  'a size': (name, backend) =>
    run(
      graph({ x: input([name]) }, ({ x }) => ({ y: twice(x) })),
      backend,
    )['y'],
  'a feed beside': (name, backend) => run(ruled(twice), backend, { ...own(name, X), x: X })['y'],
  'an einsum spec': byRule((x, name) => einsum(name, x)),
  'an einsum spec around a good one': byRule((x, name) => einsum(`i->i${name}`, x)),
  'an op': byRule((x, name) => (ops[name] as ((x: GraphSymbol) => unknown) | undefined)?.(x)),
  'a dtype': byRule((x, name) => cast(x, { dtype: name as never })),
  'an axis': byRule((x, name) => softmax(x, { axis: name as never })),
  'a parameter': byRule((x, name) => sum(x, own(name, 0))),
  'the kind of a slice': byRule((x, name) => slice(x, { kind: name } as never)),
  'an operand': byRule((x, name) => mul(x, name as never)),
  'a logic': byRule((_, name) => softLogic(name as never)),
  'the kind of kernels': (name) => run(ruled(twice), js({ kernels: name as never }))['y'],
  'the level': byOption('level'),
  'the way of composing': byOption('compose'),
  'an option': (name, backend) => run(ruled(twice), backend, { x: X }, own(name, 1))['y'],
};

/** Ops that users define stay for good, so these are for a process of its own. */
export const DEFINING: Readonly<Record<string, Field>> = {
  'an op of users': (name, backend) => {
    const op = defineOp<1>({ name: `${name}()`, doc: name, arity: 1, dtype: () => 'float32', shape: ([dims]) => dims, expr: (x) => x, examples: [[1, 1]] }); // prettier-ignore
    return run(ruled((x) => twice(op(x))), backend)['y']; // prettier-ignore
  },
};

const text = (value: unknown): string => JSON.stringify(value);
const interchange = (members: Readonly<Record<string, unknown>>): string =>
  text({
    tensors: ['x', 'y'],
    nodes: [{ op: { ElemUnary: { op: 'identity' } }, inputs: [0], outputs: [1] }],
    inputs: [0],
    outputs: [1],
    ...members,
  });
const node = (op: unknown, metadata?: unknown): Readonly<Record<string, unknown>> => ({
  op,
  inputs: [0],
  outputs: [1],
  ...(metadata === undefined ? {} : { metadata }),
});
const identity = { ElemUnary: { op: 'identity' } };
/** What the file's graph gives is one x; the field's elements are two, as the builder's. */
const read =
  (make: (name: string) => string, feedOf = (_name: string): string => 'x', outputOf = (_name: string): string => 'y'): Field =>
  (name, backend) => {
    const value = run(parseGraph(make(name)), backend, own(feedOf(name), tensor(X)))[outputOf(name)];
    return mul(value, 2);
  };
const raw = (name: string, value: string): string => `${text(name)}:${value}`;

const INTERCHANGE: Readonly<Record<string, Field>> = {
  'an input tensor': read((name) => interchange({ tensors: [name, `${name}y`] }), (name) => name, (name) => `${name}y`), // prettier-ignore
  'an output tensor': read((name) => interchange({ tensors: ['x', name] }), undefined, (name) => (name === 'x' ? 'x#1' : name)), // prettier-ignore
  'metadata of a node': read((name) => interchange({ nodes: [node(identity, { name, note: name })] })),
  'a key of metadata': read((name) => `{"tensors":["x","y"],"nodes":[{"op":${text(identity)},"inputs":[0],"outputs":[1],"metadata":{${raw(name, '{"x":1}')}}}],"inputs":[0],"outputs":[1]}`), // prettier-ignore
  'metadata of a tensor': read((name) => interchange({ tensor_metadata: { 0: { name, [`k${name}`]: name } } })),
  'a key of tensor metadata': read((name) => `{"tensors":["x","y"],"nodes":[${text(node(identity))}],"inputs":[0],"outputs":[1],"tensor_metadata":{${raw(name, '{"x":1}')}}}`), // prettier-ignore
  'the date of an envelope': read((name) => text({ version: '1.0.0', created_at: name, metadata: { name }, graph: JSON.parse(interchange({})) as unknown })), // prettier-ignore
  'the version of an envelope': read((name) => text({ version: name, graph: JSON.parse(interchange({})) as unknown })),
  'the kind of an op': read((name) => `{"tensors":["x","y"],"nodes":[{"op":{${raw(name, '{"op":"exp"}')}},"inputs":[0],"outputs":[1]}],"inputs":[0],"outputs":[1]}`), // prettier-ignore
  'a unary op': read((name) => interchange({ nodes: [node({ ElemUnary: { op: name } })] })),
  'a binary op': read((name) => interchange({ nodes: [{ op: { ElemBinary: { op: name } }, inputs: [0, 0], outputs: [1] }] })),
  'a reduction': read((name) => interchange({ nodes: [node({ Reduce: { op: name, axes: [] } })] })),
  'an einsum spec': read((name) => interchange({ nodes: [node({ Einsum: { spec: name } })] })),
  'a wrapped spec': read((name) => interchange({ nodes: [node({ Einsum: { spec: `${name}(a->a)` } })] })),
  'the inside of a wrapped spec': read((name) => interchange({ nodes: [node({ Einsum: { spec: `sum(${name})` } })] })),
  'a constant': read((name) => interchange({ tensors: ['x', 'y', `const_${name}`] })),
  'a key that is not known': read((name) => `{${raw(name, '{"x":1}')},${interchange({}).slice(1)}`),
};

const ours = (members: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}): string =>
  text({
    einstream: 1,
    nodes: [
      { op: 'input', name: 'x', dims: [2], dtype: 'float32' },
      { id: 1, op: 'identity', inputs: [0], ...members },
    ],
    inputs: [0],
    outputs: [{ name: 'y', id: 1 }],
    ...more,
  });
const first = (members: Readonly<Record<string, unknown>>): string =>
  ours(
    {},
    {
      nodes: [
        { op: 'input', name: 'x', dims: [2], dtype: 'float32', ...members },
        { id: 1, op: 'identity', inputs: [0] },
      ],
    },
  );

const OURS: Readonly<Record<string, Field>> = {
  'a node': read((name) => ours({ name })),
  'an input': read((name) => first({ name }), (name) => name), // prettier-ignore
  'an output': read((name) => ours({}, { outputs: [{ name, id: 1 }] }), undefined, (name) => name), // prettier-ignore
  'an op': read((name) => ours({ op: name })),
  'a parameter': read((name) => ours({ params: own(name, 0) })),
  'a dtype in a parameter': read((name) => ours({ op: 'cast', params: { dtype: name } })),
  'an einsum spec': read((name) => ours({ op: 'einsum', params: { spec: name } })),
  'an op of a fused group': read((name) => ours({ op: 'fused', params: { steps: [{ op: name, params: {}, args: [0] }] } })),
  'a parameter of a fused group': read((name) => ours({ op: 'fused', params: { steps: [{ op: 'elu', params: { alpha: name }, args: [name] }] } })), // prettier-ignore
  'an op of a fused contraction': read((name) => ours({ op: 'fusedContraction', params: { steps: [{ op: name, params: {}, args: [0, 0] }, { op: name, params: {}, args: [1] }] } })), // prettier-ignore
  'an op of a fused fold': read((name) => ours({ op: 'fusedFold', params: { steps: [{ op: 'sum', params: {}, args: [0] }, { op: name, params: {}, args: [0] }] } })), // prettier-ignore
  'a parameter of a fused fold': read((name) => ours({ op: 'fusedFold', params: { steps: [{ op: 'sum', params: { axis: name }, args: [name] }] } })), // prettier-ignore
  'an einsum spec in a fused contraction': read((name) => ours({ op: 'fusedContraction', params: { steps: [{ op: 'einsum', params: { spec: name }, args: [0] }, { op: 'relu', params: {}, args: [1] }] } })), // prettier-ignore
  'a size': read((name) => first({ dims: [name] })),
  'a dtype': read((name) => first({ dtype: name })),
  'a file of a location': read((name) => ours({ location: { file: name, line: 1 } })),
  metadata: read((name) => ours({ metadata: own(name, { x: name }) }, { metadata: own(name, { x: name }) })),
  'a value': read((name) => ours({}, { nodes: [{ op: 'input', name: 'x', dims: [2] }, { id: 1, op: 'identity', inputs: [0] }, { id: 2, op: 'constant', value: { shape: [2], dtype: name, data: name } }] })), // prettier-ignore
};

const titled = (entry: string, fields: Readonly<Record<string, Field>>): readonly (readonly [string, Field])[] =>
  Object.entries(fields).map(([what, field]) => [`${what} (${entry})`, field]);

/** All of them, by what the text names. */
export const NAME_FIELDS: ReadonlyMap<string, Field> = new Map([
  ...titled('builder', BUILDER),
  ...titled('interchange format', INTERCHANGE),
  ...titled('own format', OURS),
]);
