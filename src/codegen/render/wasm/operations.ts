/**
 * @file How instructions are written down: operands first, then the opcode, then where in memory.
 */
import { u32, type Code } from './bytes.js';

export type Unary = (x: Code) => Code;
export type Binary = (x: Code, y: Code) => Code;

export const one =
  (...opcode: readonly number[]): Unary =>
  (x) => [x, opcode];
export const two =
  (...opcode: readonly number[]): Binary =>
  (x, y) => [x, y, opcode];
/** Where a load or store goes: bytes beyond the address, and log₂ of the alignment that may be assumed. */
export interface Memory {
  readonly offset?: number;
  readonly align?: number;
}

export const memory = ({ offset = 0, align = 0 }: Memory): Code => [u32(align), u32(offset)];
export const load =
  (...opcode: readonly number[]) =>
  (address: Code, where: Memory = {}): Code => [address, opcode, memory(where)];
export const store =
  (...opcode: readonly number[]) =>
  (address: Code, value: Code, where: Memory = {}): Code => [address, value, opcode, memory(where)];
