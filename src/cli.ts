#!/usr/bin/env node
/** @file The command line: `einstream run | check | inspect`. */
import { main } from './cli/main.js';

process.exitCode = await main(process.argv.slice(2), process);
