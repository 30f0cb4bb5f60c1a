import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Users' kinds of project with the package as npm installs its tarball: `make examples`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['examples/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: ['default', './summary-reporter.ts'],
    globalSetup: join(import.meta.dirname, 'cache-of-tests.ts'),
  },
});
