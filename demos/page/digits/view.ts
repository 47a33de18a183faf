/** @file placeholder for now */
import { NEVER } from 'rxjs';
import { instantiate } from '../ui/dom.js';
import type { View } from '../ui/view.js';
export function digitsView(): View { return { root: instantiate('digits').root, life$: NEVER }; }
