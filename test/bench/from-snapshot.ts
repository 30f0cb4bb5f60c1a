import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './devnet.ts';
import { ask } from './poll.ts';
import { ACCOUNT, feed, type Status, sequencerOf, signTransfer } from './warp.ts';

/** L2 blocks in the snapshot, and transactions in each of them. */
const BLOCKS = Number(process.env['SNAPSHOT_BLOCKS'] ?? 1000);
const EACH = 20;
/** Five blocks in a batch: 200 batches. */
const SPEC = ['default', '--set', 'chains.main.batcher.args.max-channel-duration=5'];

/** Times (ms) of `up`, alternating: from the snapshot, and of a new network in the same warm home. */
export interface SnapshotStarts {
  readonly from: readonly number[];
  readonly plain: readonly number[];
}

/** Saves a network of many full blocks, and starts networks from it. */
export async function snapshotStarts(rounds: number): Promise<SnapshotStarts> {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bench-'));
  const env = { ...process.env, DEVNET_HOME: join(folder, 'home') };
  const from: number[] = [];
  const plain: number[] = [];
  const start = async (times: number[], ...words: readonly string[]) => {
    const began = performance.now();
    await run(['up', ...words, '-d', '--set', 'ports=auto'], env);
    times.push(performance.now() - began);
    await run(['down'], env);
  };
  try {
    await fill(env);
    await start([], ...SPEC);
    await start([], '--from', 'full');
    for (let round = 0; round < rounds; round++) {
      await start(plain, ...SPEC);
      await start(from, '--from', 'full');
    }
    return { from, plain };
  } finally {
    await run(['down', '--all'], env).catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Saves the snapshot `full`. @throws Error if its blocks are not full */
async function fill(env: NodeJS.ProcessEnv): Promise<void> {
  await run(['up', ...SPEC, '-d', '--set', 'ports=auto'], env);
  const { el } = sequencerOf(JSON.parse(await run(['status', '--json'], env)) as Status);
  const all = await Promise.all(Array.from({ length: EACH * BLOCKS }, (_, nonce) => signTransfer(901, nonce)));
  const feeding = new AbortController();
  const fed = feed(el.http, all, EACH, feeding.signal);
  await run(['warp', `+${2 * BLOCKS}s`], env);
  feeding.abort();
  await fed;
  const sent = Number(await ask(el.http, 'eth_getTransactionCount', ACCOUNT.address, 'latest'));
  // A start also recovers the senders of transactions that wait. The goal speaks of blocks only.
  while (((await ask(el.http, 'txpool_status')) as { pending: string }).pending !== '0x0')
    await run(['warp', '+2s'], env);
  if (sent < 0.9 * EACH * BLOCKS) throw new Error(`${sent} of ${EACH * BLOCKS} transactions are in blocks`);
  await run(['snapshot', 'save', 'full'], env);
  await run(['down'], env);
}
