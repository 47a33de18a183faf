/**
 * @file `graph`: a graph is written as a function of its inputs, with the same ops that compute on tensors.
 *
 * Each call on a symbol adds a node and infers its shape at once, so a mistake fails at the faulty call.
 */
import { fault } from '../errors/index.js';
import { isDType, isComputed, type ComputedDType } from '../tensor/dtype.js';
import { Tensor, tensorOver } from '../tensor/tensor.js';
import { arrayOf } from '../tensor/dtype.js';
import type { Dims } from '../ops/dims.js';
import { INTERPRETER, isTraced, type Interpreter, type Operand, type Traced } from '../ops/interpreter.js';
import type { AnyOp, Params } from '../ops/op.js';
import { weakDType } from '../ops/weak.js';
import {
  chunked,
  type ConstantNode,
  type Graph,
  type Names,
  type Node,
  type NodeId,
  type Output,
  type ParamNode,
} from './graph.js';
import { checkDeclaration, checkGraphArguments, checkOutputs } from './declared.js';
import { inferNode, type ValueType } from './infer.js';

/** A value of a graph under construction. */
export interface GraphSymbol extends Traced, ValueType {
  readonly id: NodeId;
}

/** What `input`, `param` and `constant` declare. */
export interface Declaration<K extends 'input' | 'param' | 'constant' = 'input' | 'param' | 'constant'> {
  readonly declares: K;
  readonly dims?: Dims;
  readonly dtype?: ComputedDType;
  readonly value?: Tensor;
}

/**
 * Declares an input. Each dim is a size, a name (equal names are equal sizes) or null (any size).
 *
 * ```ts
 * inferShapes(graph({ x: input(['n', 3]) }, ({ x }) => ({ y: sum(x, { axis: 1 }) })), { x: [2, 3] }).get('y') // => [2]
 * ```
 *
 * @param options.dtype the element type that feeds must have; float32 by default
 * @throws EinstreamError E_ARGUMENT for a dim that is no size, name or null, or a dtype that is not computed with
 */
export function input(dims: Dims, options: { readonly dtype?: ComputedDType } = {}): Declaration<'input'> {
  const copy = Array.from(dims);
  for (const dim of copy) {
    const fits =
      dim === null ||
      (typeof dim === 'string' && dim !== '') ||
      (typeof dim === 'number' && Number.isSafeInteger(dim) && dim >= 0);
    if (!fits)
      throw fault('E_ARGUMENT', {
        place: 'input',
        rule: 'a dim is a size ≥ 0, a name, or null for any size',
        actual: String(dim),
      });
  }
  const dtype = options.dtype ?? 'float32';
  if (!isDType(dtype) || !isComputed(dtype))
    throw fault('E_ARGUMENT', {
      place: 'input',
      rule: 'an input has a computed dtype',
      expected: 'bool, int32, float32 or float64',
      actual: String(dtype),
    });
  return Object.freeze({ declares: 'input', dims: Object.freeze(copy), dtype });
}

/**
 * Declares a value that the graph carries and a feed may override, such as a weight.
 *
 * ```ts
 * const g = graph({ x: input([2]), w: param(tensor([10, 20])) }, ({ x, w }) => ({ y: mul(x, w) }));
 * evaluateSync(g, { x: [1, 2] }).y.toArray() // => [10, 40]
 * evaluateSync(g, { x: [1, 2], w: [0, 1] }).y.toArray() // => [0, 2]
 * ```
 */
export const param = (value: Tensor): Declaration<'param'> => Object.freeze({ declares: 'param', value });

/**
 * Declares a value that nothing overrides. Tensors and numbers among operands become constants by themselves.
 *
 * ```ts
 * const g = graph({ x: input([2]), c: constant(tensor([10, 20])) }, ({ x, c }) => ({ y: add(x, c) }));
 * evaluateSync(g, { x: [1, 2] }).y.toArray() // => [11, 22]
 * ```
 */
export const constant = (value: Tensor): Declaration<'constant'> => Object.freeze({ declares: 'constant', value });

type Declarations = Readonly<Record<string, Declaration>>;
type SymbolsOf<D> = { readonly [K in keyof D]: GraphSymbol };

/** Adds nodes to a graph under construction. */
export interface Builder extends Interpreter {
  add(make: (id: NodeId) => Node): GraphSymbol;
  symbolOf(operand: Operand, like: ComputedDType | undefined): GraphSymbol;
  /** The symbol of a node that is there. */
  symbolAt(id: NodeId): GraphSymbol;
  rename(id: NodeId, name: string): void;
}

/**
 * A builder that goes on where `nodes` end; `types` are theirs. Both grow.
 *
 * @param numbers where given, equal numbers of one dtype become one constant: rules for gradients write the same few all over
 */
