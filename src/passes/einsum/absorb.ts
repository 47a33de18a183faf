/**
 * @file Which producers a contraction can take into its subscripts: views, whoever else reads them, and sums of products that it
 * alone reads.
 */
import type { NodeId } from '../../graph/graph.js';
import { labelsIn, MAX_LETTERS } from './spec-of.js';
import { isView, substitute, type Term } from './term.js';

/** Most nodes that one contraction takes in, so that chains of views are walked once and not once for each node. */
const MAX_MEMBERS = 64;

/** What the graph says of its values as it stands. */
export interface Surroundings {
  /** The value as a term; undefined where it is none. */
  readonly termOf: (id: NodeId) => Term | undefined;
  /** Read once, and by nobody outside of the graph. */
  readonly isReadOnce: (id: NodeId) => boolean;
  /** A sum of products that loses nothing when its result is not rounded to its dtype. */
  readonly isOfKind: (id: NodeId, root: NodeId) => boolean;
  /** False where a label would change its size. */
  readonly isSound: (term: Term) => boolean;
}

/** A term grown over its producers. */
export interface Grown {
  readonly term: Term;
  /** Producers that were views. */
  readonly views: readonly NodeId[];
  /** Producers that computed something, and that nobody reads any more. */
  readonly joined: readonly NodeId[];
  /** There was more to join than operands were allowed. */
  readonly isCut: boolean;
}

/** Grows the term of `root` over what it reads. @param most operands; 0 takes views alone */
export function absorb(root: NodeId, start: Term, most: number, surroundings: Surroundings): Grown {
  const { termOf, isReadOnce, isOfKind, isSound } = surroundings;
  const views: NodeId[] = [];
  const joined: NodeId[] = [];
  let term = start;
  let isCut = false;
  // By operand: whether the root alone depends on it, through views that are its own.
  let own = term.operands.map(({ id }) => isReadOnce(id));
  for (let at = 0; at < term.operands.length;) {
    const { id } = term.operands[at];
    const inner = views.length + joined.length < MAX_MEMBERS ? termOf(id) : undefined;
    const isSeen = inner !== undefined && isView(inner);
    if (inner === undefined || !(isSeen || (own[at] && most > 0 && isOfKind(id, root)))) {
      at++;
      continue;
    }
    const next = substitute(term, at, inner);
    const fits = isSeen || next.operands.length <= most;
    if (!fits) isCut = true;
    if (!fits || labelsIn(next).size > MAX_LETTERS || !isSound(next)) {
      at++;
      continue;
    }
    const isOwn = own[at];
    own = [...own.slice(0, at), ...inner.operands.map((operand) => isOwn && isReadOnce(operand.id)), ...own.slice(at + 1)];
    term = next;
    (isSeen ? views : joined).push(id);
  }
  return { term, views, joined, isCut };
}
