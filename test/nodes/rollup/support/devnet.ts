import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync } from 'node:zlib';
import { forksAtGenesis } from '../../../../src/nodes/beacon/chain/l1-forks.ts';
import { startBeacon } from '../../../../src/nodes/beacon/service.ts';
import type { FlavourName } from '../../../../src/nodes/execution/flavours/interface/flavour.ts';
import { RpcEngineClient } from '../../../../src/nodes/rollup/engine/client.ts';
import { type RunningRollupNode, startRollupNode } from '../../../../src/nodes/rollup/node.ts';
import { readOptions } from '../../../../src/nodes/rollup/options/index.ts';
import { encodeBatcherTransaction } from '../../../../src/protocol/codec/frame.ts';
import { createChannelOut } from '../../../../src/protocol/derivation/encode/channel-out.ts';
import { rollupOf } from '../../../../src/protocol/derivation/rollup.ts';
import type { ForkSchedule } from '../../../../src/protocol/forks/index.ts';
import {
  type ChainGenesisInputs,
  l1Genesis,
  l2Alloc,
  l2Genesis,
  predictAnvilGenesis,
  renderAlloc,
  renderL2Genesis,
  roleAccounts,
  rollupConfig,
} from '../../../../src/protocol/genesis/index.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { ExecutionPayloadEnvelope, Hex, RollupConfig, SystemConfig } from '../../../../src/protocol/types.ts';
import type { RpcClient } from '../../../../src/rpc/client/client.ts';
import { standaloneChannel } from '../../../../src/system/channel/channel.ts';
import { createLogger } from '../../../../src/system/program/log.ts';
import { Anvil } from '../../../protocol/genesis/anvil.ts';
import { chainInputs, contracts, upTo } from '../../../protocol/genesis/inputs.ts';
import { patientClient } from '../../../rpc/patient-client.ts';
import { JWT, launch, type TestNode } from '../../execution/support/nodes.ts';

const silent = createLogger({ level: 'silent', format: 'text', color: false, pid: false });

/** A real L1 and the files of a rollup. Its genesis lies in the past, so that the chain catches up at once. */
export class TestDevnet implements AsyncDisposable {
  readonly folder: string;
  readonly config: RollupConfig;
  readonly inputs: ChainGenesisInputs;
  readonly l1: RpcClient;
  readonly l1Url: string;
  readonly beaconUrl: string;
  readonly #disposables: AsyncDisposable[] = [];
  #count = 0;

  private constructor(
    folder: string,
    config: RollupConfig,
    inputs: ChainGenesisInputs,
    l1Url: string,
    beaconUrl: string,
  ) {
    this.folder = folder;
    this.config = config;
    this.inputs = inputs;
    this.l1Url = l1Url;
    this.beaconUrl = beaconUrl;
    this.l1 = patientClient({ url: l1Url });
  }

