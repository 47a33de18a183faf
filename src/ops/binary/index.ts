export * from './arithmetic.js';
export * from './comparison.js';
export * from './division.js';
export * from './logical.js';
export * from './transcendental.js';
