/**
 * @file Reductions side by side: one nest with several results where the backend writes them, else one after another.
 */
import type { ComputedDType } from '../../tensor/dtype.js';
import type { Shape } from '../../tensor/shape.js';
import { foldOfSiblings } from '../../ops/foldOfSiblings.js';
import { besides, type FusedStep } from '../../ops/fusedSteps.js';
import type { KernelIR, TensorType } from '../ir.js';
import type { Application, KernelCall, Place, Seen, Work } from '../lower.js';
import { lowerFold } from './fold.js';

/** `lower` gives the kernels of one of them. */
export function lowerSiblings(
  application: Application,
  steps: readonly FusedStep[],
  lower: (application: Application) => Work | Seen,
): Work {
  const { inputs, output, maxResults = 1 } = application;
  if (steps.length <= maxResults) {
    const rule = foldOfSiblings(steps, inputs.map(({ shape }) => shape), inputs.map(({ dtype }) => dtype)); // prettier-ignore
    if (rule !== undefined) {
      const places = inputs.map((_, index): Place => ({ of: 'input', index }));
      return {
        kind: 'kernels',
        calls: [{ ir: lowerFold(application, rule), inputs: places, output: { of: 'output' } }],
        temporaries: [],
      };
    }
  }
  const calls: KernelCall[] = [];
  const temporaries: { readonly shape: Shape; readonly dtype: ComputedDType }[] = [];
  const shape = output.shape.slice(1);
  const size = shape.reduce((product, extent) => product * extent, 1);
  const held = inputs.map((type, index): readonly [TensorType, Place] => [type, { of: 'input', index }]);
  besides(steps, held, (op, args, step): void => {
    const { params } = step;
    const offset = size * steps.indexOf(step);
    const work = lower({ ...application, op, params, inputs: args.map(([type]) => type), output: { ...output, shape } }) as Work;
    const moved = (place: Place): Place => (place.of === 'temporary' ? { ...place, index: place.index + before } : place);
    const before = temporaries.length;
    temporaries.push(...work.temporaries);
    for (const { ir, inputs: places, output: to } of work.calls)
      calls.push({
        ir: to.of === 'output' ? shifted(ir, offset) : ir,
        inputs: places.map((place) => (place.of === 'input' ? args[place.index][1] : moved(place))),
        output: moved(to),
      });
  });
  return { kind: 'kernels', calls, temporaries };
}

const shifted = <K extends KernelIR>(ir: K, by: number): K => ({
  ...ir,
  output: { ...ir.output, offset: ir.output.offset + by },
});
