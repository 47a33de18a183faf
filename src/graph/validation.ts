/**
 * @file `validate` as a record with counts, for those who want more than a list.
 */
import type { Diagnostic } from '../errors/index.js';
import { isOpNode, nodesOf, type Graph } from './graph.js';
import { faultsOf, throwIfBroken } from './validate/validate.js';
import { warningsOf } from './validate/warnings.js';

/** Counts of a graph. */
export interface ValidationStats {
  readonly nodes: number;
  /** Nodes that compute. */
  readonly operations: number;
  readonly inputs: number;
  readonly outputs: number;
}

/** What `validationOf` found, with counts; two of them merge into one. */
export interface Validation {
  readonly isValid: boolean;
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  readonly stats: ValidationStats;
  /** Both results as one: valid when both are, the counts added. */
  merge(other: Validation): Validation;
}

/**
 * Validates a graph and sums it up.
 *
 * ```ts
 * validationOf(graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }))).isValid // => true
 * ```
 */
export function validationOf(graph: Graph): Validation {
  return validation(faultsOf(graph).listed, warningsOf(graph), statsOf(graph));
}

/**
 * Gives the validation of a sound graph.
 *
 * ```ts
 * validateOrThrow(graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }))).stats.operations // => 1
 * validateOrThrow(graph({ x: input([2]) }, () => ({}))) // => throws a graph must have an output
 * ```
 *
 * @throws EinstreamError the first fault, with all of them in `diagnostic.related`
 */
export function validateOrThrow(graph: Graph): Validation {
  throwIfBroken(graph);
  return validationOf(graph);
}

function validation(errors: readonly Diagnostic[], warnings: readonly Diagnostic[], stats: ValidationStats): Validation {
  return Object.freeze({
    isValid: errors.length === 0,
    errors,
    warnings,
    stats,
    merge: (other: Validation) =>
      validation([...errors, ...other.errors], [...warnings, ...other.warnings], sum(stats, other.stats)),
  });
}

const sum = (a: ValidationStats, b: ValidationStats): ValidationStats => ({
  nodes: a.nodes + b.nodes,
  operations: a.operations + b.operations,
  inputs: a.inputs + b.inputs,
  outputs: a.outputs + b.outputs,
});

function statsOf(graph: Graph): ValidationStats {
  let [nodes, operations] = [0, 0];
  for (const node of nodesOf(graph)) {
    nodes++;
    if (isOpNode(node)) operations++;
  }
  return { nodes, operations, inputs: graph.inputs.length, outputs: graph.outputs.length };
}
