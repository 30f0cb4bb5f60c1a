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
    // Limits for what hangs. A condition that comes true late on a busy machine is still true.
    expect: { poll: { timeout: 30_000 } },
    // Real processes on a shared machine: one that stumbles is tried once more, and named at the end of the run.
    retry: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
    reporters: ['default', './summary-reporter.ts'],
  },
});
