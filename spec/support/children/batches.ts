/**
 * @file A process that tells which rows it sees, for its parent to compare with its own.
 */
import { arange, minibatches } from '../../../src/index.js';

const batches = minibatches({ t: arange(50) }, { size: 7, epochs: 3, seed: 99 });
console.log(JSON.stringify([...batches].map(({ t }) => t.toArray())));
