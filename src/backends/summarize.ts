/**
 * @file A backend's capabilities as text for people.
 */
import { humanBytes } from '../errors/index.js';
import type { BackendCapabilities } from './backend.js';

/**
 * What a backend can do, a line for each part; parts with nothing to say are left out.
 *
 * ```ts
 * summarize(js().capabilities).split('\n')[0] // => 'js 1'
 * ```
 */
export function summarize(capabilities: BackendCapabilities): string {
  const {
    name,
    version,
    devices,
    dtypes,
    features,
    maxDims,
    maxTensorBytes,
    asynchronous,
    excludes = [],
    remarks,
  } = capabilities;
  const part = (title: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`  ${title.padEnd(9)}${items.join(', ')}`];
  return [
    `${name} ${version}`,
    ...part(
      'devices',
      devices.map(({ type, index }) => `${type}:${index}`),
    ),
    ...part('dtypes', dtypes),
    ...part('features', features),
    ...part('limits', [`${maxDims} axes`, `${humanBytes(maxTensorBytes)} a tensor`]),
    ...part(
      'lacks',
      excludes.map(({ op, dtypes: some, results }) =>
        [
          op,
          ...(some === undefined ? [] : [`of ${some.join(' and ')}`]),
          ...(results === undefined ? [] : [`to ${results.join(' and ')}`]),
        ].join(' '),
      ),
    ),
    ...part('kernels', [asynchronous ? 'asynchronous' : 'synchronous']),
    ...part('remarks', remarks),
  ].join('\n');
}
