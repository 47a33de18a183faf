/**
 * @file The parameters of a node in few words: an einsum by its spec, a slice as Python writes it, a fused group by its ops, others as `name=value`.
 */
import type { OpNode } from '../graph/graph.js';
import { plainText } from '../graph/plainText.js';
import { isGroup, type FusedStep } from '../ops/fusedSteps.js';
import type { SliceSpec } from '../tensor/view/specs.js';

export function paramsText({ op, params }: OpNode): string {
  const { spec, specs, steps } = params as { readonly spec?: unknown; readonly specs?: unknown; readonly steps?: unknown };
  if (op === 'einsum' && typeof spec === 'string') return `"${spec}"`;
  if (op === 'slice' && Array.isArray(specs)) return `[${(specs as readonly SliceSpec[]).map(sliceText).join(', ')}]`;
  if (isGroup(op) && Array.isArray(steps)) return (steps as readonly FusedStep[]).map((step) => stepText(step)).join(', ');
  return Object.entries(params)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => `${name}=${plainText(value)}`)
    .join(' ');
}

// A broken graph may hold anything here.
const stepText = (step: Partial<FusedStep> | null): string => (typeof step?.op === 'string' ? step.op : plainText(step));

function sliceText(spec: SliceSpec): string {
  switch (spec?.kind) {
    case 'at':
      return String(spec.index);
    case 'range':
      return `${spec.start ?? ''}:${spec.stop ?? ''}${spec.step === 1 ? '' : `:${spec.step}`}`;
    case 'newaxis':
      return 'newaxis';
    case 'ellipsis':
      return '...';
    case undefined:
      return ':';
    default:
      // A broken graph may hold anything here.
      return plainText(spec);
  }
}
