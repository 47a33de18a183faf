/**
 * @file The interchange document: a graph, or an envelope of version, date and metadata around one.
 */
import { fault, excerpt } from '../../../errors/index.js';
import type { Graph } from '../../graph.js';
import type { JsonReader, JsonValue } from '../../json/index.js';
import type { GraphLimits } from '../limits.js';
import { linkGraph, type LinkOptions } from './link.js';
import { graphReader } from './read.js';

/** The major version of the envelope that this reader knows. */
const MAJOR = '1';

export function interchangeReader(
  reader: JsonReader,
  limits: Pick<GraphLimits, 'nodes' | 'tensors'>,
  options: LinkOptions,
): { member(key: string): void; result(): Graph } {
  const { raw, member } = graphReader(reader, limits, options.paramsOf);
  const envelope = Object.create(null) as Record<string, JsonValue>;
  let isEnveloped = false;
  const inner = (key: string): void => void member(key);
  return {
    member(key) {
      if (key === 'graph' && raw.nodes === undefined && reader.peek() === 'object') {
        isEnveloped = true;
        reader.object(inner);
      } else if (key === 'version' || key === 'created_at' || key === 'metadata') envelope[key] = reader.value();
      else if (!isEnveloped) member(key);
    },
    result() {
      const { tensors, nodes } = raw;
      if (tensors === undefined || nodes === undefined) {
        throw fault('E_PARSE', {
          place: 'graph',
          rule: 'a graph must have "tensors" and "nodes", or start with "einstream"',
          actual: tensors === undefined ? 'no "tensors"' : 'no "nodes"',
        });
      }
      if (isEnveloped) requireMajor(envelope['version']);
      return linkGraph({ ...raw, tensors, nodes }, options, isEnveloped ? Object.freeze(envelope) : undefined);
    },
  };
}

function requireMajor(version: JsonValue | undefined): void {
  if (typeof version === 'string' && version.split('.')[0] === MAJOR) return;
  throw fault('E_PARSE', {
    place: 'version',
    rule: 'the version of the envelope must be known',
    expected: `"${MAJOR}.x.y"`,
    actual: version === undefined ? 'none' : typeof version === 'string' ? `"${excerpt(version, 20)}"` : typeof version,
  });
}
