/**
 * @file Lines of feeds, read one at a time when they are asked for.
 */
import type { Readable } from 'node:stream';
import { isBlank, type FeedReader } from './read-feeds.js';
import type { Ledger } from './ledger.js';
import { lineSplitter } from './line-splitter.js';
import type { FedLine } from './units.js';

export interface FeedLines {
  /** All lines but blank ones, and those that the ledger has had. */
  readonly read: () => AsyncIterable<FedLine>;
  /** From now on no line comes, and no end. */
  readonly stop: () => void;
  /** Bytes read so far. */
  readonly bytes: () => number;
}

export function feedLines(input: Readable, read: FeedReader, { again, ended }: Ledger, maxLine: number): FeedLines {
  let isStopped = false;
  let bytes = 0;
  const never = new Promise<never>(() => undefined);
  const readLine = (number: number, text: Uint8Array | undefined): FedLine => {
    try {
      return { line: number, text, ...read({ number, bytes: text }) };
    } catch (error) {
      return { line: number, text, error };
    }
  };
  async function* lines(): AsyncGenerator<FedLine, void, void> {
    const splitter = lineSplitter(maxLine);
    function* of(found: ReturnType<typeof splitter.push>): Generator<FedLine> {
      for (const { number, bytes: text } of found)
        if ((text === undefined || !isBlank(text)) && !again(number, text)) yield readLine(number, text);
    }
    for await (const chunk of input as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      for (const line of of(splitter.push(chunk))) {
        if (isStopped) await never;
        yield line;
      }
      if (isStopped) await never;
    }
    if (isStopped) await never;
    for (const line of of(splitter.end())) yield line;
    if (isStopped) await never;
    ended();
  }
  return { read: lines, stop: () => void (isStopped = true), bytes: () => bytes };
}
