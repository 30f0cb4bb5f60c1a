import type { Rollup } from '../../protocol/derivation/ports.ts';
import { present } from '../../protocol/present.ts';
import type { Logger } from '../../system/program/log.ts';
import type { OptionValues } from '../../system/program/options.ts';
import type { Running } from '../../system/program/program.ts';
import { type Clock, wallClock } from '../../system/time/clock.ts';
import { type DaPut, daPut } from '../da/put.ts';
import { hostOriginPolicy } from '../service/host-origin.ts';
import { listen, running } from '../service/listen.ts';
import type { Account } from '../txmgr/account.ts';
import { startableCheckpoints } from '../txmgr/checkpoints.ts';
import { dialRpc } from '../txmgr/connect.ts';
import { l1Backend } from '../txmgr/l1-backend.ts';
import { txManagerOptions } from '../txmgr/program/options.ts';
import { waitRollupSync } from '../txmgr/rollup-sync.ts';
import { txManager } from '../txmgr/txmgr.ts';
import { checkAltDa, storeOn } from './alt-da.ts';
import { compressionOf } from './compress.ts';
import { checkMargin, connect } from './connect.ts';
import { type BatcherConfig, BatchSubmitter } from './driver.ts';
import { ADMIN_METHODS, type BatcherControl, HEALTH_METHODS } from './methods.ts';
import { cheaperDaType, type DaType, type DataAvailabilityType } from './options/da-type.ts';
import type { BATCHER_OPTIONS } from './options/options.ts';
import { MAX_BLOBS } from './options/tx-data.ts';
import { type Throttler, type ThrottleTarget, throttler } from './throttle/throttler.ts';

/** Values of the batcher's options (op-batcher: `CLIConfig`). */
export type BatcherValues = OptionValues<typeof BATCHER_OPTIONS>;

/** A running batcher with its own RPC. */
export interface RunningBatcher extends Running {
  /** Port of the batcher's own RPC. */
  readonly port: number;
}

/**
 * Starts the batcher (op-batcher: `BatcherService`): its RPC at once, batching once all three nodes answer.
 * @throws Failure where its port is taken
 */
