import { expect } from 'chai';
import * as fc from 'fast-check';
import { lineSplitter, type Line } from '../../src/cli/line-splitter.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const split = (chunks: readonly Uint8Array[], maxBytes = Infinity): readonly (readonly [number, string | undefined])[] => {
  const splitter = lineSplitter(maxBytes);
  // Read at once: the bytes are views of the chunk.
  const read = (lines: readonly Line[]) =>
    lines.map(({ number, bytes }) => [number, bytes && Buffer.from(bytes).toString('utf8')] as const);
  return [...chunks.flatMap((chunk) => read(splitter.push(chunk))), ...read(splitter.end())];
};
const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

describe('the splitter of lines', () => {
  it('gives the same lines however the bytes are cut, within a character too', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'é', '😀', '\n', '\r\n', '{"x":1}'), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (text, sizes) => {
        const whole = bytes(text);
        const chunks: Uint8Array[] = [];
        for (let at = 0; at < whole.length;) {
          const size = sizes.next().value;
          chunks.push(whole.subarray(at, at + size));
          at += size;
        }
        const lines = text.split('\n');
        if (lines.at(-1) === '') lines.pop();
        expect(split(chunks)).to.deep.equal(lines.map((line, index) => [index + 1, line]));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(300, 2000, 20000) },
    );
  });

  it('takes a line as long as the limit, and tells of one a byte longer before its end has come (G14)', () => {
    expect(split([bytes('12345\n123456\n1\n')], 5)).to.deep.equal([
      [1, '12345'],
      [2, undefined],
      [3, '1'],
    ]);
    const splitter = lineSplitter(5);
    expect(splitter.push(bytes('12345'))).to.deep.equal([]);
    expect(splitter.push(bytes('6'))).to.deep.equal([{ number: 1, bytes: undefined }]);
    expect(splitter.push(bytes('7'.repeat(1000)))).to.deep.equal([]);
    expect(splitter.push(bytes('\nok\n')).map(({ number }) => number)).to.deep.equal([2]);
    expect(splitter.end()).to.deep.equal([]);
  });

  it('holds no more than a line, though it comes byte by byte', () => {
    const splitter = lineSplitter(1 << 18);
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 1 << 18; i++) splitter.push(Uint8Array.of(65));
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(16 << 20);
    expect(splitter.end()[0].bytes).to.have.length(1 << 18);
  });
});
