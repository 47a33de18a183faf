/**
 * @file Edits of a draft: chunks are replaced whole, so that a million changed nodes cost a thousand patches.
 */
import { isDraft, original, type Draft } from 'immer';
import { chunked, CHUNK, type Graph, type Node, type NodeId } from '../graph/graph.js';

type Chunk = Graph['chunks'][number];

/** Replaces nodes by id; `undefined` removes. `read` is the frozen graph that the draft was made of. */
export function replaceNodes(draft: Draft<Graph>, read: Graph, changes: ReadonlyMap<NodeId, Node | undefined>): void {
  const byChunk = new Map<number, NodeId[]>();
  for (const id of changes.keys()) {
    const chunk = id >>> 10;
    const list = byChunk.get(chunk);
    if (list === undefined) byChunk.set(chunk, [id]);
    else list.push(id);
  }
  for (const [at, ids] of byChunk) {
    const nodes = read.chunks[at].slice();
    for (const id of ids) nodes[id & (CHUNK - 1)] = changes.get(id);
    (draft.chunks as Chunk[])[at] = chunked(nodes)[0]!;
  }
}

/** Removes nodes, leaving holes: ids keep their meaning. */
export const removeNodes = (draft: Draft<Graph>, read: Graph, ids: readonly NodeId[]): void =>
  replaceNodes(draft, read, new Map(ids.map((id) => [id, undefined])));

/** Adds nodes at the end: their ids go on where the graph's end. Chunks that are full stay as they are. */
export function appendNodes(draft: Draft<Graph>, nodes: readonly Node[]): void {
  if (nodes.length === 0) return;
  const chunks = draft.chunks as Chunk[];
  const last = draft.size % CHUNK === 0 ? [] : chunks.pop()!;
  chunks.push(...chunked([...plain(last), ...nodes]));
  draft.size += nodes.length;
}

/** Nodes of a chunk that nobody has replaced are drafts, which must not get into a new one. */
const plain = (nodes: Chunk): Chunk => (isDraft(nodes) ? original(nodes as Draft<Chunk>) : nodes);
