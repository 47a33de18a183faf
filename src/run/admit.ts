/**
 * @file Admission: a feed becomes a frame of the program that fits its shapes.
 *
 * Feeds that arrive while one is on its way through (a consumer that feeds its own source) are queued, never
 * reordered and never nested.
 */
import { Observable, type OperatorFunction } from 'rxjs';
import { fault, quoted, type Diagnostic, type EinstreamError, type Fault } from '../errors/index.js';
import { isDType, typedArrayKind, type TypedArray } from '../tensor/dtype.js';
import { tensor, wrap } from '../tensor/create.js';
import { isGone, Tensor } from '../tensor/tensor.js';
import { isStatic } from '../ops/dims.js';
import { placeOf, type InputNode } from '../graph/graph.js';
import type { Lease } from './arena.js';
import { entered } from './enter.js';
import { chooserOf } from './choose.js';
import type { Program } from './program.js';
import type { Frame } from './frame.js';
import { inFlight, type InFlight } from './in-flight.js';
import { link, passing } from './link.js';
import { notices } from './notices.js';
import { serial } from './serial.js';
import { pipeHere, type Wiring } from './wiring.js';
import type { Feed, Feeds } from './feeds.js';
import type { Prepared, PreparedInput } from './prepare.js';

/** What is to be known of a graph to read its feeds. */
type Readable = Pick<Prepared, 'inputs' | 'backend'>;

/** Turns feeds into tensors, in the order of the graph's inputs. */
export function readFeeds(prepared: Readable, feeds: Feeds): Tensor[] {
  if (typeof feeds !== 'object' || feeds === null)
    throw fault('E_FEED', {
      place: 'feeds',
      rule: 'feeds are an object of values by input name',
      actual: feeds === null ? 'null' : typeof feeds,
    });
  const { inputs } = prepared;
  const tensors = new Array<Tensor>(inputs.length);
  for (let i = 0; i < inputs.length; i++) {
    const input = inputs[i];
    // A name such as "toString" must not find what every object inherits.
    tensors[i] = readFeed(prepared, input, Object.hasOwn(feeds, input.name) ? feeds[input.name] : undefined);
  }
  return tensors;
}

/** One input's tensor; undefined stands for "not fed". */
export function readFeed(prepared: Readable, input: PreparedInput, given: Feed | undefined): Tensor {
  if (given === undefined) return defaultOf(prepared, input);
  const { backend } = prepared;
  const feed = given instanceof Tensor ? live(input, given) : convert(input, given);
  // Where the backend has memory of its own, the feed lands in the frame's arena.
  return backend.owns === undefined ? backend.upload(feed) : feed;
}

function live(input: PreparedInput, given: Tensor): Tensor {
  if (isGone(given)) throw gone('a feed', given, placeOf(input.node));
  return given;
}

function requireConstants({ constants }: Prepared): void {
  for (const { value } of constants) {
    if (isGone(value)) throw gone('a constant', value, { place: 'constant' });
  }
}

const gone = (what: string, { buffer }: Tensor, place: Partial<Fault>): EinstreamError =>
  fault('E_STALE', {
    ...place,
    rule: buffer.retired
      ? `${what} must not be a borrowed tensor whose frame has ended`
      : `${what} must not be a tensor whose buffer was transferred`,
  });

function defaultOf(prepared: Readable, input: PreparedInput): Tensor {
  const { name, node, value } = input;
  if (value !== undefined) return live(input, value);
  throw fault('E_FEED', {
    ...placeOf(node),
    rule: 'every input needs a feed',
    expected: prepared.inputs
      .filter((input) => input.value === undefined)
      .map((input) => quoted(input.name))
      .join(', '),
    actual: `no ${quoted(name)}`,
  });
}