  /** `ageSeconds`: age of genesis. */
  static async start(
    options: {
      ageSeconds?: number;
      scheduleAt?: (genesisTime: number) => ForkSchedule;
      mine?: boolean;
      systemConfig?: Partial<SystemConfig>;
    } = {},
  ): Promise<TestDevnet> {
    const folder = mkdtempSync(join(tmpdir(), 'rollup-node-'));
    const genesisTime = Math.floor(Date.now() / 1000) - (options.ageSeconds ?? 10);
    const inputs = chainInputs({
      genesisTime,
      blockTime: 1,
      schedule: options.scheduleAt?.(genesisTime) ?? upTo('jovian'),
      ...(options.systemConfig && { systemConfig: options.systemConfig }),
    });
    const l1 = { chainId: 900, hardfork: 'prague' as const, genesisTime, accounts: inputs.accounts, chains: [inputs] };
    const anvil = await Anvil.start(900, l1Genesis(l1, contracts), ['--slots-in-an-epoch', '1']);
    const beacon = await startBeacon(
      {
        l1: anvil.url,
        chainId: 900,
        genesisHash: undefined,
        forks: forksAtGenesis('prague'),
        genesisTime,
        secondsPerSlot: 1,
        mine: options.mine ?? true,
        maxCatchUp: 64,
        datadir: join(folder, 'beacon'),
        host: '127.0.0.1',
        port: 0,
        version: 'test',
      },
      standaloneChannel(),
      silent,
    );
    const blocks = {
      l1: { hash: predictAnvilGenesis(l1).hash, number: 0 },
      l2: { hash: l2Genesis(inputs, contracts).hash, number: 0 },
    };
    const config = rollupConfig(inputs, blocks, contracts);
    writeFileSync(join(folder, 'rollup.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
    const devnet = new TestDevnet(folder, config, inputs, anvil.url, `http://127.0.0.1:${beacon.port}`);
    devnet.#disposables.push(anvil, { [Symbol.asyncDispose]: () => beacon.stop() });
    return devnet;
  }

  /** Starts a real execution client of this chain with an empty data folder. */
  async engine(overrides: ForkSchedule = {}, flavour: FlavourName = 'rust'): Promise<TestNode> {
    const genesis = renderL2Genesis(this.inputs, renderAlloc(l2Alloc(this.inputs, contracts)));
    const engine = await launch(genesis, { overrides, flavour });
    this.#disposables.push(engine);
    return engine;
  }

  /** Disposes the resource together with the network. */
  with<Owned extends AsyncDisposable>(owned: Owned): Owned {
    this.#disposables.push(owned);
    return owned;
  }

  /** Starts a rollup node with the engine's authenticated port. */
  async node(enginePort: number, ...argv: string[]): Promise<TestRollupNode> {
    const name = `node-${++this.#count}`;
    const node = await startRollupNode(
      readOptions(
        [
          `--l1=${this.l1Url.replace('http', 'ws')}`,
          `--l1.beacon=${this.beaconUrl}`,
          `--l2=http://127.0.0.1:${enginePort}`,
          `--l2.jwt-secret=${join(this.folder, 'jwt.hex')}`,
          `--rollup.config=${join(this.folder, 'rollup.json')}`,
          '--l1.epoch-poll-interval=100ms',
          '--rpc.addr=127.0.0.1',
          '--rpc.port=0',
          '--rpc.enable-admin',
          '--p2p.no-discovery',
          '--p2p.peerstore.path=memory',
          '--p2p.listen.ip=127.0.0.1',
          '--p2p.listen.tcp=0',
          `--p2p.priv.path=${join(this.folder, `${name}.key`)}`,
          '--p2p.gossip.timestamp.threshold=1h',
          '--log.level=silent',
          ...argv,
        ],
        {},
      ),
    );
    const running = new TestRollupNode(node);
    this.#disposables.push(running);
    return running;
  }

  /** Starts a sequencer with the key of the system config's signer. */
  sequencer(enginePort: number, ...argv: string[]): Promise<TestRollupNode> {
    const { sequencer } = roleAccounts(this.inputs.chainId, contracts);
    return this.node(
      enginePort,
      '--sequencer.enabled',
      '--sequencer.l1-confs=0',
      `--p2p.sequencer.key=${sequencer.privateKey}`,
      ...argv,
    );
  }

  /** Posts blocks of a chain to L1 as one channel in calldata. `tamper` may change the channel's frames. */
  async post(
    engine: TestNode,
    from: number,
    to: number,
    tamper: (data: Uint8Array) => Uint8Array = (data) => data,
  ): Promise<Hex> {
    const rollup = rollupOf(this.config);
    const client = new RpcEngineClient({ rpc: engine.engine, rollup, url: 'http://engine', secretFile: '' });
    const envelopes: ExecutionPayloadEnvelope[] = [];
    for (let number = from; number <= to; number++) {
      const envelope = await client.payloadByNumber(number);
      if (!envelope) throw new Error(`there is no block ${number}`);
      envelopes.push(envelope);
    }
    return this.postPayloads(envelopes, tamper);
  }

  /** Posts consecutive blocks to L1 as one channel in calldata. */
  async postPayloads(
    envelopes: readonly ExecutionPayloadEnvelope[],
    tamper: (data: Uint8Array) => Uint8Array = (data) => data,
  ): Promise<Hex> {
    const channel = createChannelOut(rollupOf(this.config), {
      id: randomBytes(16),
      batchType: 'span',
      compression: 'zlib',
      compress: { zlib: (bytes) => deflateSync(bytes), brotli: (bytes) => brotliCompressSync(bytes) },
      targetSize: 1_000_000,
    });
    for (const { executionPayload } of envelopes)
      if (!channel.addBlock(executionPayload))
        throw new Error(`block ${executionPayload.blockNumber} cannot be posted`);
    channel.close();
    const batcher = this.config.genesis.system_config.batcherAddr;
    await this.l1.call('anvil_impersonateAccount', [batcher]);
    return this.l1.call('eth_sendTransaction', [
      {
        from: batcher,
        to: this.config.batch_inbox_address,
        gas: '0x1000000',
        data: bytesToHex(tamper(encodeBatcherTransaction(channel.frames(100_000)))),
      },
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.l1.close();
    for (const disposable of this.#disposables.reverse()) await disposable[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A rollup node under test and a client of its RPC. */
export class TestRollupNode implements AsyncDisposable {
  readonly node: RunningRollupNode;
  readonly rpc: RpcClient;
  #isStopped = false;

  constructor(node: RunningRollupNode) {
    this.node = node;
    this.rpc = patientClient({ url: `http://127.0.0.1:${node.rpcPort}` });
    node.failed.catch(() => {});
  }

  async status(): Promise<Record<string, { number: number; hash: Hex }>> {
    return this.rpc.call('optimism_syncStatus');
  }

  /** Its multiaddr, for `p2p.static` of other nodes. */
  async address(): Promise<string> {
    const self = await eventually(async () => {
      const { addresses } = await this.rpc.call<{ addresses: string[] }>('opp2p_self');
      return addresses[0];
    });
    return self;
  }

  /** Waits until a head is at or above a height; returns it. */
  async reached(head: string, number: number, timeoutMs?: number): Promise<{ number: number; hash: Hex }> {
    return eventually(async () => {
      const block = (await this.status())[head];
      return block && block.number >= number ? block : undefined;
    }, timeoutMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.rpc.close();
    await this.node.stop();
  }
}

/** Repeats a request until it is answered; errors count as no answer. */
export async function eventually<Value>(ask: () => Promise<Value | undefined>, timeoutMs = 200_000): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const value = await ask();
      if (value !== undefined) return value;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it did not happen in time', { cause: last });
}
