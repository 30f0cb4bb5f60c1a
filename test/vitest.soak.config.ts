import { defineConfig } from 'vitest/config';

/** Long, seeded runs that the suite leaves out: each has a target of its own in the Makefile. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['soak/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 3 * 3_600_000,
    hookTimeout: 60_000,
    reporters: ['default', './summary-reporter.ts'],
  },
});
