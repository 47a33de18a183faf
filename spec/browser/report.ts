/**
 * @file What a page tells of its specs while they run, as plain data.
 */

/** Why a test failed. */
export interface PageFailure {
  readonly message: string;
  readonly stack: string;
  /** As text, where the runner would show how the two differ. */
  readonly actual?: string;
  readonly expected?: string;
}

/** How one test of a page ended. */
export interface PageTest {
  /** Titles of the suites around it, and its own. */
  readonly titles: readonly string[];
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly failure?: PageFailure;
}

export type Report =
  | { readonly kind: 'start'; readonly tests: number }
  | { readonly kind: 'begin'; readonly titles: readonly string[] }
  | ({ readonly kind: 'test' } & PageTest)
  | { readonly kind: 'end' };
