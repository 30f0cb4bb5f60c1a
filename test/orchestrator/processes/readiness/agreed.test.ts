import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { untilAgreed } from '../../../../src/orchestrator/processes/readiness/agreed.ts';
import { method } from '../../../../src/rpc/method.ts';
import { type RunningServer, serve } from '../../../../src/rpc/server/server.ts';

interface Node {
  readonly server: RunningServer;
  /** Hashes of its blocks, from block 0 on. The last is its unsafe head. */
  readonly blocks: string[];
  /** Requests for its heads so far. */
  readonly polls: () => number;
}

/** Serves execution client and rollup node at one address. */
async function serveNode(blocks: string[]): Promise<Node> {
  let polls = 0;
  const methods = {
    optimism_syncStatus: method('', z.tuple([]), () => {
      polls++;
      return { unsafe_l2: { number: blocks.length - 1, hash: blocks.at(-1) } };
    }),
    eth_getBlockByNumber: method('', z.tuple([z.string(), z.boolean()]), (_: undefined, [number]) => ({
      hash: blocks[Number(number)],
    })),
  };
  const options = { host: '127.0.0.1', port: 0, http: true, websocket: false, methods, context: undefined };
  return { server: await serve(options), blocks, polls: () => polls };
}

describe('the nodes of a start', () => {
  let nodes: readonly Node[];
  const plan = () => {
    const views = nodes.map(({ server: { port } }, at) => {
      const url = `http://127.0.0.1:${port}`;
      return { name: `n${at}`, el: { task: `el${at}`, http: url }, cl: { task: `cl${at}`, rpc: url } };
    });
    return { network: { chains: [{ name: 'main', nodes: views }] } } as unknown as Plan;
  };
  const answers = async () => undefined;
  const ending = () => {
    const over = new AbortController();
    onTestFinished(() => over.abort());
    return over;
  };

  beforeEach(async () => {
    nodes = [await serveNode(['g', 'a', 'b']), await serveNode(['g', 'a'])];
  });
  afterEach(() => Promise.all(nodes.map(({ server }) => server.close())));

  it('agree when they have the same block at the lowest of their heads', async () => {
    expect(await untilAgreed(plan(), ending().signal, { answers })).toBeUndefined();
  });

  it('are waited for until the sequencer has replaced an unsafe block', async () => {
    nodes[1]!.blocks[1] = 'old';
    const agreed = untilAgreed(plan(), ending().signal, { answers, onDifference: expect.fail });
    await expect.poll(nodes[1]!.polls, { interval: 10 }).toBeGreaterThan(2);
    nodes[1]!.blocks[1] = 'a';
    expect(await agreed).toBeUndefined();
  });

  it('are told to differ if that stands, and the start goes on, when they start with their data', async () => {
    nodes[1]!.blocks[1] = 'other';
    const told: string[] = [];
    const onDifference = (text: string) => told.push(text);
    expect(await untilAgreed(plan(), ending().signal, { answers, onDifference })).toBeUndefined();
    expect(told).toEqual([
      'the nodes start with data that differ: the nodes of main have different blocks 1: main/n0 a, main/n1 other',
    ]);
  });

  it('are no network as long as they differ, when they start without data', async () => {
    nodes[1]!.blocks[1] = 'other';
    const over = ending();
    const agreed = untilAgreed(plan(), over.signal, { answers });
    setTimeout(() => over.abort(), 6000);
    expect(await agreed).toMatchObject({ text: expect.stringContaining('have different blocks 1') });
  });
});
