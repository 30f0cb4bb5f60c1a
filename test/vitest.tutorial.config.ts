import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tutorial, and pages like it, followed command by command. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['tutorial/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    // Each command begins when the one before has ended.
    bail: 1,
    testTimeout: 330_000,
    hookTimeout: 120_000,
    reporters: ['default', './summary-reporter.ts'],
    globalSetup: join(import.meta.dirname, 'cache-of-tests.ts'),
  },
});
