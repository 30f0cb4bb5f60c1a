import { present } from '../../protocol/present.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { readyRoute } from '../../rpc/server/ready-route.ts';
import type { RunningServer } from '../../rpc/server/server.ts';
import { type Channel, standaloneChannel } from '../../system/channel/channel.ts';
import type { Logger } from '../../system/program/log.ts';
import type { OptionValues } from '../../system/program/options.ts';
import type { Running } from '../../system/program/program.ts';
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
import { BatcherDriver } from './control.ts';
import { DaTypeChoice } from './da-type-choice.ts';
import type { BatcherConfig } from './driver.ts';
import { ADMIN_METHODS, type BatcherControl, HEALTH_METHODS } from './methods.ts';
import type { BATCHER_OPTIONS } from './options/options.ts';
import { type Throttler, type ThrottleTarget, throttler } from './throttle/throttler.ts';

/** Values of the batcher's options (op-batcher: `CLIConfig`). */
export type BatcherValues = OptionValues<typeof BATCHER_OPTIONS>;

/** A running batcher with its own RPC. */
export interface RunningBatcher extends Running {
  /** Port of the batcher's own RPC. */
  readonly port: number;
}

/** Clients of the nodes that the batcher uses. */
interface Clients {
  readonly l1: RpcClient;
  readonly l2: RpcClient;
  readonly node: RpcClient;
  /** Further execution clients that receive throttling limits. */
  readonly further: readonly ThrottleTarget[];
}

/**
 * Starts the batcher (op-batcher: `BatcherService`): its RPC at once, batching once all three nodes answer.
 * @throws Failure if its port is taken
 */
export async function startBatcher(
  values: BatcherValues,
  account: Account,
  version: string,
  log: Logger,
  clock: Channel = standaloneChannel(),
): Promise<RunningBatcher> {
  const { address } = account;
  const stopping = new AbortController();
  const clients = dialNodes(values);
  const l1 = l1Backend(clients.l1);
  const sender = txManager(l1, account, txManagerOptions(values), log, clock);
  const throttling = throttlingOf(values, [{ url: values.l2, rpc: clients.l2 }, ...clients.further], log, clock);
  const { maxTxSize, targetNumFrames, checkRecentTxsDepth: depth } = values;
  const config = configOf(values);
  const sync = { l1, node: clients.node, address, depth, pollInterval: config.pollInterval, log };
  const control = new BatcherDriver(config, {
    ...{ version, log, clock, sender, throttling, node: clients.node, execution: clients.l2 },
    traces: clock.traces,
    isStopped: values.stopped,
    daType: new DaTypeChoice(l1, { type: values.dataAvailability, maxTxSize, targetNumFrames }, log),
    ready: (signal) => (values.waitNodeSync ? waitRollupSync(sync, signal) : Promise.resolve()),
    createStore: values.altDaEnabled ? () => storeOn(putOf(values), values.altDaRequests, log, clock) : undefined,
  });
  const server = await serveApi(values, control);
  log.info('Batcher listens', { address: `http://${values.rpcHost}:${server.port}`, account: address });
  clock.onCheckpoints(startableCheckpoints(control, sender));
  const connecting = clock.activity();
  connecting.busy();
  clock.report(() => ({ kind: 'poster' }));
  const nodes = { l1: clients.l1, l2: clients.l2, node: clients.node, l1Url: values.l1, l2Url: values.l2 };
  const connected = connect(nodes, address, log, stopping.signal).then((rollup) => {
    if (rollup === undefined) return;
    checkMargin(rollup, values.subSafetyMargin);
    if (values.altDaEnabled) checkAltDa(rollup, values.altDaService);
    control.connect(rollup);
    connecting.idle();
  });
  return {
    port: server.port,
    ...running(connected, async () => {
      stopping.abort();
      await Promise.all([control.end(), server.close()]);
      for (const client of [clients.l1, clients.l2, clients.node, ...clients.further.map(({ rpc }) => rpc)])
        client.close();
      await sender.idle();
    }),
  };
}

function dialNodes(values: BatcherValues): Clients {
  const dial = (url: string) => dialRpc(url, values.networkTimeout);
  const further = values.throttleEndpoints.map((url) => ({ url, rpc: dial(url) }));
  return { l1: dial(values.l1), l2: dial(values.l2), node: dial(values.rollup), further };
}

/** Serves the batcher's own RPC. @throws Failure if its port is taken */
function serveApi(values: BatcherValues, control: BatcherControl): Promise<RunningServer> {
  const methods = values.enableAdmin ? { ...HEALTH_METHODS, ...ADMIN_METHODS } : HEALTH_METHODS;
  const { rpcHost: host, rpcPort: port } = values;
  const api = { host, port, ...hostOriginPolicy(values), http: true, methods, context: control, route: readyRoute() };
  return listen('rpc.port', api);
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
  clock: Channel,
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
