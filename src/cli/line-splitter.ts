/**
 * @file Bytes to lines. What is held is at most one line, and a line has a limit, so memory is bounded whatever comes.
 *
 * Lines end with LF; a CR before it is white space to JSON. The last line may do without. Splitting works on bytes,
 * so a character that lies across two chunks stays whole.
 */

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without the line feed; undefined for a line over the limit, whose rest is skipped. */
  readonly bytes: Uint8Array | undefined;
}

export interface LineSplitter {
  /** The lines that end in this chunk. Their bytes are views of it, to be read before the next call. */
  push(chunk: Uint8Array): readonly Line[];
  /** The last line, if it had no line feed. */
  end(): readonly Line[];
}

const LINE_FEED = 0x0a;

export function lineSplitter(maxBytes: number): LineSplitter {
  let number = 1;
  let held = new Uint8Array(0);
  let length = 0;
  let isSkipping = false;

  /** Keeps the start of a line until its end comes. False when that would pass the limit. */
  const hold = (piece: Uint8Array): boolean => {
    if (length + piece.length > maxBytes) return false;
    if (length + piece.length > held.length) {
      const wider = new Uint8Array(Math.min(maxBytes, Math.max(2 * held.length, length + piece.length)));
      wider.set(held.subarray(0, length));
      held = wider;
    }
    held.set(piece, length);
    length += piece.length;
    return true;
  };
  const finish = (piece: Uint8Array): Line | undefined => {
    const at = number++;
    if (isSkipping) {
      isSkipping = false;
      return undefined;
    }
    if (length === 0) return { number: at, bytes: piece.length > maxBytes ? undefined : piece };
    const bytes = hold(piece) ? held.subarray(0, length) : undefined;
    // The reader of this line may still look at the bytes while the next line is collected.
    held = new Uint8Array(0);
    length = 0;
    return { number: at, bytes };
  };
  return {
    push(chunk) {
      const lines: Line[] = [];
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        const line = finish(chunk.subarray(from, at));
        if (line !== undefined) lines.push(line);
        from = at + 1;
      }
      if (from < chunk.length && !isSkipping && !hold(chunk.subarray(from))) {
        lines.push({ number, bytes: undefined });
        isSkipping = true;
        held = new Uint8Array(0);
        length = 0;
      }
      return lines;
    },
    end() {
      const line = length > 0 ? finish(new Uint8Array(0)) : undefined;
      return line === undefined ? [] : [line];
    },
  };
}
