import { defineConfig } from 'vitest/config';

/** Tests on published material outside this project, in a given folder (`make vectors DIR=…`). */
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
