/**
 * @file Backends that prepare graphs in a way of their own: they begin cheaply and change to better programs later.
 */
import type { Backend } from '../backends/index.js';
import type { Graph } from '../graph/graph.js';
import type { Preparation, Prepared } from './prepare.js';

export type Tiers = (graph: Graph, preparation: Preparation) => Prepared;

const known = new WeakMap<Backend, Tiers>();

/** From now on `prepare` asks `tiers` where this backend is named. */
export const tiered = (backend: Backend, tiers: Tiers): void => void known.set(backend, tiers);

export const tiersOf = (backend: Backend): Tiers | undefined => known.get(backend);
