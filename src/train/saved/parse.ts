/**
 * @file A training's state from bytes, all of it or nothing.
 */
import { describeValue, EinstreamError, fault } from '../../errors/index.js';
import { decodePlain } from '../../graph/formats/own/plain.js';
import { jsonReader, type JsonReader } from '../../graph/json/index.js';
import { readElements, readListed, type Listed } from '../../stream/checkpoint/format/elements.js';
import { corrupt, open } from '../../stream/checkpoint/format/envelope.js';
import { beyond } from '../../stream/checkpoint/format/limits.js';
import { requireState, type TrainState } from '../state.js';
import { STATE } from './kind.js';
import { stateLimits, type StateLimits } from './limits.js';

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
  if (bytes.length > most.bytes) throw beyond(STATE.place, STATE.name, 'bytes', most.bytes, bytes.length);
  const opened = open(STATE, bytes);
  const { params, slots, ...rest } = said(opened.header, most);
  const tensors = readElements(STATE, opened, [...params, ...slots]);
  const named = (entries: readonly Named[], from: number) =>
    Object.freeze(Object.fromEntries(entries.map(({ name }, k) => [name, tensors[from + k]])));
  return Object.freeze({ ...rest, params: named(params, 0), slots: named(slots, params.length) });
}

interface Named extends Listed {
  readonly name: string;
}

type Said = Omit<TrainState, 'params' | 'slots'> & { readonly params: readonly Named[]; readonly slots: readonly Named[] };

/** What the header says, checked. */
function said(header: Uint8Array, limits: StateLimits): Said {
  try {
    return readHeader(jsonReader(header, { bytes: Infinity }, 'header'), limits);
  } catch (error) {
    if (!(error instanceof EinstreamError) || error.code === 'E_LIMIT') throw error;
    throw corrupt(STATE, 'the header must be one that was written', undefined, error.message, error);
  }
}

function readHeader(reader: JsonReader, limits: StateLimits): Said {
  const members: Record<string, unknown> = {};
  let count = 0;
  const entry = (name: string): Named => {
    if (++count > limits.tensors) throw beyond(STATE.place, STATE.name, 'tensors', limits.tensors, count);
    return { name, ...readListed(reader, name) };
  };
  reader.object((key) => {
    if (key === 'params' || key === 'slots') {
      const entries: Named[] = [];
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
