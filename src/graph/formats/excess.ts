/**
 * @file The error of one entry too many.
 */
import type { EinstreamError } from '../../errors/index.js';
import type { JsonReader } from '../json/index.js';
import type { GraphLimits } from './limits.js';

/** Made, not thrown. */
export const limitOf = (reader: JsonReader, name: keyof GraphLimits, limit: number): EinstreamError =>
  reader.fault('E_LIMIT', {
    rule: `${name} must stay below the limit`,
    expected: `at most ${limit}`,
    actual: 'one more',
    hint: `pass limits: { ${name}: … } to allow more`,
  });
