export { gradient } from './gradient.js';
export { hvp } from './hvp.js';
export type { GradientOptions } from './targets.js';
