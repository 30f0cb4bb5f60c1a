import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { useCompileCache } from './compile-cache.ts';
import { keepRunnerDirect } from './environment-proxy.ts';
import { LongestFirst } from './longest-first.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

useTemporaryFolder();
useCompileCache();
keepRunnerDirect();

/** Folders of tests that leave nothing behind in their process. They share workers, whose imports they reuse. */
const SHARED = [
  'contracts/**/*.test.ts',
  'evm/**/*.test.ts',
  'nodes/{batcher,beacon,challenger,conductor,crypto,da,da-server,games,gossip,kzg,proposer,rollup,rpc-types,service,signer,txmgr}/**/*.test.ts',
  'nodes/execution/{block,chain,engine,evm,flavours,methods,pool}/**/*.test.ts',
  'nodes/execution/{query,state,sync,tracing,transaction,trie,views,witness}/**/*.test.ts',
  'orchestrator/{change,cli,dashboard,devnet,divergence,environment,health,inspect,load,logs,metrics,plan}/**/*.test.ts',
  'orchestrator/{pool,probe,scenario,snapshots,spec,start,status,template,terminal,traffic,wait}/**/*.test.ts',
  'protocol/**/*.test.ts',
  'rpc/**/*.test.ts',
  'writing/**/*.test.ts',
  'library/**/*.test.ts',
  'page/**/*.test.ts',
  'system/{crypto,files,time}/**/*.test.ts',
];

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
          include: SHARED,
          globalSetup: join(import.meta.dirname, 'cache-of-tests.ts'),
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['**/*.test.ts'],
          exclude: [
            ...SHARED,
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
