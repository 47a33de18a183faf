/**
 * @file Names that try to become code, to reach a prototype, or to break the text around them. Each carries a canary.
 */
import { HOSTILE_NAMES } from './hostileNames.js';

/** What code in a name would leave behind. */
export const CANARY = 'PWN';

const PAYLOADS: readonly string[] = [
  `globalThis.${CANARY}=4`,
  `this.constructor.constructor('globalThis.${CANARY}=4')()`,
  `Object.prototype.x=globalThis.${CANARY}=4`,
];

/** How a payload gets out of the place where a careless generator puts a name. */
const WAYS_OUT: readonly ((payload: string) => string)[] = [
  (p) => `z=0;${p};var q`,
  (p) => `'+(${p})+'`,
  (p) => `"+(${p})+"`,
  (p) => `\`+(${p})+\``,
  (p) => `\${${p}}`,
  (p) => `';${p};//`,
  (p) => `";${p};//`,
  (p) => `\`;${p};//`,
  (p) => `*/${p}/*`,
  (p) => `//\n${p}`,
  (p) => `\u2028${p}`,
  (p) => `\u2029${p}//`,
  (p) => `\r\n${p};`,
  (p) => `\\';${p};//`,
  (p) => `\\\\";${p};//`,
  (p) => `0];${p};[0`,
  (p) => `0);${p};(0`,
  (p) => `}${p};{`,
  (p) => `});${p};({`,
  (p) => `0:${p},x`,
  (p) => `[${p}]`,
  (p) => `x=${p}`,
  (p) => `({get x(){${p}}}).x`,
  (p) => `a.b[${p}]`,
  (p) => `-->\n${p}`,
  (p) => `<!--${p}`,
  (p) => `</script><script>${p}</script>`,
  (p) => `;${p};\u0000`,
  (p) => `x;${p}`,
  (p) => `\\u0027;${p}//`,
  (p) => `%27;${p}//`,
  (p) => `import("data:text/javascript,${p}")`,
];

const INHERITED: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  'length',
  'name',
  'caller',
  'arguments',
  'call',
  'apply',
  'then',
  'toJSON',
  'inspect',
  'Symbol(einstream.interpreter)',
  'constructor.prototype.x',
  '__proto__.x',
  '__proto__[x]',
];

/** Words and names that the generator uses itself, and those that no variable may have. */
const OWN: readonly string[] = [
  'I', 'O', 'F', 'a0', 'az', 's0', 'sz', 't0', 'p0_0', 'v0', 'f0', 'g', 'i0', 'q0', 'm0_0', 'x0', 'y0', 'r', 'c', 'Math', 'NaN', 'Infinity', 'undefined',
  'void', 'with', 'delete', 'typeof', 'in', 'of', 'async', 'static', 'super', 'let', 'const', 'function', 'return', 'class', 'new', 'this', 'eval', 'await', 'yield', 'null', 'true', 'import', 'globalThis', 'process', 'require',
]; // prettier-ignore

/** At least 200, each once; the longest has 100,000 characters. */
export const MALICIOUS_NAMES: readonly string[] = [
  ...new Set([
    ...WAYS_OUT.flatMap((out) => PAYLOADS.map(out)),
    ...INHERITED,
    ...OWN,
    ...HOSTILE_NAMES.filter((name) => name.length < 1000),
    'n'.repeat(100_000),
    `${'('.repeat(5000)}globalThis.${CANARY}=4${')'.repeat(5000)}`,
  ]),
];
