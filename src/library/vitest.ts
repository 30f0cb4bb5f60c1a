import { test as plain, type RunnerTestSuite, type TestAPI } from 'vitest';
import { terminalText } from '../system/program/terminal-text.ts';
import { beginningOf, evidenceOf, evidenceText } from './evidence.ts';
import { boundTo } from './network/devnet.ts';
import type { Devnet } from './network/devnet-types.ts';
import { testScope } from './network/test-scope.ts';
import { connect, type StartOptions, startDevnet } from './start.ts';

/** What to start for tests, and how often. */
export interface DevnetTestOptions extends StartOptions {
  /**
   * A network for each test, each file (default), each worker of vitest, or the whole run. That of a run is started
   * by `rollup-devnet/vitest/setup`.
   */
  readonly scope?: 'test' | 'file' | 'worker' | 'run';
}

/** What tests of `devnetTest` have. */
export interface DevnetFixtures {
  /** The network. It is started when the first test asks for it. */
  readonly devnet: Devnet;
}

interface Fixtures extends DevnetFixtures {
  readonly devnetOfScope: Devnet;
}

/**
 * Makes a `test` of vitest with the fixture `devnet`. The start counts as a part of the first test: raise `testTimeout`
 * to a minute. When a test fails, its name, the transactions that reverted since its beginning, the heads of all nodes
 * and the logs are written to stderr, and to `meta.devnet` of the test. Calls of the handle end with the test, also
 * when it timed out.
 */
export function devnetTest({ scope = 'file', ...options }: DevnetTestOptions = {}): TestAPI<DevnetFixtures> {
  const lend = async (opened: Promise<Devnet>, use: (net: Devnet) => Promise<void>) => {
    await using net = await opened;
    await use(net);
  };
  return plain.extend<Fixtures>({
    devnetOfScope:
      scope === 'test'
        ? async ({ signal }, use) => {
            const over = options.signal === undefined ? signal : AbortSignal.any([signal, options.signal]);
            await lend(startDevnet({ ...options, signal: over }), use);
          }
        : [
            // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of other fixtures from the pattern
            async ({}, use) => await lend(scope === 'run' ? connect(options) : startDevnet(options), use),
            { scope: scope === 'run' ? 'file' : scope },
          ],
    devnet: async ({ devnetOfScope, onTestFailed, signal, task }, use) => {
      const scope = testScope();
      signal.addEventListener('abort', () => void scope.end(), { once: true });
      const beginning = await beginningOf(devnetOfScope);
      onTestFailed(async () => {
        const evidence = await evidenceOf(devnetOfScope, fullNameOf(task), beginning);
        // A test that has failed takes no annotation any more. Its meta data reach every reporter.
        Object.assign(task.meta, { devnet: evidence });
        process.stderr.write(terminalText(`${evidenceText(evidence)}\n`));
      });
      // The body of a test whose time was over before its network was at hand would run after the test.
      signal.throwIfAborted();
      await use(boundTo(devnetOfScope, scope));
      await scope.end();
    },
  });
}

/** Names a test with the suites around it. */
function fullNameOf({ name, suite }: { readonly name: string; readonly suite?: RunnerTestSuite | undefined }): string {
  return suite === undefined || suite.name === '' ? name : `${fullNameOf(suite)} > ${name}`;
}

/** vitest's `test` with a default network for each file, as the fixture `devnet`. */
export const test: TestAPI<DevnetFixtures> = devnetTest();
