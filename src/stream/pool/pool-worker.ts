/**
 * @file The script of a pool's worker: a thread or a process of its own.
 */
import { poolWorker } from './worker/serve.js';

poolWorker();
