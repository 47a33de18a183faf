/**
 * @file A `js` backend that says of itself what it is told to.
 */
import { js, type Backend, type BackendCapabilities } from '../../src/backends/index.js';

export function claiming(claims: Partial<BackendCapabilities>, name = 'narrow'): Backend {
  const backend = js();
  return { ...backend, name, capabilities: { ...backend.capabilities, name, ...claims } };
}
