export type { JsonKind } from './kind.js';
export { JSON_LIMITS, type JsonLimits } from './limits.js';
export type { JsonNumbers, NumbersOptions } from './numbers.js';
export type { JsonFault } from './place.js';
export { jsonReader, parseJson, type JsonReader } from './reader.js';
export type { JsonValue } from './value.js';
export { jsonNumber, jsonNumbers, jsonString } from './writer.js';
