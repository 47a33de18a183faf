/**
 * @file A graph from a text: the EinsumGraph interchange JSON, bare or in its envelope, or our own versioned form.
 */
import { describeValue, fault } from '../../errors/index.js';
import { COMPUTED_DTYPES } from '../../tensor/dtype.js';
import type { Graph } from '../graph.js';
import { jsonReader } from '../json/index.js';
import { interchangeReader } from './interchange/document.js';
import { graphLimits, type ParseOptions } from './limits.js';
import { ownReader } from './own/read.js';
import { paramsReader } from './params.js';

/**
 * Reads a graph. The text is read in one pass, strictly, from its bytes; unknown keys are left alone.
 *
 * Two forms are told apart by themselves. The interchange form is `{ tensors, nodes, inputs, outputs, tensor_metadata? }`,
 * also inside `{ version: "1.…", created_at, metadata, graph }`: a node's id is the index of its tensor; tensors called
 * `const_<number>` are constants; without `inputs`, every tensor that nothing produces is one. Our own form starts with
 * `"einstream": 1` and keeps everything: see `serializeGraph`.
 *
 * Faults of structure do not throw: they stay in the graph for `validate`, which lists all of them.
 *
 * ```ts
 * const g = parseGraph('{"tensors": ["x", "y"], "nodes": [{"op": {"ElemUnary": {"op": "relu"}}, "inputs": [0], "outputs": [1]}], "inputs": [0], "outputs": [1]}');
 * g.outputs // => [{ name: 'y', id: 1 }]
 * ```
 *
 * @param options limits (256 MiB, 2,000,000 nodes, depth 64 and others, see `GRAPH_LIMITS`); `sizes` of einsum letters and `dtype`
 *   for the interchange form
 * @throws EinstreamError E_PARSE with line, column and caret where the text does not follow the form, or is of another version;
 *   E_LIMIT one past a limit; E_ARGUMENT for options that are not usable
 */
export function parseGraph(json: string | Uint8Array, options: ParseOptions = {}): Graph {
  checkOptions(options);
  const limits = graphLimits(options);
  const reader = jsonReader(json, options, options.place);
  const paramsOf = paramsReader();
  const interchange = interchangeReader(reader, limits, { sizes: options.sizes, dtype: options.dtype, paramsOf });
  let form: { member(key: string): void; result(): Graph } = interchange;
  let isFirst = true;
  reader.object((key) => {
    if (key === 'einstream') {
      if (!isFirst) throw reader.fault('E_PARSE', { rule: '"einstream" comes first, so that the rest is read by its version' });
      const at = reader.offset();
      const version = reader.integer();
      if (version !== 1)
        throw reader.fault(
          'E_PARSE',
          { rule: 'the version of the form must be known', expected: '"einstream": 1', actual: String(version) },
          at,
        );
      form = ownReader(reader, limits, paramsOf);
    } else form.member(key);
    isFirst = false;
  });
  reader.end();
  return form.result();
}

function checkOptions({ dtype, sizes }: ParseOptions): void {
  if (dtype !== undefined && !COMPUTED_DTYPES.includes(dtype)) {
    throw fault('E_ARGUMENT', {
      place: 'dtype',
      rule: 'inputs have a computed dtype',
      expected: COMPUTED_DTYPES.join(', '),
      actual: describeValue(dtype),
    });
  }
  for (const [letter, size] of Object.entries(sizes ?? {})) {
    if (/^[A-Za-z]$/.test(letter) && Number.isSafeInteger(size) && size >= 0) continue;
    throw fault('E_ARGUMENT', {
      place: 'sizes',
      rule: 'sizes are integers ≥ 0 by letter',
      expected: '{ b: 3 }',
      actual: `${describeValue(letter)}: ${describeValue(size)}`,
    });
  }
}
