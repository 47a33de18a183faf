/**
 * @file A training's state from bytes, all of it or nothing.
 */
import { describeValue, EinstreamError, fault } from '../../errors/index.js';
import { bytesOf } from '../../graph/base64.js';
import { decodePlain } from '../../graph/formats/own/plain.js';
import { jsonReader, type JsonReader } from '../../graph/json/index.js';
import { byteSize, readDType, type DType } from '../../tensor/dtype.js';
import { numElements, readShape, type Shape } from '../../tensor/shape.js';
import { allocateArray, tensorOver, type Tensor } from '../../tensor/tensor.js';
import { requireState, type TrainState } from '../state.js';
import { aligned, corrupt, open } from './envelope.js';
import { beyond, stateLimits, type StateLimits } from './limits.js';

/**
 * The state that `serializeState` wrote, bit for bit; `train(model, { …, state })` goes on from it. It shares no memory with the bytes.
 *
 * Nothing is allocated for tensors before all bytes and everything that the header says were checked.
 *
 * ```ts
 * parseState(new Uint8Array(40)) // => throws E_CKPT_CORRUPT
 * ```
 *
 * @param limits 4 GiB and 100,000 tensors, see `STATE_LIMITS`
 * @throws EinstreamError E_CKPT_CORRUPT for bytes that are damaged, cut off or no state; E_CKPT_VERSION for another version;
 *   E_LIMIT one past a limit; E_ARGUMENT for what is no Uint8Array
 */
export function parseState(bytes: Uint8Array, limits: Partial<StateLimits> = {}): TrainState {
  const most = stateLimits(limits);
  if (!(bytes instanceof Uint8Array))
    throw fault('E_ARGUMENT', { place: 'parseState', rule: 'a state is read from a Uint8Array', actual: describeValue(bytes) });
  if (bytes.length > most.bytes) throw beyond('bytes', most.bytes, bytes.length);
  const opened = open(bytes);
  const { params, slots, ...rest } = said(opened.header, most);
  let end = opened.from;
  const placed = (entries: readonly Listed[]) =>
    entries.map((entry) => {
      const at = aligned(end);
      end = at + entry.bytes;
      return { ...entry, at };
    });
  const [own, remembered] = [placed(params), placed(slots)];
  if (end !== opened.bytes.length)
    throw corrupt('elements must be as many as the header says', `${end} bytes`, String(opened.bytes.length));
  const made = (entries: readonly Placed[]) =>
    Object.freeze(Object.fromEntries(entries.map((each) => [each.name, tensorAt(opened.bytes, each)])));
  return Object.freeze({ ...rest, params: made(own), slots: made(remembered) });
}

interface Listed {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
  readonly bytes: number;
}

interface Placed extends Listed {
  readonly at: number;
}

type Said = Omit<TrainState, 'params' | 'slots'> & { readonly params: readonly Listed[]; readonly slots: readonly Listed[] };

/** What the header says, checked. */
function said(header: Uint8Array, limits: StateLimits): Said {
  try {
    return readHeader(jsonReader(header, { bytes: Infinity }, 'header'), limits);
  } catch (error) {
    if (!(error instanceof EinstreamError) || error.code === 'E_LIMIT') throw error;
    throw corrupt('the header must be one that was written', undefined, error.message, error);
  }
}

function readHeader(reader: JsonReader, limits: StateLimits): Said {
  const members: Record<string, unknown> = {};
  let count = 0;
  const entry = (name: string): Listed => {
    if (++count > limits.tensors) throw beyond('tensors', limits.tensors, count);
    let [dtype, shape]: [unknown, unknown] = [undefined, undefined];
    reader.object((key) => {
      if (key === 'dtype') dtype = reader.string();
      else if (key === 'shape') shape = reader.integers();
    });
    const [type, sizes] = [readDType(dtype, name), readShape(shape, name)];
    return { name, dtype: type, shape: sizes, bytes: numElements(sizes) * byteSize(type) };
  };
  reader.object((key) => {
    if (key === 'params' || key === 'slots') {
      const entries: Listed[] = [];
      reader.object((name) => void entries.push(entry(name)));
      members[key] = entries;
    } else if (key === 'notes') members[key] = Object.freeze(decodePlain(reader.value()));
    else if (key === 'optimizer') members[key] = reader.string();
    else if (key === 'step' || key === 'batches' || key === 'steady' || key === 'lossScale') members[key] = reader.number();
  });
  reader.end();
  const { params, slots, ...rest } = members;
  requireState({ ...rest, params: params && {}, slots: slots && {} }, 'header');
  return members as unknown as Said;
}

function tensorAt(bytes: Uint8Array, { dtype, shape, at, bytes: length }: Placed): Tensor {
  const array = allocateArray(numElements(shape), dtype);
  bytesOf(array).set(bytes.subarray(at, at + length));
  return tensorOver(array, dtype, shape);
}
