/** @file The producer's half of an edge: what goes wrong on it is told once, and to somebody. */
import { expect } from 'chai';
import { EinstreamError } from '../../../src/index.js';
import type { Edge, Sink } from '../../../src/stream/demand/flow.js';
import { outlet, type Outlet, type Producer } from '../../../src/stream/demand/outlet.js';
import { probed } from '../../support/flow-probe.js';

const boom = (message: string) => (): never => {
  throw new Error(message);
};
const shown = (error: unknown): unknown =>
  error instanceof EinstreamError ? [error.code, error.suppressed.map(shown)] : (error as Error).message;

/** A producer that counts upwards, with some functions of another one. */
function opened(other: Partial<Producer> = {}, react?: (kind: string, edge: Edge) => void) {
  const told: unknown[] = [];
  let out!: Outlet<number>;
  const flow = {
    open: (sink: Sink<number>) =>
      outlet<number>(
        sink,
        (failure) => told.push(shown(failure)),
        (given) => {
          out = given;
          let next = 0;
          const step = (): boolean => {
            if (out.credits() === 0) return false;
            out.next(next++);
            return true;
          };
          return { step, stop: () => undefined, ...other };
        },
      ),
  };
  return { probe: probed(flow, react), told, out };
}

describe('an outlet', () => {
  it('makes what a producer throws while it starts, or takes a step, the error of the edge', () => {
    for (const other of [{ start: boom('mine') }, { step: boom('mine') }]) {
      const { probe, told } = opened(other);
      expect([probe.log, shown(probe.error()), told]).to.deep.equal([['open', 'error'], 'mine', []]);
    }
  });

  it('keeps a stop that throws in `suppressed` of an error of ours, and tells of it beside another’s', () => {
    const wrong = opened({ stop: boom('stuck') }, (kind, edge) => void (kind === 'open' && edge.grant(-1)));
    expect([shown(wrong.probe.error()), wrong.told]).to.deep.equal([['E_DEMAND', [['E_TEARDOWN', []]]], []]);
    const foreign = opened({ start: boom('mine'), stop: boom('stuck') });
    expect([shown(foreign.probe.error()), foreign.told]).to.deep.equal(['mine', [['E_TEARDOWN', []]]]);
    const cancelled = opened({ stop: boom('stuck') });
    cancelled.probe.edge().cancel();
    cancelled.probe.edge().cancel();
    expect([cancelled.probe.log, cancelled.told]).to.deep.equal([['open'], [['E_TEARDOWN', []]]]);
  });

  it('tells of what a terminal handler throws, and of a throw after cancelling', () => {
    const ending = opened({}, (kind, edge) => {
      if (kind === 'open') edge.grant(NaN);
      if (kind === 'error') boom('mine')();
    });
    expect([ending.probe.log, ending.told]).to.deep.equal([['open', 'error'], [['E_CONSUMER', []]]]);
    const leaving = opened({}, (kind, edge) => {
      if (kind === 'open') edge.grant(3);
      if (kind !== 'next') return;
      edge.cancel();
      boom('mine')();
    });
    expect([leaving.probe.log, leaving.told]).to.deep.equal([['open', 'next'], [['E_CONSUMER', []]]]);
  });

  it('stops its producer once, whatever ends the edge first', () => {
    for (const end of ['cancel', 'grant', 'throw'] as const) {
      let stops = 0;
      const { probe, out } = opened({ stop: () => void stops++ }, (kind, edge) => {
        if (kind === 'open') edge.grant(2);
        if (kind !== 'next') return;
        if (end === 'cancel') edge.cancel();
        if (end === 'grant') edge.grant(0);
        if (end === 'throw') boom('mine')();
      });
      probe.edge().cancel();
      out.pump();
      expect([probe.values, stops, out.isOpen()], end).to.deep.equal([[0], 1, false]);
    }
  });

  it('starts no producer whose sink has cancelled while it was opened', () => {
    let starts = 0;
    const { probe } = opened({ start: () => void starts++ }, (kind, edge) => void (kind === 'open' && edge.cancel()));
    expect([probe.log, starts]).to.deep.equal([['open'], 0]);
  });
});
