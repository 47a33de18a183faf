/**
 * @file Terms with others in their place, and folds whose finish is part of the terms that read them.
 */
import { subterms, type Scalar } from '../ops/scalar.js';
import type { NestIR } from './ir.js';

/** A term with some subterms replaced; sharing stays. */
export function replaced(term: Scalar, by: (term: Scalar) => Scalar | undefined, known = new Map<Scalar, Scalar>()): Scalar {
  const seen = known.get(term);
  if (seen !== undefined) return seen;
  let made = by(term);
  if (made === undefined && subterms(term).length === 0) made = term;
  if (made === undefined) {
    const parts = { ...term } as Record<string, unknown>;
    for (const [name, part] of Object.entries(parts))
      if (typeof part === 'object' && part !== null) parts[name] = replaced(part as Scalar, by, known);
    made = parts as unknown as Scalar;
  }
  known.set(term, made);
  return made;
}

/**
 * The result over what the last fold folds, kept in the output and read from there as operand `kept`; undefined where that
 * takes more than it, or would not be the same: it must be stored as it is, and the output may lie over what is read.
 */
export function keptResult({ folds, inputs, result, emits, output }: NestIR, kept: number): Scalar | undefined {
  const value = folds.at(-1)?.value;
  if (emits !== 'element' || value?.kind !== 'round' || value.dtype !== output.dtype) return undefined;
  let isFound = false;
  const made = replaced(result, (term) => {
    if (term !== value) return undefined;
    isFound = true;
    return { kind: 'operand', index: kept };
  });
  return isFound && !readsBelow(made, inputs.length) ? made : undefined;
}

const readsBelow = (term: Scalar, count: number): boolean =>
  (term.kind === 'operand' && term.index < count) || subterms(term).some((each) => readsBelow(each, count));

/** Some of the folds without a finish: whatever read it computes it. */
export function inlined(ir: NestIR, isInlined: (fold: number) => boolean): NestIR {
  const finishes = ir.folds.map(({ finish }, at) => (isInlined(at) ? finish : undefined));
  if (finishes.every((finish) => finish === undefined)) return ir;
  // The last first: what a finish reads of its own fold is not finished.
  const within = (term: Scalar, before: number): Scalar => {
    let made = term;
    for (let at = before - 1; at >= 0; at--) {
      const finish = finishes[at];
      if (finish !== undefined) made = replaced(made, (leaf) => (leaf.kind === 'fold' && leaf.index === at ? finish : undefined));
    }
    return made;
  };
  return {
    ...ir,
    folds: ir.folds.map(({ monoid, value, finish }, at) => ({
      monoid,
      value: within(value, at),
      ...(finish === undefined || isInlined(at) ? {} : { finish: within(finish, at) }),
    })),
    result: within(ir.result, ir.folds.length),
  };
}

/** What only the result of a group reads is computed with it. */
export function settled(ir: NestIR): NestIR {
  if (ir.emits !== 'group' || ir.folds.every(({ finish }) => finish === undefined)) return ir;
  const isRead = ir.folds.map(() => false);
  const seen = new Set<Scalar>();
  const mark = (term: Scalar | undefined, own: number): void => {
    if (term === undefined || seen.has(term)) return;
    seen.add(term);
    if (term.kind === 'fold' && term.index !== own) isRead[term.index] = true;
    for (const each of subterms(term)) mark(each, own);
  };
  ir.folds.forEach(({ value, finish }, at) => {
    mark(value, -1);
    // A leaf may be shared with terms that read another fold's.
    seen.clear();
    mark(finish, at);
    seen.clear();
  });
  return inlined(ir, (at) => !isRead[at]);
}
