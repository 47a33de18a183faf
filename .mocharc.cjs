// Mocha adds files named on the command line to those named here, so name none here when some are named there.
const named = process.argv.slice(2).some((argument) => argument.endsWith('-spec.ts'));

module.exports = {
  extension: ['ts'],
  spec: named ? [] : ['spec/**/*-spec.ts'],
  // Larger sizes take longer, and CI's machine may be busy.
  timeout: process.env.EINSTREAM_SIZE ? 300_000 : 60_000,
  // Several processes for a developer, one more than processors, as some specs wait; in CI each would compile all types again.
  parallel: !named && !process.env.EINSTREAM_SIZE,
  jobs: 3,
  reporter: './spec/support/reporter.cjs',
  'node-option': ['no-experimental-require-module', 'import=./spec/support/ts-node-register.mjs', 'enable-source-maps'],
};
