/**
 * @file A saved state among what envelopes hold.
 */
import type { Kind } from '../../stream/checkpoint/format/envelope.js';

export const STATE: Kind = Object.freeze({ magic: 'einstate', version: 1, name: 'a state', place: 'parseState' });
