import { brotliDecompressSync, inflateSync } from 'node:zlib';
import type { RunningBatcher } from '../../../src/nodes/batcher/service.ts';
import { loadKzgVerifier } from '../../../src/nodes/kzg/kzg.ts';
import { concatAll } from '../../../src/protocol/bytes.ts';
import { decodeBlob } from '../../../src/protocol/codec/blob.ts';
import { splitBlobTransaction } from '../../../src/protocol/codec/blobs/sidecar.ts';
import { channelBatches, channelCompression } from '../../../src/protocol/codec/channel.ts';
import { decodeBatcherTransaction, type Frame } from '../../../src/protocol/codec/frame.ts';
import { l1RefOf } from '../../../src/protocol/derivation/attributes/block-ref.ts';
import { type ForkName, rollupConfigTimes } from '../../../src/protocol/forks/index.ts';
import { hexToBytes, quantity, sameHex } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import type { RunningServer } from '../../../src/rpc/server/server.ts';
import { calldataTransaction } from '../../protocol/derivation/scripted/l1.ts';
import { createNetwork, derive, type Network } from '../../protocol/derivation/scripted/network.ts';
import { forksUpTo, INBOX, type TestRollupOptions, testRollup } from '../../protocol/derivation/scripted/rollup.ts';
import { userTransaction } from '../../protocol/derivation/scripted/transactions.ts';
import { patientClient } from '../../rpc/patient-client.ts';
import { ACCOUNTS, GENESIS_TIME, startAnvil, type TestAnvil } from '../beacon/anvil.ts';
import { until } from './helpers.ts';
import { type BatcherChanges, launchBatcher } from './launch.ts';
import { type SequencerState, serveSequencer } from './sequencer.ts';

interface AnvilTransaction {
  readonly hash: Hex;
  readonly type: Hex;
  readonly to: Hex;
  readonly input: Hex;
}

/** Returns 200 incompressible bytes, different for each number. */
export const noise = (number: number) =>
  Uint8Array.from({ length: 200 }, (_, at) => (at * at * 31 + at * number * 7 + (at >> 3) ** number) % 256);

/**
 * A scripted sequencer, a real anvil that receives the batcher's transactions, and a pipeline that derives from them.
 */
export class BatcherHarness {
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

  /**
   * Activates forks up to `base` at genesis, others `at` seconds after it.
   * `isThrottled`: the execution client serves `miner_setMaxDASize`.
   */
  static async start(
    base: ForkName = 'jovian',
    at: NonNullable<TestRollupOptions['at']> = {},
    isThrottled = true,
  ): Promise<BatcherHarness> {
    const network = createNetwork(testRollup(base, { at }));
    const later = Object.fromEntries(Object.entries(at).map(([name, after]) => [name, GENESIS_TIME + after]));
    const head = l1RefOf(network.l1.head());
    const genesis = network.sequencer.head();
    const state: SequencerState = {
      rollup: network.rollup,
      forkTimes: rollupConfigTimes({ ...forksUpTo(base), ...later }),
      chain: network.sequencer.chain(),
      unsafe: genesis,
      safe: genesis,
      headL1: head,
      currentL1: { ...head, number: 0 },
      statusAsked: 0,
      limits: isThrottled ? [] : undefined,
    };
    const [anvil, server] = await Promise.all([startAnvil({ trustsBlobs: true }), serveSequencer(state)]);
    return new BatcherHarness(anvil, state, server, network);
  }

  async batcher(changes: BatcherChanges = {}): Promise<RunningBatcher> {
    const { url } = this.#server;
    const endpoints = { l1: this.anvil.url, l2: url, rollup: url };
    const batcher = await launchBatcher(ACCOUNTS[0]!, { ...endpoints, ...changes }, this.lines);
    this.#batchers.push(batcher);
    return batcher;
  }

  /** Builds the L2 blocks of some L1 blocks, each with a transaction of this calldata, and publishes them. */
  async grow(l1Blocks: number, salt = 0, data?: (number: number) => Uint8Array<ArrayBuffer>): Promise<void> {
    for (let block = 0; block < l1Blocks; block++)
      await this.network.advance({}, (number) => [userTransaction(number + salt, data?.(number))]);
    this.show();
  }

