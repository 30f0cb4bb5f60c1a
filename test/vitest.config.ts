import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Folders of tests without a process, a port or a clock of their own. They share workers, whose imports they reuse. */
const PURE = [
  'protocol/**/*.test.ts',
  'contracts/**/*.test.ts',
  'writing/**/*.test.ts',
  'orchestrator/{spec,plan,template}/**/*.test.ts',
  'nodes/execution/{block,methods,pool,state,tracing,transaction,trie,witness}/**/*.test.ts',
];

export default defineConfig({
  test: {
    root: import.meta.dirname,
    pool: 'forks',
    // Most tests wait for real processes rather than compute: more of them than cores keep the machine busy.
    maxWorkers: 4,
    // Limits for what hangs. A condition that comes true late on a busy machine is still true.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 400_000,
    hookTimeout: 400_000,
    teardownTimeout: 30_000,
    reporters: ['default', './summary-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'pure', isolate: false, include: PURE } },
      {
        extends: true,
        test: {
          name: 'processes',
          include: ['**/*.test.ts'],
          exclude: [...PURE, 'soak/**', 'bench/**', 'docker/**'],
          globalSetup: join(import.meta.dirname, 'cache-of-tests.ts'),
        },
      },
    ],
  },
});
