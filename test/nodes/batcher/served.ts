import { brotliDecompressSync, inflateSync } from 'node:zlib';
import * as z from 'zod';
import { BATCHER_OPTIONS } from '../../../src/nodes/batcher/options/options.ts';
import { startBatcher } from '../../../src/nodes/batcher/service.ts';
import { channelBatches, channelCompression } from '../../../src/protocol/codec/channel.ts';
import { decodeBatcherTransaction } from '../../../src/protocol/codec/frame.ts';
import { decodeTransaction } from '../../../src/protocol/codec/transaction.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { method } from '../../../src/rpc/method.ts';
import { serve } from '../../../src/rpc/server/server.ts';
import type { Checkpoints } from '../../../src/system/channel/checkpoints.ts';
import type { Progress } from '../../../src/system/channel/progress.ts';
import { parseOptions } from '../../../src/system/program/options.ts';
import { GENESIS_TIME, hashOf } from '../../protocol/derivation/scripted/rollup.ts';
import { patientClient } from '../../rpc/patient-client.ts';
import { ACCOUNTS } from '../beacon/anvil.ts';
import { manualClock, memoryLog, until } from './helpers.ts';
import type { BatcherChanges } from './launch.ts';
import { scriptedNetwork } from './scripted.ts';
import { type SequencerState, serveSequencer } from './sequencer.ts';

/** Ends of what is open. */
export const open: (() => unknown)[] = [];
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}

const any = z.tuple([z.unknown().optional(), z.unknown().optional()]);
/** An L1 that takes transactions and includes none. It answers them once `taken` has resolved. */
async function servedL1() {
  const raw: Hex[] = [];
  const pool: { taken: Promise<void> } = { taken: Promise.resolve() };
  const head = { number: '0x5', hash: hashOf('L1'), timestamp: '0x1', baseFeePerGas: '0x1' };
  const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_chainId: () => '0x384',
    eth_getBlockByNumber: () => head,
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_blobBaseFee: () => '0x1',
    eth_getTransactionCount: () => '0x0',
    eth_getBalance: () => '0xde0b6b3a7640000',
    eth_estimateGas: () => '0x5208',
    eth_getTransactionReceipt: () => null,
    eth_getTransactionByHash: () => ({}),
    eth_sendRawTransaction: async ([text]) => {
      raw.push(text as Hex);
      await pool.taken;
      return hashOf(`transaction ${raw.length}`);
    },
  };
  const methods = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, method('', any, (_: undefined, params) => answer(params))]),
  );
  const server = await serve({ host: '127.0.0.1', port: 0, http: true, websocket: false, methods, context: undefined });
  open.push(() => server.close());
  return { url: `http://127.0.0.1:${server.port}`, raw, pool };
}

const plainOf = (compressed: Uint8Array) =>
  channelCompression(compressed) === 'brotli' ? brotliDecompressSync(compressed.subarray(1)) : inflateSync(compressed);

/** Serves a scripted sequencer of one L1 block. */
export async function servedSequencer(config: object = {}) {
  const { nodes, rollup, grow, pass } = scriptedNetwork();
  await grow(1);
  const state: SequencerState = {
    ...{ rollup: { ...rollup, config: { ...rollup.config, ...config } }, forkTimes: {}, chain: nodes.chain },
    ...{ unsafe: nodes.unsafe, safe: nodes.safe, headL1: nodes.headL1, currentL1: nodes.currentL1 },
    ...{ statusAsked: 0, limits: [] },
  };
  const server = await serveSequencer(state);
  open.push(() => server.close());
  return { state, url: server.url, pass, server };
}

/** Starts a batcher of served nodes, whose clock stands. */
export async function startServed(changes: BatcherChanges = {}, config: object = {}) {
  const [l1, sequencer] = await Promise.all([servedL1(), servedSequencer(config)]);
  const { log, lines } = memoryLog();
  const manual = manualClock(GENESIS_TIME);
  const seen: { progress?: () => Progress; checkpoints?: Checkpoints } = {};
  const activities: { isBusy: boolean }[] = [];
  const clock = {
    ...manual,
    report: (progress: () => Progress) => void Object.assign(seen, { progress }),
    onCheckpoints: (checkpoints: Checkpoints) => void Object.assign(seen, { checkpoints }),
    activity() {
      const state = { isBusy: false };
      activities.push(state);
      return {
        busy: () => void Object.assign(state, { isBusy: true }),
        idle: () => void Object.assign(state, { isBusy: false }),
      };
    },
  };
  const line = { name: 'batcher', version: 'test', summary: '', envPrefixes: [] };
  const values = {
    ...parseOptions(line, BATCHER_OPTIONS, [], {}).values,
    ...{ l1: l1.url, l2: sequencer.url, rollup: sequencer.url, rpcPort: 0, subSafetyMargin: 0, enableAdmin: true },
    ...changes,
  };
  const batcher = await startBatcher(values, ACCOUNTS[0]!, '1.2.3', log, clock);
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await batcher.stop();
    isStopped = true;
  };
  open.push(stop);
  batcher.failed.catch(() => {});
  const rpc = patientClient({ url: `http://127.0.0.1:${batcher.port}` });
  open.push(() => rpc.close());
  const data = () => l1.raw.map((text) => decodeTransaction(hexToBytes(text)).fields['data'] as Uint8Array);
  /** Batches of the channels that were posted, and whether brotli compressed them. */
  const channels = () =>
    data().map((calldata) => {
      const [frame] = decodeBatcherTransaction(calldata);
      const compressed = frame!.data;
      return {
        compression: channelCompression(compressed),
        size: compressed.length,
        batches: [...channelBatches(plainOf(compressed))],
      };
    });
  const runs = () => until('the batcher runs', () => lines.some((text) => text.includes('Batcher runs')));
  /** Waits for the end of its first poll: a flush posts what has been read. */
  const rests = async () => {
    await until('it polls', () => sequencer.state.statusAsked > 0);
    await until('it rests', () => activities.every(({ isBusy }) => !isBusy));
  };
  const posted = () => until('a channel is posted', () => l1.raw.length > 0);
  return {
    ...{ batcher, stop, rpc, lines, runs, rests, posted, data, channels, seen, activities, manual },
    ...l1,
    ...sequencer,
  };
}
