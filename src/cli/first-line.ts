/**
 * @file The feeds of the first line that is not blank.
 */
import type { Readable } from 'node:stream';
import { fault } from '../errors/index.js';
import type { Graph } from '../graph/graph.js';
import type { Tensor } from '../tensor/tensor.js';
import { nameOfFile, openInput } from './files.js';
import { lineSplitter } from './line-splitter.js';
import { feedReader } from './read-feeds.js';

/** @throws EinstreamError E_ARGUMENT for a file that cannot be read, E_FEED for one without a line, and what a line is wrong by */
export async function firstLine(
  graph: Graph,
  feedsFile: string,
  { stdin, maxLine }: { readonly stdin: Readable; readonly maxLine: number },
): Promise<Readonly<Record<string, Tensor>>> {
  const file = nameOfFile(feedsFile);
  const read = feedReader(graph, { file, maxLine, onUnknown: () => undefined });
  const splitter = lineSplitter(maxLine);
  const input = await openInput(feedsFile, stdin);
  try {
    for await (const chunk of input as AsyncIterable<Uint8Array>) {
      for (const line of splitter.push(chunk)) {
        const found = read(line);
        if (found !== undefined) return found.feeds;
      }
    }
  } finally {
    input.destroy();
  }
  for (const line of splitter.end()) {
    const found = read(line);
    if (found !== undefined) return found.feeds;
  }
  throw fault('E_FEED', { place: file, rule: 'a line of feeds is needed', actual: 'none' });
}
