/**
 * @file The examples of the seed's chapter "Enhanced Diagnostics", translated and executed.
 */
import { expect } from 'chai';
import { collector, diagnostic, formatDiagnostic, outOfMemory, shapeMismatch, slowOperation } from '../../src/errors/index.js';

describe('the diagnostics examples of the seed', () => {
  it('E26: a diagnostic with context, two suggestions and a location prints all of it', () => {
    const diag = diagnostic.error('Tensor operation failed', {
      code: 'E001',
      context: 'Expected shape [64, 128], got [64, 256]',
      suggestions: ['Use tensor.reshape([64, 128]) to match expected shape', 'Check input tensor dimensions'],
      location: { file: 'model.rs', line: 42 },
    });
    expect(formatDiagnostic(diag)).to.equal(
      `[ERROR] Tensor operation failed
  at model.rs:42
  code: E001

Context:
  Expected shape [64, 128], got [64, 256]

Suggestions:
  1. Use tensor.reshape([64, 128]) to match expected shape
  2. Check input tensor dimensions`,
    );
  });

  it('E27: a shape mismatch names the axis and both sizes', () => {
    const diag = shapeMismatch([64, 128], [64, 256], 'matmul');
    expect(diag).to.include({ severity: 'error', code: 'E001', message: 'Shape mismatch in matmul operation' });
    expect(diag.context).to.include('Dimension 1 mismatch: expected Static(128), got Static(256)');
  });

  it('E28: a memory diagnostic of 1 GiB asked and 512 MiB free proposes how to fit', () => {
    const diag = outOfMemory(1024 * 1024 * 1024, 512 * 1024 * 1024);
    expect(diag).to.include({ code: 'E004', message: 'Out of memory: 1 GiB requested, 512 MiB available' });
    expect(diag.suggestions).to.deep.equal([
      'Work in chunks: 2 or more, of at most 512 MiB each',
      'Reduce the batch to at most 50 % of its size',
      'Halve the precision (float32 for float64): 512 MiB would fit',
    ]);
  });

  it('E29: a performance diagnostic of 150 ms against 50 ms shows the ratio', () => {
    const diag = slowOperation('einsum', 150.0, 50.0);
    expect(diag).to.include({ severity: 'warning', code: 'W002', message: 'Slow einsum operation: 3.00x the expected time' });
    expect(diag.context).to.deep.equal(['Actual: 150 ms, expected: 50 ms']);
  });

  it('E30: a collector counts errors and warnings, and prints all', () => {
    const found = collector();
    found.add(shapeMismatch([64, 128], [64, 256], 'matmul'));
    found.add(outOfMemory(1024 ** 3, 512 * 1024 ** 2));
    found.add(slowOperation('einsum', 150, 50));
    expect(found.hasErrors).to.equal(true);
    expect(`Errors: ${found.errorCount}, Warnings: ${found.warningCount}`).to.equal('Errors: 2, Warnings: 1');
    expect(found.formatAll()).to.match(
      /^\[ERROR\] Shape mismatch[^]*\n\n\[ERROR\] Out of memory[^]*\n\n\[WARNING\] Slow einsum[^]*\n\nSummary: 2 error\(s\), 1 warning\(s\)$/,
    );
  });

  it('E31: the example report is printed to the letter', () => {
    const found = collector([shapeMismatch([64, 128], [64, 256], 'matmul', { location: { file: 'model.rs', line: 42 } })]);
    expect(found.formatAll()).to.equal(
      `[ERROR] Shape mismatch in matmul operation
  at model.rs:42
  code: E001

Context:
  Expected shape: [64, 128], but got: [64, 256]
  Dimension 1 mismatch: expected Static(128), got Static(256)

Suggestions:
  1. Check your input tensor shapes match the expected dimensions
  2. Use tensor.reshape([64, 128]) to match the expected shape

Summary: 1 error(s), 0 warning(s)`,
    );
  });
});
