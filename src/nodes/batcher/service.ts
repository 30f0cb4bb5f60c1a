import { randomBytes } from 'node:crypto';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import { sameHex } from '../../protocol/hex.ts';
import type { RpcClient } from '../../rpc/client.ts';
import type { Logger } from '../../system/log.ts';
import type { OptionValues } from '../../system/options.ts';
import type { Running } from '../../system/program.ts';
import type { Account } from '../l1-sender/account.ts';
import { clientFor, listen, sameChain, whenAnswered } from '../l1-sender/connect.ts';
import { l1Of } from '../l1-sender/l1.ts';
import { l1Sender } from '../l1-sender/sender.ts';
import { type BatcherConfig, Run } from './batcher.ts';
import { compressionOf } from './compress.ts';
import { ADMIN_METHODS, type BatcherControl, HEALTH_METHODS } from './methods.ts';
import type { BATCHER_OPTIONS } from './options.ts';
import { MAX_BLOBS } from './postings.ts';
import { fetchRollup } from './source.ts';

export type BatcherValues = OptionValues<typeof BATCHER_OPTIONS>;

export interface RunningBatcher extends Running {
  /** Of the batcher's own RPC. */
  readonly port: number;
}

/** Starts the batcher: its RPC at once, batching as soon as all three nodes answer. @throws Failure where its port is taken */
export async function startBatcher(
  values: BatcherValues,
  account: Account,
  version: string,
  log: Logger,
): Promise<RunningBatcher> {
  const stopping = new AbortController();
  const clients = { l1: clientFor(values.l1), l2: clientFor(values.l2), node: clientFor(values.rollup) };
  const l1 = l1Of(clients.l1);
  const sender = l1Sender(l1, account, { ...values, pollInterval: Math.max(values.pollInterval, 50) }, log);
  let rollup: Rollup | undefined;
  let run: Run | undefined;
  let wanted = !values.stopped;

  const begin = () => {
    if (rollup === undefined || run !== undefined) return;
    const parts = { rollup, node: clients.node, execution: clients.l2, sender, log, randomId: () => randomBytes(16) };
    run = new Run(configOf(values), parts);
    log.info('Batcher runs', { address: account.address, carrier: values.dataAvailability });
  };
  const control: BatcherControl = {
    version,
    get running() {
      return wanted;
    },
    start() {
      wanted = true;
      begin();
    },
    async stop() {
      wanted = false;
      const ending = run;
      run = undefined;
      await ending?.stop();
      log.info('Batcher stopped');
    },
    flush: () => run?.flush(),
  };
  const methods = values.enableAdmin ? { ...HEALTH_METHODS, ...ADMIN_METHODS } : HEALTH_METHODS;
  const server = await listen({ host: values.rpcHost, port: values.rpcPort, methods, context: control });
  log.info('Batcher listens', { address: `http://${values.rpcHost}:${server.port}`, account: account.address });
  const connected = connect(values, clients, account, log, stopping.signal).then((found) => {
    rollup = found;
    if (found !== undefined && wanted) begin();
  });
  return {
    port: server.port,
    failed: connected.then(() => new Promise<never>(() => {})),
    async stop() {
      stopping.abort();
      await Promise.all([run?.stop(), server.close()]);
      for (const client of Object.values(clients)) client.close();
      await connected.catch(() => {});
    },
  };
}

function configOf(values: BatcherValues): BatcherConfig {
  const { dataAvailability: carrier, batchType, maxTxSize, maxPending, pollInterval } = values;
  const frames = Math.max(values.targetNumFrames, 1);
  return {
    policy: {
      carrier,
      batchType: batchType === '1' ? 'span' : 'singular',
      ...compressionOf(values.compression),
      targetNumFrames: carrier === 'blobs' ? Math.min(frames, MAX_BLOBS) : frames,
      maxChannelDuration: values.maxChannelDuration,
      subSafetyMargin: values.subSafetyMargin,
    },
    maxTxSize,
    maxPending,
    pollInterval: Math.max(pollInterval, 10),
  };
}

/** Waits for the three nodes and checks that they belong together. @throws Failure `stranger` */
async function connect(
  values: BatcherValues,
  clients: { readonly l1: RpcClient; readonly l2: RpcClient; readonly node: RpcClient },
  account: Account,
  log: Logger,
  signal: AbortSignal,
): Promise<Rollup | undefined> {
  const chainId = async (client: RpcClient) => Number(await client.call<string>('eth_chainId'));
  const [rollup, l1Chain, l2Chain] = await Promise.all([
    whenAnswered('the rollup node', () => fetchRollup(clients.node), log, signal),
    whenAnswered('L1', () => chainId(clients.l1), log, signal),
    whenAnswered('the execution client', () => chainId(clients.l2), log, signal),
  ]);
  if (rollup === undefined || l1Chain === undefined || l2Chain === undefined) return undefined;
  sameChain('L1', values.l1, l1Chain, rollup.config.l1_chain_id);
  sameChain('the execution client', values.l2, l2Chain, rollup.config.l2_chain_id);
  const { batcherAddr } = rollup.config.genesis.system_config;
  if (!sameHex(batcherAddr, account.address))
    log.warn(
      'The key is not the batcher of the genesis system config: unless it was changed on L1, nothing is derived',
      {
        address: account.address,
        expected: batcherAddr,
      },
    );
  return rollup;
}
