/**
 * @file Capabilities: every claim of the table of ops and dtypes is kept, "yes" and "no".
 */
import { supportTable } from '../../backends/index.js';
import { allOps } from '../../ops/registry.js';
import { isComputed } from '../../tensor/dtype.js';
import { exampleCases } from './cases.js';
import { failed, holds, refuses, type Check, type Harness } from './harness.js';

export const capabilities = (harness: Harness): readonly Check[] => [
  {
    title: 'capabilities: an op runs for a dtype where the table says yes, and is refused by its code where it says no',
    check: harness.on(async (backend) => {
      const definitions = new Map(allOps().map((op) => [op.name, op]));
      for (const { op, dtype, isNative, diagnostic } of supportTable(backend)) {
        if (!isComputed(dtype)) continue;
        const tolerance = Math.max(harness.tolerance, definitions.get(op)!.tolerance?.relative ?? 0);
        const [first] = exampleCases(definitions.get(op)!, dtype);
        if (first === undefined) continue;
        const place = `${op} of ${dtype}`;
        if (isNative) await holds({ tolerance }, backend, first.graph, first.feeds, place);
        else await refuses(backend, first.graph, first.feeds, place, diagnostic!.code);
      }
    }),
  },
  {
    title: 'capabilities: they are plain data, and name the backend',
    check: harness.on((backend) => {
      const plain = JSON.stringify(backend.capabilities);
      if (JSON.stringify(JSON.parse(plain)) !== plain) throw failed('capabilities', 'they survive JSON', plain, 'another text');
      if (backend.capabilities.name !== backend.name)
        throw failed('capabilities', 'they name the backend', backend.name, backend.capabilities.name);
    }),
  },
];
