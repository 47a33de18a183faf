/**
 * @file Constants of the interchange format are tensors called `const_<number>`.
 */
const NUMBER = /^const_([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?inf(?:inity)?|nan)$/i;
const LONGEST = 1100;

/** The number that a tensor's name states, or undefined where it is an ordinary name. */
export function constantNamed(name: string): number | undefined {
  if (!name.startsWith('const_') || name.length > LONGEST) return undefined;
  const text = NUMBER.exec(name)?.[1]?.toLowerCase();
  if (text === undefined) return undefined;
  if (text === 'nan') return NaN;
  if (text.includes('inf')) return text.startsWith('-') ? -Infinity : Infinity;
  return Number(text);
}

/** The name of a constant: the shortest text that reads back as the same number. */
export const constantName = (value: number): string =>
  `const_${Object.is(value, -0) ? '-0' : Number.isNaN(value) ? 'nan' : String(value).replace('Infinity', 'inf')}`;
