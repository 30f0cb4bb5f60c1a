import { type RunningBeacon, startBeacon } from '../../../../../src/nodes/beacon/service.ts';
import { forksOf } from '../../../../../src/protocol/forks/l1-forks.ts';
import { bytesToHex, sameHex } from '../../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../../src/protocol/types.ts';
import type { RpcClient } from '../../../../../src/rpc/client/client.ts';
import { httpClient } from '../../../../../src/rpc/client/http-client.ts';
import type { L1Answer, L1Request, PoolFaultMatch } from '../../../../../src/system/channel/l1-requests.ts';
import { manualClock, memoryLog, until } from '../../../batcher/helpers.ts';
import { GENESIS_TIME } from '../../../execution/support/genesis.ts';
import { L1_CHAIN_ID, L1_GENESIS, L1_SLOT, SENDERS } from '../../../execution/support/l1-genesis.ts';
import { JWT, launch, type TestNode } from '../../../execution/support/nodes.ts';
import { temporaryFolder } from '../../anvil.ts';
import { beaconConfig } from '../../beacon-on-anvil.ts';

/** The gate signs for the first sender, and the key of the other one is that of a role. */
const KEYS = {
  accounts: SENDERS.slice(0, 1),
  find: (from: string) => SENDERS.find(({ address }) => sameHex(address, from)),
};

/** A block of L1, with the hashes of its transactions. */
export interface RpcBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: Hex;
  readonly transactions: readonly Hex[];
}

/** L1 on an execution client in the process of the test, and its beacon node on a manual clock. */
export class Setup {
  readonly clock = manualClock(GENESIS_TIME);
  readonly lines: string[] = [];
  datadir = temporaryFolder();
  readonly chain = temporaryFolder();
  ask: (request: L1Request) => Promise<L1Answer> = () => Promise.reject(new Error('not set'));
  node!: TestNode;
  beacon!: RunningBeacon;
  gate!: RpcClient;
  /** The faults of the pool that have met a transaction. */
  readonly met: PoolFaultMatch[] = [];

  async start(): Promise<void> {
    this.node = await launch(L1_GENESIS, { flavour: 'go', datadir: this.chain, keep: true });
    await this.startBeacon();
  }

  async startBeacon(): Promise<void> {
    const { node, clock, datadir, lines } = this;
    const forks = forksOf(JSON.parse(L1_GENESIS).config);
    const engine = { engine: node.engineUrl, jwtSecret: JWT, slotsInAnEpoch: 1, keys: KEYS };
    const place = { l1: node.url, chainId: L1_CHAIN_ID, datadir, secondsPerSlot: L1_SLOT };
    this.beacon = await startBeacon(
      beaconConfig({ ...place, forks, engine, genesisTime: GENESIS_TIME, gatePort: 0 }),
      { ...clock, onL1: (next) => (this.ask = next), tellPoolFault: (each) => this.met.push(each) },
      memoryLog(lines).log,
    );
    this.beacon.failed.catch(() => {});
    this.gate = httpClient({ url: `http://127.0.0.1:${this.beacon.gatePort}` });
  }

  async stop(): Promise<void> {
    this.gate.close();
    await this.beacon.stop();
    await this.node[Symbol.asyncDispose]();
  }

  async get(path: string) {
    const response = await fetch(`http://127.0.0.1:${this.beacon.port}/eth/v1/${path}`);
    return JSON.parse(await response.text());
  }

  /** Moves the clock to a slot and waits for its block. */
  async reach(slot: number): Promise<RpcBlock> {
    this.clock.moveTo(GENESIS_TIME + slot * L1_SLOT);
    await until(`slot ${slot}`, async () => (await this.get('node/syncing')).data.head_slot === String(slot));
    return this.block('latest');
  }

  block(name: string): Promise<RpcBlock> {
    return this.node.rpc.call<RpcBlock>('eth_getBlockByNumber', [name, false]);
  }

  send(network: Uint8Array): Promise<Hex> {
    return this.node.rpc.call<Hex>('eth_sendRawTransaction', [bytesToHex(network)]);
  }
}
