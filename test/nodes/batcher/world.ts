import { BATCHER_OPTIONS } from '../../../src/nodes/batcher/options.ts';
import { type BatcherValues, type RunningBatcher, startBatcher } from '../../../src/nodes/batcher/service.ts';
import { sidecarOf } from '../../../src/nodes/beacon/block.ts';
import { decodeBlob } from '../../../src/protocol/codec/blob.ts';
import { l1RefOf } from '../../../src/protocol/derivation/block-ref.ts';
import { rollupConfigTimes } from '../../../src/protocol/forks/index.ts';
import { hexToBytes, quantity, sameHex } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { httpClient } from '../../../src/rpc/http-client.ts';
import type { RunningServer } from '../../../src/rpc/server.ts';
import { parseOptions } from '../../../src/system/options.ts';
import { calldataTransaction } from '../../protocol/derivation/scripted/l1.ts';
import { createNetwork, derive, type Network } from '../../protocol/derivation/scripted/network.ts';
import { forksUpTo, INBOX, testRollup } from '../../protocol/derivation/scripted/rollup.ts';
import { userTransaction } from '../../protocol/derivation/scripted/transactions.ts';
import { ACCOUNTS, GENESIS_TIME, startAnvil, type TestAnvil } from '../l1-sender/anvil.ts';
import { memoryLog, until } from '../l1-sender/helpers.ts';
import { type SequencerState, serveSequencer } from './sequencer.ts';

const FORK = 'jovian';
const LINE = { name: 'batcher', version: 'test', summary: '', envPrefixes: [] };

interface AnvilTransaction {
  readonly hash: Hex;
  readonly type: Hex;
  readonly to: Hex;
  readonly input: Hex;
}

/** A sequencer whose chain is scripted, a real anvil that the batcher posts to, and a derivation pipeline that reads what was posted. */
export class World {
  readonly network: Network;
  readonly state: SequencerState;
  readonly anvil: TestAnvil;
  readonly #server: RunningServer & { readonly url: string };
  readonly #batchers: RunningBatcher[] = [];
  #time = GENESIS_TIME;
  readonly lines: string[] = [];

  private constructor(
    anvil: TestAnvil,
    state: SequencerState,
    server: RunningServer & { readonly url: string },
    network: Network,
  ) {
    this.anvil = anvil;
    this.state = state;
    this.#server = server;
    this.network = network;
  }

  static async start(): Promise<World> {
    const network = createNetwork(testRollup(FORK));
    const head = l1RefOf(network.l1.head());
    const genesis = network.sequencer.head();
    const state: SequencerState = {
      rollup: network.rollup,
      forkTimes: rollupConfigTimes(forksUpTo(FORK)),
      chain: network.sequencer.chain(),
      unsafe: genesis,
      safe: genesis,
      headL1: head,
      currentL1: { ...head, number: 0 },
    };
    const [anvil, server] = await Promise.all([startAnvil(), serveSequencer(state)]);
    return new World(anvil, state, server, network);
  }

  async batcher(changes: Partial<BatcherValues> = {}): Promise<RunningBatcher> {
    const values: BatcherValues = {
      ...parseOptions(LINE, BATCHER_OPTIONS, [], {}).values,
      l1: this.anvil.url,
      l2: this.#server.url,
      rollup: this.#server.url,
      subSafetyMargin: 0,
      pollInterval: 20,
      receiptQueryInterval: 50,
      resubmissionTimeout: 60_000,
      rpcPort: 0,
      enableAdmin: true,
      ...changes,
    };
    const { log, lines } = memoryLog();
    const batcher = await startBatcher(values, ACCOUNTS[0]!, 'test', {
      ...log,
      level: 'debug',
      info: (message, fields) => {
        log.info(message, fields);
        this.lines.push(...lines.splice(0));
      },
      warn: (message, fields) => {
        log.warn(message, fields);
        this.lines.push(...lines.splice(0));
      },
      error: (message, fields) => {
        log.error(message, fields);
        this.lines.push(...lines.splice(0));
      },
    });
    batcher.failed.catch((error) => this.lines.push(String(error)));
    this.#batchers.push(batcher);
    return batcher;
  }

