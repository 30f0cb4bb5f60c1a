import { after, afterEach, before, beforeEach } from 'node:test';
import { boundTo } from './devnet.ts';
import type { Devnet } from './devnet-types.ts';
import { UsageError } from './errors.ts';
import { evidenceOf } from './evidence.ts';
import { nodeTestScopes } from './node-test-scopes.ts';
import { type StartOptions, startDevnet } from './start.ts';

/**
 * Starts a network before the tests of this file or suite of node:test, and tears it down after them. Returns a
 * function that returns the network within a test or hook. When a test fails, the heads of all nodes and the logs
 * since its beginning are written as its diagnostics. Calls of the network end with the test that made them, also where
 * it timed out.
 */
export function useDevnet(options: StartOptions = {}): () => Devnet {
  let net: Devnet | undefined;
  let since = 0;
  const scopes = nodeTestScopes();
  before(async () => {
    net = await startDevnet(options);
  });
  beforeEach((context) => {
    since = Date.now();
    scopes.begin(context);
  });
  afterEach(async (context) => {
    await scopes.end(context);
    if (net === undefined || !('passed' in context) || context.passed !== false) return;
    const { state, logs } = await evidenceOf(net, since);
    if ('diagnostic' in context) context.diagnostic(`${state}\n${logs}`);
  });
  after(() => net?.down());
  return () => {
    const scope = scopes.current();
    if (net !== undefined) return scope === undefined ? net : boundTo(net, scope);
    throw new UsageError('usage', 'the network is not up yet: call this within a test or a hook');
  };
}
