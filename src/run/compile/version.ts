/**
 * @file The version of the engine, and of the form in which compiled graphs are saved.
 */

/** As in package.json. */
export const ENGINE = '0.1.0';

/** Another one where a pass makes nodes that older engines cannot run. */
export const COMPILED_FORM = 1;
