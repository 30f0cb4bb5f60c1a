import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { useCompileCache } from './compile-cache.ts';
import { keepRunnerDirect } from './environment-proxy.ts';
import { LongestFirst } from './longest-first.ts';
import { OWN_TIMERS, SHARED_FILES } from './shared-files.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

useTemporaryFolder();
useCompileCache();
keepRunnerDirect();

/** Networks in containers of one daemon, after all other tests: they mostly wait. Opt-in: DEVNET_TEST_DOCKER. */
const CONTAINERS = {
  extends: true as const,
  test: {
    name: 'docker',
    include: ['docker/**/*.test.ts'],
    sequence: { groupOrder: 1 },
    maxWorkers: 3,
    globalSetup: [join(import.meta.dirname, 'docker', 'daemon.ts'), join(import.meta.dirname, 'cache-of-tests.ts')],
    setupFiles: join(import.meta.dirname, 'docker', 'environment.ts'),
  },
};

export default defineConfig({
  test: {
    root: import.meta.dirname,
    pool: 'forks',
    // A failed command says why on stderr: the message of a failure shows the whole result.
    chaiConfig: { truncateThreshold: 4000 },
    setupFiles: ['environment-proxy.ts', 'compile-cache.ts'].map((file) => join(import.meta.dirname, file)),
    // Most tests wait for real processes rather than compute: more of them than cores keep the machine busy.
    maxWorkers: 7,
    sequence: { sequencer: LongestFirst },
    // Limits for what hangs. A condition that comes true late on a busy machine is still true.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 400_000,
    hookTimeout: 400_000,
    teardownTimeout: 30_000,
    reporters: ['default', './summary-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          include: [...SHARED_FILES],
          exclude: [...OWN_TIMERS],
          globalSetup: join(import.meta.dirname, 'cache-of-tests.ts'),
        },
      },
      { extends: true, test: { name: 'timers', include: [...OWN_TIMERS] } },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['**/*.test.ts'],
          exclude: [
            ...SHARED_FILES,
            'fixtures/**',
            'soak/**',
            'bench/**',
            'docker/**',
            'k8s/**',
            'dashboard/**',
            'tutorial/**',
            'examples/**',
          ],
          globalSetup: join(import.meta.dirname, 'cache-of-tests.ts'),
        },
      },
      CONTAINERS,
    ],
  },
});
