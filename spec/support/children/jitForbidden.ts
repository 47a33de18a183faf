/**
 * @file Run with `--disallow-code-generation-from-strings`: just-in-time tiers around each backend, told as JSON.
 */
import { jitDigest } from '../jitDigest.js';

function evaluating(): string {
  try {
    return String(new Function('return 1')());
  } catch (error) {
    return String(error);
  }
}

console.log(JSON.stringify({ digest: await jitDigest(), evaluating: evaluating() }));
