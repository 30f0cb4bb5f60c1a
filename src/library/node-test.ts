import { after, afterEach, before, beforeEach } from 'node:test';
import { type Beginning, beginningOf, evidenceOf, evidenceText } from './evidence.ts';
import { boundTo } from './network/devnet.ts';
import type { Devnet } from './network/devnet-types.ts';
import { UsageError } from './network/errors.ts';
import { nodeTestScopes } from './node-test-scopes.ts';
import { type StartOptions, startDevnet } from './start.ts';

/**
 * Starts a network before the tests of this file or suite of node:test, and tears it down after them. Returns a
 * function that returns the network within a test or hook. When a test fails, its name, the transactions that
 * reverted since its beginning, the heads of all nodes and the logs are written as its diagnostics. Calls of the
 * network end with the test that made them, also when it timed out.
 */
export function useDevnet(options: StartOptions = {}): () => Devnet {
  let net: Devnet | undefined;
  let beginning: Beginning = { since: 0, heights: new Map() };
  const scopes = nodeTestScopes();
  before(async () => {
    net = await startDevnet(options);
  });
  beforeEach(async (context) => {
    scopes.begin(context);
    if (net !== undefined) beginning = await beginningOf(net);
  });
  afterEach(async (context) => {
    await scopes.end(context);
    if (net === undefined || !('passed' in context) || context.passed !== false) return;
    const evidence = await evidenceOf(net, context.name, beginning);
    if (!('diagnostic' in context)) return;
    // Reporters escape the line breaks of a diagnostic.
    for (const line of evidenceText(evidence).split('\n')) context.diagnostic(line);
  });
  after(() => net?.down());
  return () => {
    const scope = scopes.current();
    if (net !== undefined) return scope === undefined ? net : boundTo(net, scope);
    throw new UsageError('usage', 'the network is not up yet: call this within a test or a hook');
  };
}