export function builder(
  nodes: (Node | undefined)[],
  types: (ValueType | undefined)[] = [],
  numbers?: Map<string, GraphSymbol>,
): Builder {
  const find = (id: NodeId): Node | undefined => nodes[id];
  const symbolAt = (id: NodeId): GraphSymbol => {
    const { dims, dtype } = types[id]!;
    return Object.freeze({ [INTERPRETER]: self, id, dims, dtype });
  };
  const self: Builder = {
    level: 2,
    symbolAt,
    add(make) {
      const node = make(nodes.length);
      const type = inferNode(
        node,
        node.inputs.map((id) => types[id]!),
        find,
      );
      nodes.push(node);
      types.push(type);
      return symbolAt(node.id);
    },
    symbolOf(operand, like) {
      if (isTraced(operand)) {
        if (operand[INTERPRETER] === self) return operand as GraphSymbol;
        throw fault('E_GRAPH', {
          place: 'graph',
          rule: 'a symbol belongs to the graph whose function it was given to',
          hint: 'pass values between graphs as inputs',
        });
      }
      const constantOf = (value: Tensor) => self.add((id) => ({ id, op: 'constant', inputs: [], value }));
      if (operand instanceof Tensor) return constantOf(operand);
      if (numbers === undefined) return constantOf(scalarTensor(operand, like));
      const key = `${like} ${Object.is(operand, -0) ? '-0' : String(operand)}`;
      let symbol = numbers.get(key);
      if (symbol === undefined) numbers.set(key, (symbol = constantOf(scalarTensor(operand, like))));
      return symbol;
    },
    apply(op: AnyOp, operands: readonly Operand[], params: Params) {
      const like = weakDType(
        operands.filter((operand) => typeof operand !== 'number').map((operand) => (operand as GraphSymbol | Tensor).dtype),
        operands.filter((operand): operand is number => typeof operand === 'number'),
      );
      const inputs = operands.map((operand) => self.symbolOf(operand, like).id);
      return self.add((id) => ({ id, op: op.name, inputs, params }));
    },
    rename(id, name) {
      nodes[id] = { ...nodes[id]!, name };
    },
  };
  return self;
}

function scalarTensor(value: number, dtype: ComputedDType = 'float32'): Tensor {
  const array = new (arrayOf(dtype))(1) as Float64Array; // one type stands for all that hold numbers
  array[0] = value;
  return tensorOver(array, dtype, []);
}

/**
 * Builds a graph from declared inputs and a function from their symbols to named outputs.
 *
 * ```ts
 * const g = graph({ x: input(['n', 2]), w: param(ones([2, 3])) }, ({ x, w }) => ({ y: relu(einsum('ni,io->no', x, w)) }));
 * evaluateSync(g, { x: [[1, 2]] }).y.toArray() // => [[3, 3, 3]]
 * ```
 *
 * @throws EinstreamError at the faulty call inside `build`; E_ARGUMENT for declarations or outputs that are none
 */
export function graph<const D extends Declarations, O extends Readonly<Record<string, Operand>>>(
  declarations: D,
  build: (symbols: SymbolsOf<D>) => O,
): Graph<D, O> {
  checkGraphArguments(declarations, build);
  const nodes: Node[] = [];
  const into = builder(nodes);
  const symbols = Object.create(null) as Record<string, GraphSymbol>;
  const inputs: NodeId[] = [];
  for (const [name, declared] of Object.entries(declarations)) {
    checkDeclaration(name, declared);
    const symbol = into.add((id) => declaredNode(id, name, declared));
    if (declared.declares !== 'constant') inputs.push(symbol.id);
    symbols[name] = symbol;
  }
  const built = build(symbols as SymbolsOf<D>);
  checkOutputs(built);
  const outputs: Output[] = Object.entries(built).map(([name, operand]) => {
    const { id } = into.symbolOf(operand, undefined);
    if (nodes[id].name === undefined) into.rename(id, name);
    return { name, id };
  });
  return freezeGraph<D, O>({ chunks: chunked(nodes), size: nodes.length, inputs, outputs, faults: [] });
}

function declaredNode(id: NodeId, name: string, declared: Declaration): Node {
  if (declared.declares === 'input') return { id, name, op: 'input', inputs: [], dims: declared.dims, dtype: declared.dtype };
  if (declared.value instanceof Tensor)
    return { id, name, op: declared.declares, inputs: [], value: declared.value } as ParamNode | ConstantNode;
  throw fault('E_ARGUMENT', {
    place: name,
    rule: `${declared.declares} takes a tensor`,
    actual: typeof declared.value,
    hint: 'wrap it: tensor(…)',
  });
}

export const freezeGraph = <I extends Names, O extends Names>(record: Graph<I, O>): Graph<I, O> => {
  Object.freeze(record.inputs);
  for (const output of record.outputs) Object.freeze(output);
  Object.freeze(record.outputs);
  Object.freeze(record.faults);
  return Object.freeze(record);
};

/**
 * Gives a symbol's value a name, by which `keep`, errors and exports call it.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(named('squares', square(x))) }));
 * evaluateSync(g, { x: [3, 4] }, { keep: ['squares'] }).squares.toArray() // => [9, 16]
 * ```
 */
export function named(name: string, symbol: GraphSymbol): GraphSymbol {
  (symbol[INTERPRETER] as Builder).rename(symbol.id, name);
  return symbol;
}
