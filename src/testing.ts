/**
 * @file einstream/testing: for the tests of those who write operators and backends. No test runner is imported.
 */
export { describeBackend, type ConformanceOptions, type MakeBackend } from './testing/describe-backend.js';
export { dummyExecutor } from './testing/dummy-executor.js';
export { nullBackend } from './testing/null-backend.js';
export type { Check } from './testing/conformance/harness.js';
export { operatorLaws, type OperatorUse } from './testing/operator-laws.js';
export type { Law } from './testing/law.js';
export { checkGradients } from './testing/check-gradients.js';
export type { CheckOptions, DifferenceMethod } from './testing/gradients/options.js';
export type { GradientDifference, GradientReport } from './testing/gradients/report.js';
