/**
 * @file What a subscription's `onDiagnostic` hears: each odd thing once.
 */
import { diagnose, excerpt, fault, quoted, type Diagnostic } from '../errors/index.js';
import type { Feeds } from './feeds.js';
import type { Prepared } from './prepare.js';
import type { Program } from './program.js';

/** Most names of unused feeds that are told, and remembered: a stream may invent names for ever. */
const MOST = 100;

/** Called with each feed; `program` is given when it is another one than before. */
export type Notices = (feeds: Feeds, program: Program | undefined) => void;

/** Undefined when nobody listens: then nothing is looked for either. */
export function notices(prepared: Prepared, listener: ((diagnostic: Diagnostic) => void) | undefined): Notices | undefined {
  if (listener === undefined) return undefined;
  // Inputs are known, and what was told is, too.
  const known = new Set(prepared.inputs.map(({ name }) => name));
  const told = new Set<string>();
  const tell = (diagnostic: Diagnostic): void => {
    try {
      listener(diagnostic);
    } catch (cause) {
      throw fault('E_CONSUMER', {
        place: 'onDiagnostic',
        rule: 'the callback must not throw',
        actual: cause instanceof Error ? cause.message : String(cause),
        cause,
      });
    }
  };
  return (feeds, program) => {
    for (const name of Object.keys(feeds)) {
      if (known.has(name) || known.size === prepared.inputs.length + MOST) continue;
      known.add(name);
      tell(unused(prepared, name));
    }
    for (const note of program?.notes ?? []) {
      if (told.has(note.message)) continue;
      told.add(note.message);
      tell(note);
    }
  };
}

const unused = ({ inputs }: Prepared, name: string): Diagnostic => ({
  ...diagnose('E_FEED', {
    place: excerpt(name),
    rule: 'no input takes this feed',
    expected: inputs.map((input) => quoted(input.name)).join(', ') || 'no feeds',
    hint: 'leave it out, or correct its name',
    severity: 'warning',
  }),
  code: 'W_UNUSED',
});
