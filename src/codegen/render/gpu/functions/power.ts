/**
 * @file Powers, the hypotenuse and remainders. Shading languages give NaN or the wrong sign for negative bases, and wrong remainders.
 */
import type { Text } from '../text.js';
import { isNegative, type Binary } from './plain.js';

/** Exponents up to here are multiplied out. */
const MOST_FACTORS = 32;

/** x to a whole power by squaring; undefined where that would take long. */
export function wholePower(m: Text, x: string, exponent: number): string | undefined {
  const size = Math.abs(exponent);
  if (!Number.isInteger(exponent) || size > MOST_FACTORS) return undefined;
  let [result, square] = ['', x];
  for (let rest = size; rest > 0; rest >>= 1) {
    if (rest % 2 === 1) result = result === '' ? square : m.keep(`${result}*${square}`);
    if (rest > 1) square = m.keep(`${square}*${square}`);
  }
  if (result === '') return '1';
  return exponent < 0 ? `1/${result}` : result;
}

/** C99's pow: the magnitude from |x|, every special value by itself. */
export const pow: Binary = (m, x, y) => {
  const infinity = m.f(Infinity);
  const a = m.keep(`Math.abs(${x})`);
  const grows = m.keep(`(${a}>1?${y}:0-${y})`);
  const atInfinity = m.keep(`(${a}===1?1:(${grows}>0?${infinity}:0))`);
  const atZero = m.keep(`(${y}>0?0:${infinity})`);
  const atEnd = m.keep(`(${y}>0?${infinity}:0)`);
  const inside = m.keep(`Math.pow((${a}>0?(${a}<${infinity}?${a}:1):1),(Math.abs(${y})<${infinity}?${y}:1))`);
  const size = m.keep(
    `(Math.abs(${y})===${infinity}?${atInfinity}:(${a}===0?${atZero}:(${a}===${infinity}?${atEnd}:${inside})))`,
  );
  const half = m.keep(`${y}*0.5`);
  const oddly = m.keep(`(Math.floor(${y})===${y}?(Math.floor(${half})===${half}?${size}:-${size}):${size})`);
  const fractional = m.keep(`(${a}===0?${size}:(${a}===${infinity}?${size}:${m.f(NaN)}))`);
  const negative = m.keep(`(Math.floor(${y})===${y}?${oddly}:${fractional})`);
  const signed = m.keep(`(${isNegative(m, x)}<0?${negative}:${size})`);
  const known = m.keep(`(${x}===${x}?(${y}===${y}?${signed}:${y}):${x})`);
  return `(${y}===0?1:(${x}===1?1:${known}))`;
};

/** Infinity wins over NaN. */
export const hypot: Binary = (m, x, y) => {
  const infinity = m.f(Infinity);
  const ax = m.keep(`Math.abs(${x})`);
  const ay = m.keep(`Math.abs(${y})`);
  const high = m.keep(`(${ax}>${ay}?${ax}:${ay})`);
  const low = m.keep(`(${ax}>${ay}?${ay}:${ax})`);
  const ratio = m.keep(`${low}/${high}`);
  const value = m.keep(`(${high}===0?${low}:${high}*Math.sqrt(${ratio}*${ratio}+1))`);
  return `(${ax}===${infinity}?${infinity}:(${ay}===${infinity}?${infinity}:${value}))`;
};

/** Exponents of float32, denormals included: doublings from the smallest number to the largest. */
const DOUBLINGS = 280;

/** Long division in base 2: each difference is exact. */
export const fmod: Binary = (m, x, y) => {
  const infinity = m.f(Infinity);
  const b = m.keep(`Math.abs(${y})`);
  const a = m.keep(`Math.abs(${x})`);
  const rest = m.variable(a);
  const step = m.variable(b);
  m.loop(DOUBLINGS, () => m.run(`if(${step}*2<=${rest}){${step}=${step}*2;}`));
  m.loop(DOUBLINGS, () => {
    m.run(`if(${step}>=${b}){if(${rest}>=${step}){${rest}=${rest}-${step};}}`);
    m.run(`${step}=${step}*0.5;`);
  });
  const signed = m.keep(`(${x}<0?-${rest}:(${rest}===0?0*${x}:${rest}))`);
  const finite = m.keep(`(${b}===${infinity}?${x}:${signed})`);
  return `(${a}<${infinity}?(${b}>0?${finite}:${m.f(NaN)}):${m.f(NaN)})`;
};

/** NumPy's mod: the remainder with the sign of the divisor. */
export const mod: Binary = (m, x, y) => {
  const rest = m.keep(fmod(m, x, y));
  const shifted = m.keep(`${rest}+${y}`);
  return `(${rest}===0?${rest}:(${rest}<0?(${y}<0?${rest}:${shifted}):(${y}<0?${shifted}:${rest})))`;
};
