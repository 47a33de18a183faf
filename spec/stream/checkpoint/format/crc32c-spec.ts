/** @file The checksum of checkpoints and saved states, on published vectors. */
import { expect } from 'chai';
import { crc32c } from '../../../../src/stream/checkpoint/format/crc32c.js';

describe('CRC-32C', () => {
  it('gives the check values of RFC 3720 (B.4) and of the catalogue of parametrised CRCs', () => {
    expect(crc32c(new TextEncoder().encode('123456789'))).to.equal(0xe3069283);
    expect(crc32c(new Uint8Array(32))).to.equal(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(255))).to.equal(0x62a8ab43);
    expect(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i))).to.equal(0x46dd794e);
    expect(crc32c(new Uint8Array(0))).to.equal(0);
  });
});
