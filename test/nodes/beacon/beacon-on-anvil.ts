import type { BeaconConfig } from '../../../src/nodes/beacon/beacon.ts';
import { forksAtGenesis } from '../../../src/nodes/beacon/chain/l1-forks.ts';
import { type RunningBeacon, startBeacon } from '../../../src/nodes/beacon/service.ts';
import type { L1Hardfork } from '../../../src/protocol/genesis/inputs.ts';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import type { Channel } from '../../../src/system/channel/channel.ts';
import type { Checkpoints } from '../../../src/system/channel/checkpoints.ts';
import type { L1Answer, L1Request, PoolFaultMatch } from '../../../src/system/channel/l1-requests.ts';
import { memoryLog } from '../batcher/helpers.ts';
import { CHAIN_ID, GENESIS_TIME, startAnvil, type TestAnvil } from './anvil.ts';

/** Seconds between two blocks. */
export const SLOT = 2;

/** Settings of a beacon that mines on anvil. */
export function beaconConfig(settings: Pick<BeaconConfig, 'l1' | 'datadir'> & Partial<BeaconConfig>): BeaconConfig {
  return {
    chainId: CHAIN_ID,
    genesisHash: undefined,
    forks: forksAtGenesis('prague'),
    genesisTime: GENESIS_TIME,
    secondsPerSlot: SLOT,
    mine: true,
    maxCatchUp: 32,
    host: '127.0.0.1',
    port: 0,
    version: 'test',
    ...settings,
  };
}

const running: { stop(): Promise<void> }[] = [];

/** Ends all beacons and anvils of `startBeaconOnAnvil`. */
export async function endAll(): Promise<void> {
  for (const each of running.splice(0).reverse()) await each.stop();
}

/** Starts a beacon with its gate on a new anvil, which begins with the kept state. */
export async function startBeaconOnAnvil(
  datadir: string,
  clock: Channel,
  options: { readonly trustsBlobs?: boolean; readonly hardfork?: L1Hardfork; readonly maxCatchUp?: number } = {},
) {
  const { trustsBlobs = false, hardfork = 'prague', maxCatchUp = 32 } = options;
  const begin = async (port: number): Promise<TestAnvil> => {
    const anvil = await startAnvil({ port, trustsBlobs, hardfork, state: `${datadir}/l1-state.json` });
    running.push({ stop: () => anvil.kill() });
    return anvil;
  };
  const anvil = await begin(0);
  let keep: () => Promise<void> = () => Promise.reject(new Error('not set'));
  let checkpoints: Checkpoints | undefined;
  let report: () => unknown = () => undefined;
  const met: PoolFaultMatch[] = [];
  let l1: (request: L1Request) => Promise<L1Answer> = () => Promise.reject(new Error('not set'));
  const lines: string[] = [];
  const beacon: RunningBeacon = await startBeacon(
    beaconConfig({
      l1: anvil.url.replace('http', 'ws'),
      datadir,
      gatePort: 0,
      forks: forksAtGenesis(hardfork),
      maxCatchUp,
    }),
    {
      ...clock,
      onFlush: (next) => (keep = next),
      onCheckpoints: (next) => (checkpoints = next),
      onL1: (next) => (l1 = next),
      tellPoolFault: (each) => met.push(each),
      report: (next) => (report = next),
    },
    memoryLog(lines).log,
  );
  beacon.failed.catch(() => undefined);
  const gate = httpClient({ url: `http://127.0.0.1:${beacon.gatePort}` });
  running.push({ stop: () => beacon.stop().finally(() => gate.close()) });
  const call = <T>(method: string, ...params: unknown[]) => anvil.rpc.call<T>(method, params);
  /** Calls the public port, as a user does. */
  const ask = <T>(method: string, ...params: unknown[]) => gate.call<T>(method, params);
  const head = async () => (await call<{ hash: string; number: string }>('eth_getBlockByNumber', 'latest', false)).hash;
  return {
    anvil,
    begin,
    lines,
    beacon,
    call,
    ask,
    head,
    keep: () => keep(),
    report: () => report(),
    /** Asks as the supervisor does. */
    l1: (request: L1Request) => l1(request),
    /** The faults of the pool that have met a transaction. */
    met,
    checkpoints: checkpoints!,
  };
}
