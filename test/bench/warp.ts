import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mnemonicToAccount } from 'viem/accounts';
import { envelopeOfBlock } from '../../src/nodes/rpc-types/block.ts';
import { rollupOf } from '../../src/protocol/derivation/rollup.ts';
import type { ExecutionPayloadEnvelope, Hex, RollupConfig } from '../../src/protocol/types.ts';
import { httpClient } from '../../src/rpc/client/http-client.ts';
import type { JsonObject } from '../../src/rpc/json-object.ts';
import { JWT } from '../nodes/execution/support/nodes.ts';
import { derive, type Ground, importAlone } from './derivation/rounds.ts';
import { run } from './devnet.ts';
import { ask, until } from './poll.ts';

/** Slots of two seconds that are warped for each row. */
const SLOTS = Number(process.env['WARP_SLOTS'] ?? 300);
/** Transactions of a row, for the median time to a receipt. */
const RECEIPTS = 50;

const SPEC = ['up', 'default', '-d', '--set', 'ports=auto'];
export const ACCOUNT = mnemonicToAccount('test test test test test test test test test test test junk', {
  addressIndex: 5,
});
const FEES = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };

/** Milliseconds per L2 block of the default network. */
export interface WarpCost {
  readonly transactions: number;
  readonly warp: number;
  /** A fresh execution client imports the blocks. */
  readonly execution: number;
  /** A fresh verifier derives them from L1, start not counted. Its execution client is included. */
  readonly derivation: number;
}

export interface Status {
  readonly folder: string;
  readonly l1: { readonly rpc: string };
  readonly chains: readonly [
    {
      readonly nodes: readonly { role: string; el: { http: string }; cl: { rpc: string } }[];
    },
  ];
}

/** Runs work in the default network with some options, in a home of its own. */
async function within<T>(options: readonly string[], work: (status: Status, env: NodeJS.ProcessEnv) => Promise<T>) {
  const folder = mkdtempSync(join(tmpdir(), 'warp-bench-'));
  const env = { ...process.env, DEVNET_HOME: join(folder, 'home') };
  try {
    await run([...SPEC, ...options], env);
    return await work(JSON.parse(await run(['status', '--json'], env)), env);
  } finally {
    await run(['down', '--all'], env).catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}

export function sequencerOf(status: Status) {
  const sequencer = status.chains[0].nodes.find(({ role }) => role === 'sequencer');
  if (sequencer === undefined) throw new Error('the default network has no sequencer');
  return sequencer;
}

export const signTransfer = (chainId: number, nonce: number) =>
  ACCOUNT.signTransaction({
    ...{ type: 'eip1559', chainId, nonce, to: ACCOUNT.address, value: 1n, gas: 21_000n },
    ...FEES,
  });

/** Sends so many signed transactions with each new block until aborted. */
export async function feed(
  url: string,
  transactions: readonly Hex[],
  each: number,
  signal: AbortSignal,
): Promise<void> {
  const rpc = httpClient({ url });
  let sent = 0;
  let head: unknown;
  while (!signal.aborted && sent < transactions.length) {
    const now = await rpc.call('eth_blockNumber');
    if (now === head) continue;
    head = now;
    const next = transactions.slice(sent, sent + each);
    await rpc.batch(next.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })));
    sent += each;
  }
  rpc.close();
}

