/**
 * @file Error function and its complement, to within one unit in the last place of float64.
 *
 * The rational approximations of fdlibm's `s_erf.c` (Sun Microsystems, 1993; freely distributable): four intervals,
 * the outer two as exp(−x²) times a rational function of 1/x².
 */

const ERX = 8.45062911510467529297e-1; // erf(1) to float32
const EFX = 1.28379167095512586316e-1; // 2/√π − 1
// Each list is c0, c1, … of c0 + c1·t + …
const PP = [
  1.28379167095512558561e-1, -3.2504210724700149937e-1, -2.84817495755985104766e-2, -5.77027029648944159157e-3,
  -2.37630166566501626084e-5,
];
const QQ = [
  1, 3.97917223959155352819e-1, 6.50222499887672944485e-2, 5.08130628187576562776e-3, 1.32494738004321644526e-4,
  -3.9602282787753681232e-6,
];
const PA = [
  -2.36211856075265944077e-3, 4.14856118683748331666e-1, -3.72207876035701323847e-1, 3.18346619901161753674e-1,
  -1.10894694282396677476e-1, 3.54783043256182359371e-2, -2.166375594868790843e-3,
];
const QA = [
  1, 1.06420880400844228286e-1, 5.40397917702171048937e-1, 7.18286544141962662868e-2, 1.26171219808761642112e-1,
  1.36370839120290507362e-2, 1.1984499846799107417e-2,
];
const RA = [
  -9.86494403484714822705e-3, -6.93858572707181764372e-1, -1.05586262253232909814e1, -6.23753324503260060396e1,
  -1.62396669462573470355e2, -1.84605092906711035994e2, -8.12874355063065934246e1, -9.81432934416914548592,
];
const SA = [
  1, 1.96512716674392571292e1, 1.376577541435190426e2, 4.34565877475229228821e2, 6.45387271733267880336e2,
  4.29008140027567833386e2, 1.08635005541779435134e2, 6.57024977031928170135, -6.04244152148580987438e-2,
];
const RB = [
  -9.86494292470009928597e-3, -7.99283237680523006574e-1, -1.77579549177547519889e1, -1.60636384855821916062e2,
  -6.37566443368389627722e2, -1.02509513161107724954e3, -4.83519191608651397019e2,
];
const SB = [
  1, 3.03380607434824582924e1, 3.25792512996573918826e2, 1.53672958608443695994e3, 3.19985821950859553908e3,
  2.55305040643316442583e3, 4.74528541206955367215e2, -2.24409524465858183362e1,
];

function polynomial(coefficients: readonly number[], t: number): number {
  let value = 0;
  for (let k = coefficients.length - 1; k >= 0; k--) value = value * t + coefficients[k];
  return value;
}

/** erf(x)/x − 1 on |x| < 0.84375. */
const nearZero = (x: number): number => polynomial(PP, x * x) / polynomial(QQ, x * x);

/** erf(|x|) − ERX on 0.84375 ≤ |x| < 1.25. */
const nearOne = (a: number): number => polynomial(PA, a - 1) / polynomial(QA, a - 1);

/** erfc(|x|) on 1.25 ≤ |x| < 28. The square of a float32 is exact in float64, so exp(−x²) loses nothing. */
function tail(a: number): number {
  const t = 1 / (a * a);
  const ratio = a < 1 / 0.35 ? polynomial(RA, t) / polynomial(SA, t) : polynomial(RB, t) / polynomial(SB, t);
  const z = Math.fround(a);
  return (Math.exp(-z * z - 0.5625) * Math.exp((z - a) * (z + a) + ratio)) / a;
}

/** erf(x) = 2/√π ∫₀ˣ e^(−t²) dt. Odd; ±1 at ±∞. */
export function erf(x: number): number {
  const a = Math.abs(x);
  if (a < 0.84375) return a < 2 ** -28 ? x + EFX * x : x + x * nearZero(x);
  if (Number.isNaN(x)) return NaN;
  const value = a < 1.25 ? ERX + nearOne(a) : a < 6 ? 1 - tail(a) : 1;
  return x < 0 ? -value : value;
}

/** erfc(x) = 1 − erf(x), without cancellation: 0 only from about 27.2 on. */
export function erfc(x: number): number {
  const a = Math.abs(x);
  if (a < 0.84375) {
    const y = nearZero(x);
    return x < 0.25 ? 1 - (x + x * y) : 0.5 - (x - 0.5 + x * y);
  }
  if (Number.isNaN(x)) return NaN;
  if (a < 1.25) return x < 0 ? 1 + ERX + nearOne(a) : 1 - ERX - nearOne(a);
  if (x < -6) return 2;
  if (a >= 28) return 0;
  return x < 0 ? 2 - tail(a) : tail(a);
}
