/**
 * @file Angles reduced to a quarter turn: a = n·π/2 + r with |r| ≤ π/4.
 */
import type { Code } from '../bytes.js';
import { f32x4, f64x2, i32x4, v128, when } from '../instructions.js';
import { ROUNDER } from './exponential.js';
import { steps, type Steps } from './steps.js';
import { inDoubles } from './wide.js';

/** Below it n has at most 13 bits, and n times a part of 11 bits is exact in float32 (Cody and Waite). */
const LIMIT = 12800;
const HALF_PI = [1.5703125, 0.0004837512969970703, 7.549533620476723e-8, 2.5632829192545614e-12, 6.123234262925839e-17] as const;
/** 1/2π in pieces of 29 bits: a float32 times one is exact in float64 (Payne and Hanek). 203 bits suffice for 2¹²⁸. */
const TURNS = [
  0.15915494272485375, 3.6704158115630214e-10, 5.690025167992954e-19, 1.4703036846932608e-27, 2.5867171752090537e-36,
  9.458140877728297e-46, 9.301187196294348e-54,
] as const;

export interface Reduced {
  readonly r: Code;
  /** n as int32; only its two low bits mean something. */
  readonly n: Code;
}

/** `a` is a magnitude. r is within 2 ULP for every float32, however large; NaN for ∞ and NaN. */
export function reduce(m: Steps, a: Code): Reduced {
  const near = steps(m.scope, m.target);
  const far = steps(m.scope, m.target);
  const [r, n] = [m.scope.local('v128'), m.scope.local('v128')];
  const byParts = reduceSmall(near, a);
  const byPieces = reduceAny(far, a);
  const assign = (branch: Steps, found: Reduced): Code => branch.result([r.set(found.r), n.set(found.n)]);
  m.run(when(v128.any_true(f32x4.gt(a, m.f(LIMIT))), assign(far, byPieces), assign(near, byParts)));
  return { r: r.get, n: n.get };
}

function reduceSmall(m: Steps, a: Code): Reduced {
  const t = m.keep(m.madd(a, m.f(2 / Math.PI), m.f(ROUNDER)));
  const n = m.keep(f32x4.sub(t, m.f(ROUNDER)));
  return { r: HALF_PI.reduce<Code>((rest, part) => m.madd(n, m.f(-part), rest), a), n: t };
}

/** Whole turns drop out of each exact product; what is left of them adds up to the fraction of a turn. */
function reduceAny(m: Steps, a: Code): Reduced {
  const fraction = (x: Code): Code => f64x2.sub(x, f64x2.nearest(x));
  const [r, n] = inDoubles(m, [a], ([x]) => {
    const turns = TURNS.reduce<Code | undefined>((sum, piece) => {
      const part = fraction(m.keep(f64x2.mul(x, m.d(piece))));
      return m.keep(sum === undefined ? part : fraction(m.keep(f64x2.add(sum, part))));
    }, undefined)!;
    const quarters = m.keep(f64x2.mul(turns, m.d(4)));
    const whole = m.keep(f64x2.nearest(quarters));
    return [f64x2.mul(f64x2.sub(quarters, whole), m.d(Math.PI / 2)), whole];
  });
  return { r, n: i32x4.trunc_sat_f32x4_s(n) };
}
