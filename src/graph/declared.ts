/**
 * @file What `graph` is given and what its function returns: checked before anything is made of it.
 */
import { fault } from '../errors/index.js';
import { isOperand, isTraced, type Operand } from '../ops/interpreter.js';
import { Tensor } from '../tensor/tensor.js';
import { described } from './check-graph.js';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Tensor) && !isTraced(value);

/** @throws EinstreamError E_ARGUMENT for declarations that are no record, or for what is no function */
export function checkGraphArguments(declarations: unknown, build: unknown): void {
  if (!isRecord(declarations))
    throw fault('E_ARGUMENT', {
      place: 'graph',
      rule: 'inputs are declared by name',
      expected: '{ x: input(…) }',
      actual: described(declarations),
    });
  if (typeof build !== 'function')
    throw fault('E_ARGUMENT', {
      place: 'graph',
      rule: 'behind the declarations comes a function from their symbols to outputs by name',
      expected: '({ x }) => ({ y: … })',
      actual: described(build),
    });
}

/** @throws EinstreamError E_ARGUMENT for what `input`, `param` or `constant` did not make */
export function checkDeclaration(name: string, declared: unknown): void {
  if (isRecord(declared) && ['input', 'param', 'constant'].includes(declared['declares'] as string)) return;
  throw fault('E_ARGUMENT', {
    place: name,
    rule: 'a name of a graph is declared by input, param or constant',
    expected: `${name}: input([…])`,
    actual: described(declared),
  });
}

/** @throws EinstreamError E_ARGUMENT for what is no record by name of symbols, tensors and numbers */
export function checkOutputs(built: unknown): asserts built is Readonly<Record<string, Operand>> {
  if (!isRecord(built) || built instanceof Promise)
    throw fault('E_ARGUMENT', {
      place: 'graph',
      rule: 'the function gives outputs by name',
      expected: '{ y: … }',
      actual: described(built),
      ...(isTraced(built) && { hint: 'give it a name: ({ x }) => ({ y: … })' }),
    });
  for (const [name, value] of Object.entries(built)) {
    if (isOperand(value)) continue;
    throw fault('E_ARGUMENT', {
      place: name,
      rule: 'an output is a value of the graph, a tensor or a number',
      actual: described(value),
      ...(Array.isArray(value) && { hint: 'wrap it: tensor(…)' }),
    });
  }
}
