export { clip } from './clip.js';
export { where } from './where.js';