  /** Waits until the batcher has handled the current state. */
  async looked(): Promise<void> {
    const before = this.state.statusAsked;
    await until('the batcher looked again', () => this.state.statusAsked >= before + 3);
  }

  /** Returns the sequencer's current answers. */
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

  /** Mines an L1 block, after which an open channel is due. */
  pass(): void {
    this.state.headL1 = { ...this.state.headL1, number: this.state.headL1.number + 1 };
  }

  /** Waits for transactions in anvil's pool and returns them. */
  async waiting(): ReturnType<BatcherHarness['pooled']> {
    return until('a posting waits', async () => {
      this.pass();
      const pool = await this.pooled();
      return pool.length > 0 && pool;
    });
  }

  /** Mines until every block of the sequencer was submitted. */
  async posted(): Promise<void> {
    await until('all blocks were posted', async () => {
      this.pass();
      if ((await this.pooled()).length > 0) await this.mine();
      return this.lines.some(
        (line) => line.includes('Posted a channel') && line.includes(`to=${this.state.unsafe.number}`),
      );
    });
  }

  /** Returns the submitted frames, oldest first. */
  async frames(): Promise<readonly Frame[]> {
    return (await this.inbox()).flatMap((data) => decodeBatcherTransaction(data));
  }

  /** Returns the submitted channels, decompressed into batches. */
  async channels(): Promise<readonly { readonly compressed: Uint8Array; readonly batches: readonly Uint8Array[] }[]> {
    const byId = Map.groupBy(await this.frames(), ({ channelId }) => channelId);
    return [...byId.values()].map((frames) => {
      const compressed = concatAll(frames.map(({ data }) => data));
      const isBrotli = channelCompression(compressed) === 'brotli';
      const plain = isBrotli ? brotliDecompressSync(compressed.subarray(1)) : inflateSync(compressed);
      return { compressed, batches: [...channelBatches(plain)] };
    });
  }

  /** Returns the types of the transactions to the batch inbox, oldest first. */
  async types(): Promise<readonly number[]> {
    return (await this.#postings()).map(({ type }) => Number(type));
  }

  /** Returns the data of the batch inbox, oldest first: calldata, or the data of each blob. */
  async inbox(): Promise<readonly Uint8Array[]> {
    const payloads: Uint8Array[] = [];
    for (const { hash, type, input } of await this.#postings()) {
      if (Number(type) !== 3) payloads.push(hexToBytes(input));
      else {
        const raw = await this.anvil.rpc.call<Hex>('eth_getRawTransactionByHash', [hash]);
        const { blobs, commitments, proofs } = splitBlobTransaction(hexToBytes(raw))!.sidecar;
        const kzg = await loadKzgVerifier();
        const isProven = blobs.every((blob, at) => kzg.verifyBlob(blob, commitments[at]!, proofs[at]!));
        if (!isProven) throw new Error(`transaction ${hash}: a blob has a wrong proof`);
        payloads.push(...blobs.map(decodeBlob));
      }
    }
    return payloads;
  }

  async #postings(): Promise<readonly AnvilTransaction[]> {
    const head = Number(await this.anvil.rpc.call<Hex>('eth_blockNumber'));
    const postings: AnvilTransaction[] = [];
    for (let number = 1; number <= head; number++) {
      const { transactions } = await this.anvil.rpc.call<{ transactions: readonly AnvilTransaction[] }>(
        'eth_getBlockByNumber',
        [quantity(number), true],
      );
      postings.push(...transactions.filter(({ to }) => sameHex(to, INBOX)));
    }
    return postings;
  }

  /** Returns the hashes of the chain that a verifier derives from the submissions. */
  async derived(): Promise<readonly Hex[]> {
    return this.derivedFrom(await this.inbox());
  }

  /** Returns the hashes of the chain that a verifier derives from these submissions. */
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

  async admin(batcher: RunningBatcher, name: string, ...params: unknown[]): Promise<unknown> {
    const rpc = patientClient({ url: `http://127.0.0.1:${batcher.port}` });
    try {
      return await rpc.call(name, params);
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
