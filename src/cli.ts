#!/usr/bin/env node
/** @file The command line: `einstream run | check | inspect | bench`. */
import { main } from './cli/main.js';
import { processSignals } from './cli/signals.js';

const { stdin, stdout, stderr } = process;
process.exitCode = await main(process.argv.slice(2), { stdin, stdout, stderr, signals$: processSignals() });
// Whoever asks a program to stop does not wait for what it waits for.
if (process.exitCode > 128) process.exit();
