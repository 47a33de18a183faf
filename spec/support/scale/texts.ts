/**
 * @file Large graphs as bytes of the interchange format, made without a string of their size.
 */

/** A node of a large graph: its op as JSON, the tensors that it reads, the one that it gives. */
export interface Entry {
  readonly op: string;
  readonly inputs: readonly number[];
  readonly output: number;
}

const unary = (name: string): string => `{"ElemUnary":{"op":"${name}"}}`;
const binary = (name: string): string => `{"ElemBinary":{"op":"${name}"}}`;

/** The document of a graph whose tensors are called t0 … and whose first tensor is its input, the last its output. */
export function interchangeBytes(tensors: number, nodes: Iterable<Entry>): Uint8Array {
  let bytes = Buffer.allocUnsafe(1 << 20);
  let end = 0;
  const write = (text: string): void => {
    if (end + text.length > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, end + text.length));
      bytes.copy(larger, 0, 0, end);
      bytes = larger;
    }
    end += bytes.write(text, end, 'latin1');
  };
  write('{"tensors":["t0"');
  for (let id = 1; id < tensors; id++) write(`,"t${id}"`);
  write('],"nodes":[');
  let separator = '';
  for (const { op, inputs, output } of nodes) {
    write(`${separator}{"op":${op},"inputs":[${inputs.join()}],"outputs":[${output}]}`);
    separator = ',';
  }
  write(`],"inputs":[0],"outputs":[${tensors - 1}]}`);
  return bytes.subarray(0, end);
}

function* chainNodes(count: number): Iterable<Entry> {
  // Two of them take one away from x: a node that is lost or run twice shows in the result.
  const ops = ['one_minus', 'neg'].map(unary);
  for (let at = 0; at < count; at++) yield { op: ops[at % ops.length], inputs: [at], output: at + 1 };
}

/** `count` unary nodes, one behind the other: 78 MB for a million. */
export const chain = (count: number): Uint8Array => interchangeBytes(count + 1, chainNodes(count));

function* tiedNodes(count: number): Iterable<Entry> {
  // Slopes of −1, −1, and of two halves that must be added: a node that is lost or counted twice shows in the gradient.
  const [oneMinus, neg, max] = [unary('one_minus'), unary('neg'), binary('max')];
  for (let at = 0; at < count; at++)
    yield { op: [oneMinus, neg, max][at % 3], inputs: at % 3 === 2 ? [at, at] : [at], output: at + 1 };
}

/** `count` nodes, one behind the other; each third reads the one before it twice. */
export const ties = (count: number): Uint8Array => interchangeBytes(count + 1, tiedNodes(count));

function* ladderNodes(rungs: number): Iterable<Entry> {
  const op = binary('max');
  for (let at = 0; at < rungs; at++) yield { op, inputs: [at, at], output: at + 1 };
}

/** Each node reads the one before it twice: 2ⁿ paths lead from the input to the output. */
export const ladder = (rungs: number): Uint8Array => interchangeBytes(rungs + 1, ladderNodes(rungs));

function* fanNodes(width: number): Iterable<Entry> {
  const [neg, add] = [unary('neg'), binary('add')];
  for (let at = 1; at <= width; at++) yield { op: neg, inputs: [0], output: at };
  for (let read = 1, made = width + 1; made < 2 * width; made++, read += 2)
    yield { op: add, inputs: [read, read + 1], output: made };
}

/** One value read by `width` nodes, whose results a balanced tree of sums joins: 2 · width − 1 nodes. */
export const fan = (width: number): Uint8Array => interchangeBytes(2 * width, fanNodes(width));
