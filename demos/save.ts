/**
 * @file The graph of the main job as a file for the command line.
 *
 *     npm run --silent demo demos/save.ts > demos/anomaly.json
 */
import { serializeGraph } from '../src/index.js';
import { anomaly } from './sp500/anomaly.js';

process.stdout.write(serializeGraph(anomaly));
