import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Networks in containers. They need a Docker daemon: see `docker/daemon.ts`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['docker/**/*.test.ts'],
    exclude: ['docker/core.test.ts'],
    pool: 'forks',
    // One daemon serves all.
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', './summary-reporter.ts'],
    globalSetup: [join(import.meta.dirname, 'docker', 'daemon.ts'), join(import.meta.dirname, 'cache-of-tests.ts')],
  },
});