/** Nested numbers take the declared dtype; a bare typed array the declared static shape, without a copy. */
function convert({ node, name }: PreparedInput, given: Exclude<Feed, Tensor>): Tensor {
  const { dims, dtype } =
    node.op === 'input'
      ? (node as InputNode)
      : { dims: (node as { value?: Tensor }).value!.shape, dtype: (node as { value?: Tensor }).value!.dtype };
  try {
    if (typedArrayKind(given) === undefined) return tensor(given, dtype !== undefined && isDType(dtype) ? { dtype } : {});
    if (dims === undefined || !isStatic(dims)) {
      throw fault('E_FEED', {
        ...placeOf(node),
        rule: 'a bare typed array needs a declared static shape',
        hint: 'feed tensor(array, { shape })',
      });
    }
    return wrap(given as TypedArray, dtype === 'bool' ? { shape: dims, dtype } : { shape: dims });
  } catch (cause) {
    throw fault('E_FEED', {
      ...placeOf(node),
      rule: `the feed ${quoted(name)} must be a tensor, nested numbers or a typed array`,
      actual: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
}

/** Makes frames for one subscription. */
export function frames(
  prepared: Prepared,
  flights?: InFlight,
  onDiagnostic?: (diagnostic: Diagnostic) => void,
): (feeds: Feeds) => Frame {
  requireConstants(prepared);
  const notice = notices(prepared, onDiagnostic);
  const noted = notice === undefined ? undefined : (of: Program): void => notice({}, of);
  const choose = chooserOf(prepared);
  let program: Program | undefined;
  let index = 0;
  return (feeds) => {
    const tensors = readFeeds(prepared, feeds);
    let fitting = choose.next(tensors);
    notice?.(feeds, fitting === program ? undefined : fitting);
    let lease: Lease;
    try {
      lease = entered(fitting, tensors);
    } catch (error) {
      fitting = choose.instead(fitting, tensors, error);
      notice?.(feeds, fitting);
      lease = entered(fitting, tensors);
    }
    program = fitting;
    const given = program.prepared.backend.owns === undefined ? undefined : tensors;
    const frame: Frame = { index: index++, program, values: lease.values, lease, feeds: given, flights, noted };
    lease.holder = frame;
    return frame;
  };
}

/** What `admit` tells of each subscription. */
export interface Admission {
  /** Where frames are noted while they are on their way: they may outlive the source, so whoever ends the run lets go of them. */
  readonly flights?: InFlight;
  readonly admitted?: (frame: Frame, feeds: Feeds) => void;
  /** Hears what is odd but no fault. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

export function admit(prepared: Prepared, { flights, admitted, onDiagnostic }: Admission = {}): OperatorFunction<Feeds, Frame> {
  return (feeds$) => {
    const known = new Set<InFlight>();
    return new Observable((subscriber) => {
      const pipe = pipeHere();
      const own = flights ?? registryOf(pipe, known);
      const frameOf = frames(prepared, own, onDiagnostic);
      const open = (feeds: Feeds): Frame | undefined => {
        try {
          const frame = frameOf(feeds);
          own.add(frame);
          admitted?.(frame, feeds);
          return frame;
        } catch (error) {
          subscriber.error(error);
          return undefined;
        }
      };
      const next = (feeds: Feeds): void => {
        const frame = subscriber.closed ? undefined : open(feeds);
        if (frame !== undefined) subscriber.next(frame);
      };
      const connect = (): void => {
        if (!subscriber.closed) link(feeds$, subscriber, serial({ ...passing(subscriber), next }));
      };
      if (pipe === undefined) connect();
      else pipe.sources.push(connect);
    });
  };
}

/** Where a pipe put together by hand notes its frames. When a step subscribes again, where it did the first time, if that is known. */
function registryOf(pipe: Wiring | undefined, known: Set<InFlight>): InFlight {
  for (const each of known) if (each.isCleared()) known.delete(each);
  const own = pipe?.flights ?? (known.size === 1 ? [...known][0] : inFlight());
  known.add(own);
  return own;
}
