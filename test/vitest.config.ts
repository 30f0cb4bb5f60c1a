import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    exclude: ['soak/**', 'bench/**'],
    globalSetup: './cache-of-tests.ts',
    pool: 'forks',
    // Most tests wait for real processes rather than compute: more of them than cores keep the machine busy.
    maxWorkers: 4,
    // A condition that comes true late on a busy machine is still true.
    expect: { poll: { timeout: 15_000 } },
    // Real processes on a shared machine: one that stumbles is tried once more, and named at the end of the run.
    retry: 1,
    testTimeout: 60_000,
    // A hook may start a dozen of them.
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    reporters: ['default', './summary-reporter.ts'],
  },
});
