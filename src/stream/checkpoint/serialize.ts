/**
 * @file A checkpoint as bytes.
 */
import { describeValue, fault } from '../../errors/index.js';
import { encodePlain } from '../../graph/formats/own/plain.js';
import { jsonString } from '../../graph/json/index.js';
import { Tensor } from '../../tensor/tensor.js';
import { CHECKPOINT, CHECKPOINT_LIMITS, type Checkpoint, type CheckpointLimits } from './checkpoint.js';
import { elementsOf, listed } from './format/elements.js';
import { seal } from './format/envelope.js';
import { beyond, readLimits } from './format/limits.js';

const PLACE = 'serializeCheckpoint';

/**
 * The sections of a checkpoint as bytes: version, header, tensors, checksum. Equal checkpoints give equal bytes.
 *
 * A section is a plain value (numbers, −0, NaN and infinities too, texts, booleans, null, lists, records) with tensors of every
 * dtype anywhere in it. A view writes its own elements alone; a tensor met twice is written once. A member that is undefined is left
 * out. What is neither plain nor a tensor (a Map, a Date, a function, a bigint) is refused: it would not come back.
 *
 * ```ts
 * const bytes = serializeCheckpoint({ position: 12, model: { w: tensor([1, 2]) }, random: { seed: 7, drawn: 3 } });
 * const { position, random } = parseCheckpoint(bytes);
 * [position, random] // => [12, { seed: 7, drawn: 3 }]
 * ```
 *
 * @param limits 4 GiB, 100,000 tensors and 1,000,000 values, see `CHECKPOINT_LIMITS`
 * @throws EinstreamError E_ARGUMENT for what is not plain, E_LIMIT one past a limit or nested deeper than 48, E_STALE for a tensor
 *   that was borrowed, E_NAME for an empty name of a section
 */
export function serializeCheckpoint(checkpoint: Checkpoint, limits: Partial<CheckpointLimits> = {}): Uint8Array {
  const most = readLimits<keyof CheckpointLimits>({ ...CHECKPOINT_LIMITS }, limits, PLACE);
  if (!isPlainRecord(checkpoint))
    throw fault('E_ARGUMENT', {
      place: PLACE,
      rule: 'a checkpoint is one record of sections',
      actual: describeValue(checkpoint),
    });
  const tensors = new Map<Tensor, number>();
  let values = 0;
  const special = (value: unknown): number | undefined => {
    if (!(value instanceof Tensor)) {
      if (++values > most.values) throw beyond(PLACE, CHECKPOINT.name, 'values', most.values, values);
      if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isPlainRecord(value)) throw strange(value);
      return undefined;
    }
    const index = tensors.get(value) ?? tensors.size;
    tensors.set(value, index);
    if (tensors.size > most.tensors) throw beyond(PLACE, CHECKPOINT.name, 'tensors', most.tensors, tensors.size);
    return index;
  };
  const sections = Object.entries(checkpoint).filter(([, value]) => value !== undefined);
  const members = sections.map(([name, value]) => `${nameOf(name)}:${encodePlain(value, name, 0, special)}`);
  const header = `{"sections":{${members.join()}},"tensors":[${[...tensors.keys()].map(listed).join()}]}`;
  const bytes = seal(CHECKPOINT, header, [...tensors.keys()].map(elementsOf));
  if (bytes.length > most.bytes) throw beyond(PLACE, CHECKPOINT.name, 'bytes', most.bytes, bytes.length);
  return bytes;
}

function isPlainRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // One of another realm has a prototype without one too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(name: string): string {
  if (name !== '') return jsonString(name);
  throw fault('E_NAME', { place: PLACE, rule: 'a section has a name', actual: "''", hint: 'name it after what it holds' });
}

const strange = (value: object) =>
  fault('E_ARGUMENT', {
    place: PLACE,
    rule: 'what a checkpoint holds must be plain values and tensors',
    actual: describeValue(value),
    hint: 'write it as a list or a record, and make it again from that',
  });
