export { backward, type BackwardOptions, type Gradients } from './eager.js';
export { customGradient, type Differentiable } from './custom-gradient.js';
export { gradient } from './gradient.js';
export { hvp } from './hvp.js';
export { tape, type Tape } from './recorder.js';
export type { RecordKind, TapeRecord } from './tape.js';
export type { GradientOptions } from './targets.js';
export { noGrad, variable, type Variable, type VariableOptions } from './variable.js';
