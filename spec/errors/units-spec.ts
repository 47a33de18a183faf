import { expect } from 'chai';
import { humanBytes, humanMs } from '../../src/errors/index.js';

describe('humanBytes', () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1023 bytes'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [1024 ** 2 - 1, '1 MiB'],
    [512 * 1024 ** 2, '512 MiB'],
    [1024 ** 3, '1 GiB'],
    [2 ** 53, '8 PiB'],
    [Infinity, 'Infinity EiB'],
    [NaN, 'an unknown amount'],
    [-1, 'an unknown amount'],
  ];
  for (const [bytes, text] of rows) it(`prints ${bytes} as ${text} (F105)`, () => expect(humanBytes(bytes)).to.equal(text));
});

describe('humanMs', () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, '0 ms'],
    [0.0125, '12.5 µs'],
    [150, '150 ms'],
    [999.99, '999.99 ms'],
    [1500, '1.5 s'],
    [NaN, 'an unknown time'],
  ];
  for (const [ms, text] of rows) it(`prints ${ms} as ${text} (F106)`, () => expect(humanMs(ms)).to.equal(text));
});