export async function startBatcher(
  values: BatcherValues,
  account: Account,
  version: string,
  log: Logger,
  clock: Clock = wallClock(),
): Promise<RunningBatcher> {
  const { address } = account;
  const stopping = new AbortController();
  const dial = (url: string) => dialRpc(url, values.networkTimeout);
  const l1Rpc = dial(values.l1);
  const l2 = dial(values.l2);
  const node = dial(values.rollup);
  const further = values.throttleEndpoints.map((url) => ({ url, rpc: dial(url) }));
  const l1 = l1Backend(l1Rpc);
  const sender = txManager(l1, account, txManagerOptions(values), log, clock);
  const config = configOf(values);
  const throttle = throttlingOf(values, [{ url: values.l2, rpc: l2 }, ...further], log, clock);
  let rollup: Rollup | undefined;
  let run: BatchSubmitter | undefined;
  let wanted = !values.stopped;
  let kind: DataAvailabilityType = values.dataAvailability;
  let cheaper: DaType = 'blobs';

  async function carrier(): Promise<DaType> {
    if (kind !== 'auto') return kind;
    try {
      const found = cheaperDaType(await l1.gasPrices(), values.maxTxSize, values.targetNumFrames);
      if (found !== cheaper) log.info('The cheaper carrier changed', { carrier: found });
      cheaper = found;
    } catch (error) {
      log.warn('L1 does not tell its fees, the carrier stays', { carrier: cheaper, error });
    }
    return cheaper;
  }

  const begin = () => {
    if (rollup === undefined || run !== undefined) return;
    const sync = { l1, node, address, depth: values.checkRecentTxsDepth, pollInterval: config.pollInterval, log };
    run = new BatchSubmitter(config, {
      rollup,
      node,
      execution: l2,
      sender,
      log,
      clock,
      daType: carrier,
      ready: (signal) => (values.waitNodeSync ? waitRollupSync(sync, signal) : Promise.resolve()),
      store: values.altDaEnabled ? storeOn(putOf(values), values.altDaRequests, log) : undefined,
      onBacklog: (bytes) => throttle?.load(bytes),
    });
    log.info('Batcher runs', { address, carrier: kind });
  };
  const control: BatcherControl = {
    version,
    log,
    throttling: throttle,
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
    get dataAvailability() {
      return kind;
    },
    setDataAvailability(next) {
      if (next !== 'calldata' && values.altDaEnabled)
        throw new Error('with --altda.enabled commitments are posted, in calldata');
      if (next !== 'calldata' && values.targetNumFrames > MAX_BLOBS)
        throw new Error(`--target-num-frames is ${values.targetNumFrames}, with blobs it must be at most ${MAX_BLOBS}`);
      kind = next;
      run?.reopen();
      log.info('What carries channels was changed', { carrier: kind });
    },
  };
  const methods = values.enableAdmin ? { ...HEALTH_METHODS, ...ADMIN_METHODS } : HEALTH_METHODS;
  const { rpcHost: host, rpcPort: port } = values;
  const api = { host, port, ...hostOriginPolicy(values), http: true, methods, context: control };
  const server = await listen('rpc.port', api);
  log.info('Batcher listens', { address: `http://${host}:${server.port}`, account: address });
  const nodes = { l1: l1Rpc, l2, node, l1Url: values.l1, l2Url: values.l2 };
  clock.onCheckpoints(startableCheckpoints(control, sender));
  const connecting = clock.activity();
  connecting.busy();
  clock.report(() => ({ kind: 'poster' }));
  const connected = connect(nodes, address, log, stopping.signal).then((found) => {
    if (found === undefined) return;
    checkMargin(found, values.subSafetyMargin);
    if (values.altDaEnabled) checkAltDa(found, values.altDaService);
    rollup = found;
    if (wanted) begin();
    connecting.idle();
  });
  return {
    port: server.port,
    ...running(connected, async () => {
      stopping.abort();
      await Promise.all([run?.stop(), server.close()]);
      for (const client of [l1Rpc, l2, node, ...further.map(({ rpc }) => rpc)]) client.close();
    }),
  };
}

function configOf(values: BatcherValues): BatcherConfig {
  const { batchType, compressor, maxTxSize, maxPending, pollInterval } = values;
  return {
    policy: {
      batchType: batchType === '1' ? 'span' : 'singular',
      ...compressionOf(values.compression, compressor === 'none'),
      assumedRatio: compressor === 'ratio' ? values.approxRatio : undefined,
      maxBlocksPerSpanBatch: values.maxBlocksPerSpanBatch,
      targetNumFrames: values.targetNumFrames,
      maxChannelDuration: values.maxChannelDuration,
      subSafetyMargin: values.subSafetyMargin,
    },
    maxTxSize,
    maxPending,
    pollInterval: Math.max(pollInterval, 10),
  };
}

function putOf(values: BatcherValues): DaPut {
  const { altDaServer, altDaPutTimeout: timeoutMs, altDaService } = values;
  return daPut({
    url: present(altDaServer, '--altda.da-server'),
    timeoutMs,
    kind: altDaService ? 'generic' : 'keccak',
  });
}

/** undefined: throttling is off. */
function throttlingOf(
  values: BatcherValues,
  targets: readonly ThrottleTarget[],
  log: Logger,
  clock: Clock,
): Throttler | undefined {
  if (values.throttleLower === 0) return undefined;
  return throttler(
    {
      controller: values.throttleController,
      lowerThreshold: values.throttleLower,
      upperThreshold: values.throttleUpper,
      txLower: values.throttleTxLower,
      txUpper: values.throttleTxUpper,
      blockLower: values.throttleBlockLower,
      blockUpper: values.throttleBlockUpper,
    },
    targets,
    log,
    clock,
  );
}
