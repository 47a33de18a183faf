/**
 * @file The error function and its complement, which no mode has.
 */
import { exp } from './exponential.js';
import { odd, polynomial, withSign, type Unary } from './plain.js';

/** erf √z / √z − 1 on 0 ≤ z ≤ 0.86, divided by z. */
const ERF = [-0.37612492, 0.11281767, -0.02676431, 0.004989348, -0.00059697725] as const;
/** 2/√π − 1, to float32. */
const SLOPE = 0.12837915;
const NEAR = 0.927734375;
/** −ln(erfc t)/t on 0.92 ≤ t ≤ 4. */
const LOG_ERFC = [1.1286485, 0.6351512, 0.10623704, -0.023762183, 0.0036425057, -0.00032281232, 1.123177e-5] as const;
/**
 * (1 + 2t) e^(t²) erfc t in q = (t − 2)/(t + 2), a function without steep places.
 * Source: Shepherd and Laframboise, Mathematics of Computation 36 (1981), 249–253.
 */
const ERFC = [
  1.2769784, -0.092763916, -0.16603094, 0.16405459, -0.054207683, -0.008057932, 0.008641111, 0.0013143368, -0.001239086,
  -0.0004052893,
] as const;

export const erf: Unary = (m, x) => {
  const a = m.keep(`Math.abs(${x})`);
  const z = m.keep(`${x}*${x}`);
  const near = m.keep(`${odd(m, ERF, x, z)}+${x}*${m.f(SLOPE)}`);
  const t = m.keep(`(${a}>4?4:${a})`);
  const far = m.keep(`1-${exp(m, m.keep(`0-${polynomial(m, LOG_ERFC, t)}*${t}`))}`);
  return `(${a}<${m.f(NEAR)}?${near}:${withSign(x, far)})`;
};

/** t² in two parts: the square of the upper bits is exact. */
export const erfc: Unary = (m, x) => {
  const a = m.keep(`Math.abs(${x})`);
  const t = m.keep(`(${a}>10.2?10.2:${a})`);
  const q = m.keep(`(${t}-2)/(${t}+2)`);
  const factor = m.keep(`${polynomial(m, ERFC, q)}/(${t}+${t}+1)`);
  const upper = m.keep(`Math.floor(${t}*256)/256`);
  const square = exp(m, m.keep(`0-${upper}*${upper}`));
  const rest = exp(m, m.keep(`(${upper}-${t})*(${upper}+${t})`));
  const value = m.keep(`${square}*${rest}*${factor}`);
  return `(${x}<0?2-${value}:${value})`;
};
