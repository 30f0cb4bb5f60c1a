import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Exported networks on the Kubernetes cluster of `KUBECONFIG`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['k8s/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    reporters: ['default', './summary-reporter.ts'],
    globalSetup: join(import.meta.dirname, 'cache-of-tests.ts'),
  },
});