  /** Lets the sequencer build the L2 blocks of some L1 blocks, each with a transaction, and shows them. */
  async grow(l1Blocks: number, salt = 0): Promise<void> {
    for (let block = 0; block < l1Blocks; block++)
      await this.network.advance({}, (number) => [userTransaction(number + salt)]);
    this.show();
  }

  /** Answers as the sequencer stands now. */
  show(): void {
    const { l1, sequencer } = this.network;
    this.state.chain = sequencer.chain();
    this.state.unsafe = sequencer.head();
    this.state.headL1 = l1RefOf(l1.head());
  }

  /** Transactions in anvil's pool. */
  async pooled(): Promise<readonly (AnvilTransaction & { readonly maxFeePerGas: Hex })[]> {
    type Pool = { pending: Record<string, Record<string, AnvilTransaction & { maxFeePerGas: Hex }>> };
    const { pending } = await this.anvil.rpc.call<Pool>('txpool_content');
    return Object.values(pending).flatMap((byNonce) => Object.values(byNonce));
  }

  async mine(): Promise<void> {
    this.#time += 2;
    await this.anvil.rpc.call('evm_mine', [{ timestamp: this.#time }]);
  }

  /** Lets the time pass after which a channel is posted: L1's head, as the rollup node knows it, moves on by a block. */
  pass(): void {
    this.state.headL1 = { ...this.state.headL1, number: this.state.headL1.number + 1 };
  }

  /** The transactions in anvil's pool, once there are some. */
  async waiting(): ReturnType<World['pooled']> {
    return until('a posting waits', async () => {
      this.pass();
      const pool = await this.pooled();
      return pool.length > 0 && pool;
    });
  }

  /** Mines until every block of the sequencer was posted. */
  async posted(): Promise<void> {
    await until('all blocks were posted', async () => {
      this.pass();
      if ((await this.pooled()).length > 0) await this.mine();
      return this.lines.some(
        (line) => line.includes('Posted a channel') && line.includes(`to=${this.state.unsafe.number}`),
      );
    });
  }

  /** Data that was posted to the batch inbox, oldest first: calldata, or the data of each blob. */
  async inbox(): Promise<readonly Uint8Array[]> {
    const head = Number(await this.anvil.rpc.call<Hex>('eth_blockNumber'));
    const found: Uint8Array[] = [];
    for (let number = 1; number <= head; number++) {
      const { transactions } = await this.anvil.rpc.call<{ transactions: readonly AnvilTransaction[] }>(
        'eth_getBlockByNumber',
        [quantity(number), true],
      );
      for (const { hash, to, type, input } of transactions) {
        if (!sameHex(to, INBOX)) continue;
        if (Number(type) !== 3) found.push(hexToBytes(input));
        else {
          const raw = await this.anvil.rpc.call<Hex>('eth_getRawTransactionByHash', [hash]);
          found.push(...sidecarOf(hexToBytes(raw)).blobs.map(decodeBlob));
        }
      }
    }
    return found;
  }

  /** Hashes of the chain that a verifier derives from what was posted. */
  async derived(): Promise<readonly Hex[]> {
    return this.derivedFrom(await this.inbox());
  }

  /** Hashes of the chain that a verifier derives from these postings. */
  async derivedFrom(data: readonly Uint8Array[]): Promise<readonly Hex[]> {
    const { l1, rollup } = this.network;
    l1.mine({ transactions: data.map((item) => calldataTransaction(item)) });
    const { engine } = await derive({ l1, rollup });
    return engine.chain().map(({ blockHash }) => blockHash);
  }

  /** Hashes of the sequencer's chain. */
  get hashes(): readonly Hex[] {
    return this.network.sequencer.chain().map(({ blockHash }) => blockHash);
  }

  async admin(batcher: RunningBatcher, name: string): Promise<unknown> {
    const rpc = httpClient({ url: `http://127.0.0.1:${batcher.port}` });
    try {
      return await rpc.call(name);
    } finally {
      rpc.close();
    }
  }

  async close(): Promise<void> {
    for (const batcher of this.#batchers) await batcher.stop();
    await this.#server.close();
    await this.anvil.kill();
  }
}
