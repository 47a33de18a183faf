/**
 * @file The page's part: reads from its address what to measure, and tells Node.
 */
import type { GpuMode } from '../../../src/gpu.js';
import type { Told } from './browser.js';
import { measure } from './measure.js';

/** Put into the page by `browser.ts`. */
declare const tell: (news: Told) => Promise<void>;

const asked = new URL(location.href).searchParams;
const modes = asked.get('modes')!.split(',') as GpuMode[];
await measure(modes, Number(asked.get('turns'))).then(
  (figures) => tell({ figures }),
  (error: unknown) => tell({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
);
