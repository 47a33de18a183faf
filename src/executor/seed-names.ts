/**
 * @file Every method a second time, spelled as in the seed: `executeBatch` is `execute_batch`, too.
 */

type Lined<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Lined<Rest>}`
  : Name;

/** Methods under the seed's spelling of their names. */
export type SeedNames<M> = { readonly [Name in keyof M & string as Lined<Name>]: M[Name] };

/** The methods under both spellings: the same functions. */
export function withSeedNames<M extends object>(methods: M): M & SeedNames<M> {
  const lined = Object.entries(methods).map(([name, method]: [string, unknown]) => [linedOf(name), method] as const);
  return { ...methods, ...(Object.fromEntries(lined) as SeedNames<M>) };
}

const linedOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
