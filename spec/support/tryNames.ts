/**
 * @file Puts every malicious name into a field and tells what became of it.
 */
import { EinstreamError, type Backend, type Tensor } from '../../src/index.js';
import { counting } from './countingBackend.js';
import { CANARY, MALICIOUS_NAMES } from './maliciousNames.js';

/** How many names a field took, how many it refused, and what went wrong. */
export interface Verdict {
  readonly right: number;
  readonly refused: number;
  readonly wrong: readonly string[];
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 60));
const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const keysOfPrototypes = (): string => PROTOTYPES.map((each) => Reflect.ownKeys(each).map(String).join()).join(';');

/** Everything that a graph's texts could have changed outside: nothing may. */
function footprints(): string | undefined {
  if (CANARY in globalThis || 'pwned' in globalThis) return 'the canary fired';
  if (({} as Readonly<Record<string, unknown>>)['x'] !== undefined) return 'every object has an x';
  return undefined;
}

/** What code was made from: the same for every name, or a name has reached it. */
const sources = (compiled: readonly unknown[]): string => JSON.stringify(compiled);

export function tryNames(field: (name: string, backend: Backend) => Tensor, inner: Backend, names = MALICIOUS_NAMES): Verdict {
  const before = keysOfPrototypes();
  const irs = new Set<string>();
  const wrong: string[] = [];
  let [right, refused] = [0, 0];
  for (const name of names) {
    const { backend, compiled } = counting(inner);
    try {
      const values = [...field(name, backend).data].map(Number);
      if (values.length === 2 && values[0] === 2 && values[1] === 4) right++;
      else wrong.push(`${shown(name)} gave ${values.slice(0, 4).join()}`);
      irs.add(sources(compiled));
    } catch (error) {
      if (error instanceof EinstreamError) refused++;
      else wrong.push(`${shown(name)} threw ${error instanceof Error ? (error.stack ?? '').slice(0, 300) : String(error)}`);
    }
    const trace = footprints();
    if (trace !== undefined) {
      wrong.push(`${shown(name)}: ${trace}`);
      break;
    }
  }
  if (keysOfPrototypes() !== before) wrong.push('a prototype was changed');
  if (irs.size > 1) wrong.push(`kernels differ by the name: ${[...irs].map((ir) => ir.slice(0, 100)).join(' | ')}`);
  return { right, refused, wrong };
}
