/**
 * @file How a step's graph calls what is no value of the model. The spaces keep clear of names that programs give.
 */

/** What an optimizer remembers of a parameter. */
export const slotName = (param: string, slot: string): string => `${param} ${slot}`;

/** A scalar of a step, in the dtype of the params that it meets: a wider one would widen them. */
export const scalarName = (scalar: string, dtype: string): string => `step ${scalar} ${dtype}`;

/** The sum of a parameter's gradients over the batches of one step. */
export const sumName = (param: string): string => `${param} gradient`;

/** The gradients' norm, before it was clipped. */
export const NORM = 'gradient norm';
