import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFailed, vi } from 'vitest';
import { Home, node, rpc, type Status } from './devnet.ts';

const POLL_OPTIONS = { timeout: 120_000, interval: 20 };

interface Row {
  /** Target, method and answer of the fault. */
  readonly fault: readonly [target: string, method: string, answer: string];
  /** What the verifier's rollup node logs. */
  readonly logs?: RegExp;
  /** Its head that stands meanwhile. */
  readonly stands?: 'safe' | 'latest';
}

/** docs/wrong-answers.md has these rows in words. */
const ROWS: readonly Row[] = [
  { fault: ['l1', 'eth_getBlockReceipts', 'error'], logs: /derivation pauses.*fault/, stands: 'safe' },
  { fault: ['l1', 'eth_getBlockReceipts', 'timeout'], logs: /derivation pauses.*no answer within/, stands: 'safe' },
  {
    fault: ['l1', 'eth_getBlockReceipts', 'wrong-receipt'],
    logs: /the receipts of L1 block \d+ .* are not those/,
    stands: 'safe',
  },
  { fault: ['l1', 'eth_getBlockByHash', 'error'], logs: /derivation pauses.*fault/, stands: 'safe' },
  { fault: ['l1', 'eth_getBlockByNumber', 'error'], logs: /no L1 heads, trying again/, stands: 'safe' },
  { fault: ['l1', 'eth_getBlockByNumber', 'stale'] },
  {
    fault: ['beacon', 'blob_sidecars', 'missing-blob'],
    logs: /finding the heads anew.*does not have the 1 blobs/,
    stands: 'safe',
  },
  { fault: ['beacon', 'blob_sidecars', 'error'], logs: /a beacon node did not answer.*HTTP 500/, stands: 'safe' },
  {
    fault: ['beacon', 'blob_sidecars', 'timeout'],
    logs: /a beacon node did not answer.*no answer within/,
    stands: 'safe',
  },
  { fault: ['beacon', 'blob_sidecars', 'stale'], logs: /blob/, stands: 'safe' },
  { fault: ['verifier', 'engine_newPayloadV4', 'error'], logs: /an unsafe block must wait.*fault/, stands: 'latest' },
  { fault: ['verifier', 'engine_newPayloadV4', 'timeout'], logs: /no answer to engine_newPayloadV4/, stands: 'latest' },
  { fault: ['verifier', 'engine_forkchoiceUpdatedV3', 'error'], logs: /fault/, stands: 'latest' },
];

/** The rows of a time-out take a minute each: `make wrong-answers` runs them, too. */
const RUN = ROWS.filter(({ fault: [, , answer] }) => answer !== 'timeout' || process.env['ANSWERS'] === 'all');

describe('a rollup node that gets a wrong answer', () => {
  let home: Home;
  let status: Status;
  const heightOf = async (name: string, label: string) => {
    const block = await rpc<{ readonly number: string }>(
      node(status, name).el.http,
      'eth_getBlockByNumber',
      label,
      false,
    );
    return Number(block.number);
  };

  const logOf = (...path: string[]) => readFileSync(join(home.folder, 'home', 'wrong', 'nodes', ...path), 'utf8');
  const log = () => logOf('main', 'verifier', 'cl.log');

  beforeAll(async () => {
    home = new Home();
    const nodes = { sequencer: { role: 'sequencer', el: 'execution-go' }, verifier: { el: 'execution-go' } };
    // A blob takes processor time.
    const batcher = { da: 'blobs', args: { 'max-channel-duration': 2 } };
    const chain = { blockTime: 1, proposer: false, batcher, nodes };
    const network = { name: 'wrong', ports: 'auto', faults: true, l1: { blockTime: 1 }, chains: { main: chain } };
    status = await home.up(home.spec('wrong', { ...network, time: { clock: 'stepped' } }));
    await pass(6);
    await passes(2);
  });
  afterEach(async () => void (await home.devnet('fault', 'heal', '--all')));
  afterAll(() => home[Symbol.asyncDispose]());

  const pass = async (blocks: number) => {
    const { code, stderr } = await home.devnet('warp', `+${blocks}s`);
    expect(code, stderr).toBe(0);
  };
  /** Blocks by which a head of the verifier moves while some are made. */
  const movement = async (label: string) => {
    const before = await heightOf('verifier', label);
    await pass(3);
    return (await heightOf('verifier', label)) - before;
  };
  const passes = async (number: number) => {
    await vi.waitFor(async () => {
      await pass(1);
      expect(await heightOf('verifier', 'safe')).toBeGreaterThan(number);
    }, POLL_OPTIONS);
  };

  it.each(RUN)('derives nothing false and recovers: $fault.0 $fault.1 $fault.2', async ({ fault, logs, stands }) => {
    const old = log().length;
    onTestFailed(() =>
      console.log(
        ['batcher.log', 'sequencer/cl.log', 'verifier/cl.log'].map((name) => logOf('main', name).slice(-4000)),
      ),
    );
    const begun = await home.devnet('fault', 'rpc', ...fault);
    expect(begun.code, begun.stderr).toBe(0);
    if (logs !== undefined)
      await expect
        .poll(async () => {
          // Without batches no receipt is asked for.
          await pass(1);
          return log().slice(old);
        }, POLL_OPTIONS)
        .toMatch(logs);
    // What the node had asked for before is derived first.
    if (stands !== undefined) await expect.poll(() => movement(stands), POLL_OPTIONS).toBeLessThanOrEqual(0);
    else await expect.poll(() => movement('safe'), POLL_OPTIONS).toBeGreaterThan(1);
    const height = await heightOf('sequencer', 'latest');
    expect((await home.devnet('fault', 'heal', '--all')).code).toBe(0);
    await passes(height + 1);
    await home.agrees();
  });
});
