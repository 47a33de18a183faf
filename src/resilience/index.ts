/**
 * @file What keeps a stream alive when its work fails.
 */
export { bisecting, type BisectingOptions, type Settled } from './bisecting.js';
export { circuitBreaker, type CircuitBreaker, type CircuitBreakerOptions, type CircuitState } from './circuit-breaker.js';
export { recovery, type RecoveryConfig, type RecoveryStrategy, type Substitute } from './config.js';
export { recovering, runWithRecovery, type RecoveringOptions } from './recovering.js';
export type {
  FailureInfo,
  LostNode,
  RecoveryFailure,
  RecoveryPartialSuccess,
  RecoveryResult,
  RecoveryStats,
  RecoverySuccess,
} from './result.js';
export { exponentialBackoff, RetryPolicy, type BackoffOptions } from './retry-policy.js';
export { retrying, type RetryingOptions } from './retrying.js';
