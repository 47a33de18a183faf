/** @file What this page must find, as its address says. */
import type { Findings } from '../configurations.js';

export const finds = JSON.parse(new URL(location.href).searchParams.get('finds') ?? '{}') as Findings;
