import { defineConfig } from 'vitest/config';

/** Tests on public material that is not part of this project: they run where a folder of it is given (`make vectors DIR=…`). */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['vectors/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './summary-reporter.ts'],
  },
});
