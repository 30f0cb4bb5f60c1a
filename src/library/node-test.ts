import { after, afterEach, before, beforeEach } from 'node:test';
import type { Devnet } from './devnet-types.ts';
import { UsageError } from './errors.ts';
import { evidenceOf } from './evidence.ts';
import { type StartOptions, startDevnet } from './start.ts';

/**
 * Starts a network before the tests of this file or suite of node:test, and tears it down after them. Returns a
 * function that returns the network within a test or hook. When a test fails, the heads of all nodes and the logs
 * since its beginning are written as its diagnostics.
 */
export function useDevnet(options: StartOptions = {}): () => Devnet {
  let net: Devnet | undefined;
  let since = 0;
  before(async () => {
    net = await startDevnet(options);
  });
  beforeEach(() => {
    since = Date.now();
  });
  afterEach(async (context) => {
    if (net === undefined || !('passed' in context) || context.passed !== false) return;
    const { state, logs } = await evidenceOf(net, since);
    if ('diagnostic' in context) context.diagnostic(`${state}\n${logs}`);
  });
  after(() => net?.down());
  return () => {
    if (net !== undefined) return net;
    throw new UsageError('usage', 'the network is not up yet: call this within a test or a hook');
  };
}
