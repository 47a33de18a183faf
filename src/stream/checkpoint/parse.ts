/**
 * @file A checkpoint from bytes, all of it or nothing.
 */
import { describeValue, EinstreamError, fault } from '../../errors/index.js';
import { decodePlain } from '../../graph/formats/own/plain.js';
import { jsonReader, type JsonReader, type JsonValue } from '../../graph/json/index.js';
import { CHECKPOINT, CHECKPOINT_LIMITS, type Checkpoint, type CheckpointLimits } from './checkpoint.js';
import { readElements, readListed, type Listed } from './format/elements.js';
import { corrupt, open, unknownVersion } from './format/envelope.js';
import { beyond, readLimits } from './format/limits.js';

const { place: PLACE } = CHECKPOINT;
/** A plain value is nested at most 48 deep, and each level may be wrapped in another. */
const DEPTH = 128;

/**
 * The checkpoint that `serializeCheckpoint` wrote, bit for bit. It shares no memory with the bytes; records have no prototype.
 *
 * Nothing is allocated for tensors before all bytes and everything that the header says were checked.
 *
 * ```ts
 * const bytes = serializeCheckpoint({ position: 12 });
 * bytes[30] ^= 1;
 * parseCheckpoint(bytes) // => throws E_CKPT_CORRUPT
 * ```
 *
 * @param limits 4 GiB, 100,000 tensors and 1,000,000 values, see `CHECKPOINT_LIMITS`
 * @throws EinstreamError E_CKPT_CORRUPT for bytes that are damaged, cut off or no checkpoint; E_CKPT_VERSION for another version, or
 *   one that needs what we do not know; E_LIMIT one past a limit; E_ARGUMENT for what is no Uint8Array
 */
export function parseCheckpoint(bytes: Uint8Array, limits: Partial<CheckpointLimits> = {}): Checkpoint {
  const most = readLimits<keyof CheckpointLimits>({ ...CHECKPOINT_LIMITS }, limits, PLACE);
  if (!(bytes instanceof Uint8Array))
    throw fault('E_ARGUMENT', { place: PLACE, rule: 'a checkpoint is read from a Uint8Array', actual: describeValue(bytes) });
  if (bytes.length > most.bytes) throw beyond(PLACE, CHECKPOINT.name, 'bytes', most.bytes, bytes.length);
  const opened = open(CHECKPOINT, bytes);
  const { sections, lines } = said(opened.header, most);
  // Every place of a tensor is looked up before the first is made.
  const asked = (index: number): void => {
    if (lines[index] === undefined) throw corrupt(CHECKPOINT, 'a tensor that is named must be there', `one of ${lines.length}`, `number ${index}`); // prettier-ignore
  };
  decodePlain(sections, asked);
  const tensors = readElements(CHECKPOINT, opened, lines);
  const checkpoint = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(sections)) checkpoint[name] = decodePlain(sections[name], (index) => tensors[index]);
  return Object.freeze(checkpoint);
}

interface Said {
  readonly sections: { readonly [name: string]: JsonValue };
  readonly lines: readonly Listed[];
}

/** What the header says, checked. */
function said(header: Uint8Array, limits: CheckpointLimits): Said {
  try {
    return readHeader(
      jsonReader(header, { bytes: Infinity, depth: DEPTH, values: 2 * limits.values + limits.tensors }, 'header'),
      limits,
    );
  } catch (error) {
    if (!(error instanceof EinstreamError) || error.code === 'E_LIMIT' || error.code === 'E_CKPT_VERSION') throw error;
    throw corrupt(CHECKPOINT, 'the header must be one that was written', undefined, error.message, error);
  }
}

function readHeader(reader: JsonReader, limits: CheckpointLimits): Said {
  let sections: JsonValue | undefined;
  let lines: Listed[] | undefined;
  reader.object((key) => {
    if (key === 'sections') sections = reader.value();
    else if (key === 'tensors') {
      const read: Listed[] = (lines = []);
      reader.array((index) => {
        if (index >= limits.tensors) throw beyond(PLACE, CHECKPOINT.name, 'tensors', limits.tensors, index + 1);
        read.push(readListed(reader, `tensor ${index}`));
      });
    } else if (key === 'requires') requireKnown(reader.value());
  });
  reader.end();
  if (lines === undefined || typeof sections !== 'object' || sections === null || Array.isArray(sections))
    throw corrupt(CHECKPOINT, 'a header has sections and tensors');
  return { sections: sections as Said['sections'], lines };
}

/** What a later version adds may be left alone, unless it says that it may not. */
function requireKnown(value: JsonValue): void {
  if (Array.isArray(value) && value.length === 0) return;
  throw unknownVersion(CHECKPOINT, 'what a checkpoint requires must be known', 'nothing', JSON.stringify(value).slice(0, 80));
}
