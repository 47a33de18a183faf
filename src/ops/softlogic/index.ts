export type { Logic } from './connectives.js';
export { nand, nor, orMax, orProbSum, xor } from './formulas.js';
export { softLogic, type SoftLogic, type SoftLogicOptions } from './softLogic.js';