/** Warps the default network, and executes and derives the same blocks alone. */
export function warpCost(transactions: number): Promise<WarpCost> {
  return within([], async (status, env) => {
    const { el, cl } = sequencerOf(status);
    await run(['warp', '+60s'], env);
    const all = await Promise.all(Array.from({ length: transactions * SLOTS }, (_, nonce) => signTransfer(901, nonce)));
    const feeding = new AbortController();
    const fed = feed(el.http, all, transactions, feeding.signal);
    const warped = JSON.parse(await run(['warp', `+${2 * SLOTS}s`, '--json'], env)) as { seconds: number };
    feeding.abort();
    await fed;
    await run(['pause'], env);
    const rpc = httpClient({ url: cl.rpc });
    const { safe_l2: safe } = await rpc.call<{ safe_l2: { number: number; hash: Hex } }>('optimism_syncStatus');
    const config = await rpc.call<RollupConfig>('optimism_rollupConfig');
    rpc.close();
    const payloads = await payloadsOf(el.http, config, safe.number);
    const folder = join(status.folder, '..', '..');
    const ground: Ground = {
      config,
      folder,
      genesis: join(status.folder, 'genesis/main/genesis.json'),
      jwt: join(folder, 'bench-jwt.hex'),
      rollupFile: join(status.folder, 'genesis/main/rollup.json'),
      l1Url: status.l1.rpc,
      flags: [`--rollup.l1-chain-config=${join(status.folder, 'genesis/l1-chain-config.json')}`],
    };
    writeFileSync(ground.jwt, Buffer.from(JWT).toString('hex'), { mode: 0o600 });
    const imported = await importAlone(ground, payloads, 'import');
    const derived = await derive(ground, safe.number, safe.hash, 'derive');
    const perBlock = (seconds: number, blocks: number) => (1000 * seconds) / blocks;
    return {
      transactions:
        payloads.slice(-SLOTS).reduce((sum, each) => sum + each.executionPayload.transactions.length - 1, 0) / SLOTS,
      warp: perBlock(warped.seconds, SLOTS),
      execution: perBlock(imported.seconds, safe.number),
      derivation: perBlock(derived.seconds - derived.atStart.seconds, safe.number),
    };
  });
}

async function payloadsOf(url: string, config: RollupConfig, last: number): Promise<ExecutionPayloadEnvelope[]> {
  const rpc = httpClient({ url });
  const { rulesAt } = rollupOf(config);
  const envelopes: ExecutionPayloadEnvelope[] = [];
  for (let number = 1; number <= last; number++)
    envelopes.push(
      envelopeOfBlock(await rpc.call<JsonObject>('eth_getBlockByNumber', [`0x${number.toString(16)}`, true]), rulesAt),
    );
  rpc.close();
  return envelopes;
}

/** Returns the times (ms) from sending to the receipt, on L2 and on L1, with `clock: instant`. */
export function receiptTimes(): Promise<Readonly<Record<'l1' | 'l2', readonly number[]>>> {
  return within(['--set', 'time.clock=instant'], async (status) => {
    const times = async (url: string, chainId: number) => {
      const durations: number[] = [];
      for (let nonce = 0; nonce < RECEIPTS; nonce++) {
        const raw = await signTransfer(chainId, nonce);
        const began = performance.now();
        const hash = await ask(url, 'eth_sendRawTransaction', raw);
        await until('a receipt', async () => (await ask(url, 'eth_getTransactionReceipt', hash)) !== null);
        durations.push(performance.now() - began);
      }
      return durations;
    };
    return { l2: await times(sequencerOf(status).el.http, 901), l1: await times(status.l1.rpc, 900) };
  });
}

/** Formats the costs of warps, with their goals. */
export function warpLines(costs: readonly WarpCost[]): readonly string[] {
  return costs.flatMap(({ transactions, warp, execution, derivation }) => {
    const alone = execution + derivation;
    return [
      '',
      `warp of the default network, ${transactions.toFixed(1)} transactions in each L2 block`,
      `  ${warp.toFixed(1)} ms per block, ${(1000 / warp).toFixed(1)} blocks per second; an hour of blocks takes ` +
        `${((1800 * warp) / 1000).toFixed(0)} s (goal 25 s)`,
      `  alone: execution ${execution.toFixed(1)} ms, derivation ${derivation.toFixed(1)} ms per block; ` +
        `${(warp / alone).toFixed(2)} × their sum (goal 1.3)`,
    ];
  });
}
