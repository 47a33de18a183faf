/**
 * @file The backend that runs a graph when none is named.
 */
import { js, type Backend } from '../backends/index.js';

let backend: Backend | undefined;

/** One `js` backend for all runs that name none, so that they share its kernels. */
export const defaultBackend = (): Backend => (backend ??= js());
