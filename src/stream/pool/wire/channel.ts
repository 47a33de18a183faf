/**
 * @file A channel: what a pool needs of a thread, a process, or whatever else can take an order and answer.
 */
import type { EinstreamError } from '../../../errors/index.js';
import type { Order } from './protocol.js';
import type { Manner } from './pack.js';

export interface Channel {
  /** `'copied'`: buffers of a message are given to the other side. `'lent'`: the message is read before `post` returns. */
  readonly manner: Exclude<Manner, 'moved'>;
  /** The other side can read memory of this one. */
  readonly shares: boolean;
  readonly post: (order: Order, buffers: ArrayBuffer[]) => void;
  readonly hold: (isHeld: boolean) => void;
  readonly end: () => Promise<void>;
  readonly pid?: number;
}

export interface ChannelEvents {
  readonly heard: (message: unknown) => void;
  /** The other side is gone: E_WORKER_LOST, or E_OOM where that is known to be the reason. */
  readonly lost: (error: EinstreamError) => void;
}

/** @throws whatever keeps the other side from starting, where that is known at once */
export type Open = (events: ChannelEvents) => Channel;
