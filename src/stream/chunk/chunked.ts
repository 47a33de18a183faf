/**
 * @file Rows of a flow as a flow of chunks: no row is asked for while no chunk is.
 */
import { teller } from '../../run/ending.js';
import type { Feeds } from '../../run/feeds.js';
import type { Flow } from '../demand/flow.js';
import { inlet, openInto } from '../demand/inlet.js';
import { outlet, type Outlet, type Producer } from '../demand/outlet.js';
import type { Chunk, Chunker } from './chunker.js';

/** @param make one chunker for each opening */
export const chunked = (flow: Flow<Feeds>, make: () => Chunker): Flow<Chunk> => ({
  open: (sink) => outlet<Chunk>(sink, teller(undefined), (out) => gathering(flow, make(), out)),
});

function gathering(flow: Flow<Feeds>, { add, end: last }: Chunker, out: Outlet<Chunk>): Producer {
  let ready: Chunk | undefined;
  let end: (() => void) | undefined;
  let isAsked = false;
  const fail = (error: unknown): void => {
    above.cancel();
    end = () => out.error(error);
    out.pump();
  };
  const gather = (made: () => Chunk | undefined): void => {
    try {
      ready = made();
    } catch (error) {
      fail(error);
    }
  };
  const above = inlet<Feeds>({
    next(row) {
      isAsked = false;
      gather(() => add(row));
      out.pump();
    },
    error: fail,
    complete() {
      end = () => out.complete();
      gather(last);
      out.pump();
    },
  });
  return {
    start: () => openInto(flow, above),
    step() {
      if (ready !== undefined) {
        if (out.credits() === 0) return false;
        const next = ready;
        ready = undefined;
        out.next(next);
        return true;
      }
      if (end !== undefined) end();
      else if (out.credits() > 0 && !isAsked) {
        isAsked = true;
        above.grant(1);
      }
      return false;
    },
    stop: above.cancel,
  };
}
