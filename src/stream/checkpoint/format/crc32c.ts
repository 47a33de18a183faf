/**
 * @file CRC-32C (Castagnoli; RFC 3720, appendix B.4): finds every burst of up to 32 wrong bits.
 */
const REFLECTED = 0x82f63b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = (rest & 1) === 0 ? rest >>> 1 : (rest >>> 1) ^ REFLECTED;
  return rest;
});

/** 32 bits, as a number from 0. */
export function crc32c(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  // A plain loop: a hundred megabytes are ordinary here.
  for (let i = 0; i < bytes.length; i++) rest = (rest >>> 8) ^ TABLE[(rest ^ bytes[i]) & 0xff];
  return (rest ^ 0xffffffff) >>> 0;
}
