import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** One network as Prometheus and a browser see it. They need Debian's `prometheus` and `chromium`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['dashboard/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', './summary-reporter.ts'],
    globalSetup: join(import.meta.dirname, 'cache-of-tests.ts'),
  },
});
