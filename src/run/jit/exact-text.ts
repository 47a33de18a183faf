/**
 * @file All that a graph says, as one text: graphs with equal texts can stand for each other, ids, names and errors included.
 *
 * Programs that build the same graph for each request would never get hot if graphs were told apart by identity.
 */
import { bytesOf, toBase64 } from '../../graph/base64.js';
import { isOpNode, isValueNode, nodesOf, type Graph } from '../../graph/graph.js';
import { plainText, textOfParams } from '../../graph/plainText.js';
import { byteSize } from '../../tensor/dtype.js';
import { isGone } from '../../tensor/tensor.js';

const MOST_NODES = 1000;
const MOST_BYTES = 2 ** 14;

/** Undefined where a graph is so large, or holds so much, that comparing costs more than it is worth. */
export function exactText(graph: Graph): string | undefined {
  if (graph.size > MOST_NODES || graph.faults.length > 0) return undefined;
  const lines: string[] = [];
  let bytes = 0;
  for (const node of nodesOf(graph)) {
    const { id, op, name, location, inputs } = node;
    let what: string;
    if (isOpNode(node)) what = textOfParams(node.params);
    else if (isValueNode(node)) {
      const { dtype, shape, size } = node.value;
      if (isGone(node.value)) return undefined;
      bytes += size * byteSize(dtype);
      if (bytes > MOST_BYTES) return undefined;
      what = `${dtype} ${shape.join()} ${toBase64(bytesOf(node.value.data))}`;
    } else what = plainText([node.dtype, node.dims]);
    lines.push(`${id} ${plainText([op, name, location])} ${inputs.join()} ${what}`);
  }
  lines.push(graph.inputs.join(), plainText(graph.outputs));
  return lines.join('\n');
}
