/**
 * @file einstream/node: what needs Node's own modules. Checkpoints in a folder, and outputs in a file.
 */
export { directoryStore } from './node/directory-store.js';
export { committingFile } from './node/committing-file.js';
