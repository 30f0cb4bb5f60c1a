import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWalletClient, defineChain, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, vi } from 'vitest';
import { compressionOf } from '../../../src/nodes/batcher/compress.ts';
import { fetchBlocks, fetchRollup } from '../../../src/nodes/batcher/source.ts';
import type { SyncStatus } from '../../../src/nodes/txmgr/sync-status.ts';
import { type ChannelCompression, encodeChannel } from '../../../src/protocol/codec/channel.ts';
import { encodeBatcherTransaction, splitIntoFrames } from '../../../src/protocol/codec/frame.ts';
import { encodeSingularBatch, type SingularBatch } from '../../../src/protocol/codec/singular-batch.ts';
import { blockToBatch } from '../../../src/protocol/derivation/encode/block-to-batch.ts';
import { createChannelOut } from '../../../src/protocol/derivation/encode/channel-out.ts';
import type { Rollup } from '../../../src/protocol/derivation/ports.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import type { ExecutionPayload } from '../../../src/protocol/types.ts';
import { patientClient } from '../../rpc/patient-client.ts';
import { type Home, rpc, type Status } from '../devnet.ts';

/** Timeout (ms) for steps that take seconds on an idle machine. */
export const INBOX_POLL = { timeout: 120_000, interval: 100 };

const wallet = (chainId: number, url: string, privateKey: `0x${string}`) =>
  createWalletClient({
    account: privateKeyToAccount(privateKey),
    chain: defineChain({
      id: chainId,
      name: 'chain',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [url] } },
    }),
    transport: http(url),
    pollingInterval: 100,
  }).extend(publicActions);

/** Replaces the batcher: reads L2 blocks, makes channels of them, and posts any data from the batcher's account. */
export class Inbox {
  readonly status: Status;
  readonly rollup: Rollup;
  readonly #batcher: string;
  readonly #key: `0x${string}`;

  private constructor(status: Status, rollup: Rollup, batcher: string, key: `0x${string}`) {
    this.status = status;
    this.rollup = rollup;
    this.#batcher = batcher;
    this.#key = key;
  }

  static async of(home: Home, status: Status): Promise<Inbox> {
    const folder = join(home.env['DEVNET_HOME']!, status.name);
    const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')) as {
      network: { chains: { batcher: { rpc: string } }[] };
    };
    const key = readFileSync(join(folder, 'nodes', 'main', 'batcher-key.hex'), 'utf8').trim();
    return new Inbox(
      status,
      await fetchRollup(patientClient({ url: status.chains[0]!.nodes[0]!.cl.rpc })),
      plan.network.chains[0]!.batcher.rpc,
      key.startsWith('0x') ? (key as `0x${string}`) : `0x${key}`,
    );
  }

  get nodes() {
    return this.status.chains[0]!.nodes;
  }

  #l1() {
    return wallet(this.status.l1.chainId, this.status.l1.rpc, this.#key);
  }

  /** Stops the batcher. Returns the safe head once all that it posted is derived. */
  async stop(): Promise<number> {
    await rpc(this.#batcher, 'admin_stopBatcher');
    const l1 = this.#l1();
    const { address } = l1.account;
    await vi.waitFor(
      async () =>
        expect(await l1.getTransactionCount({ address, blockTag: 'pending' })).toBe(
          await l1.getTransactionCount({ address }),
        ),
      INBOX_POLL,
    );
    await this.derived(Number(await l1.getBlockNumber()));
    const [safe, ...others] = await this.safeHeads();
    for (const other of others) expect(other).toEqual(safe);
    return safe!.number;
  }

  start(): Promise<unknown> {
    return rpc(this.#batcher, 'admin_startBatcher');
  }

  /** Returns the safe heads of all nodes. */
  async safeHeads(): Promise<{ number: number; hash: string }[]> {
    const all = await Promise.all(this.nodes.map(({ cl }) => rpc<SyncStatus>(cl.rpc, 'optimism_syncStatus')));
    return all.map(({ safe_l2: { number, hash } }) => ({ number, hash }));
  }

  /** Waits until every node has derived an L1 block and has moved to a later one. */
  async derived(l1Block: number): Promise<void> {
    for (const { cl } of this.nodes)
      await vi.waitFor(
        async () =>
          expect((await rpc<SyncStatus>(cl.rpc, 'optimism_syncStatus')).current_l1.number).toBeGreaterThan(l1Block),
        INBOX_POLL,
      );
  }

  /** Sends transfers, each in a block of its own, and returns the block numbers. */
  async transfers(count: number): Promise<number[]> {
    const { chainId, accounts } = this.status.chains[0]!;
    const l2 = wallet(chainId, this.nodes[0]!.el.http, accounts[0]!.privateKey);
    const blocks: number[] = [];
    for (let at = 0; at < count; at++) {
      const hash = await l2.sendTransaction({ to: accounts[1]!.address, value: BigInt(at) + 1n });
      blocks.push(Number((await l2.waitForTransactionReceipt({ hash, timeout: INBOX_POLL.timeout })).blockNumber));
    }
    return blocks;
  }

  /** Returns blocks of the sequencer. */
  async blocks(from: number, to: number): Promise<readonly ExecutionPayload[]> {
    const url = this.nodes[0]!.el.http;
    await vi.waitFor(
      async () => expect(Number(await rpc<string>(url, 'eth_blockNumber'))).toBeGreaterThanOrEqual(to),
      INBOX_POLL,
    );
    return fetchBlocks(patientClient({ url }), this.rollup, from, to);
  }

  /** Makes the compressed channel of blocks as the batcher would. */
  channel(blocks: readonly ExecutionPayload[], batchType: 'singular' | 'span', choice: ChannelCompression): Uint8Array {
    const { compression, compress } = compressionOf(choice);
    const out = createChannelOut(this.rollup, {
      id: new Uint8Array(16),
      batchType,
      compression,
      compress,
      targetSize: 100_000,
    });
    for (const block of blocks) expect(out.addBlock(block)).toBe(true);
    out.close();
    const frames = out.frames(100_000);
    expect(frames).toHaveLength(1);
    return frames[0]!.data;
  }

  /** Makes the compressed channel of singular batches, each changed before it is encoded. */
  changedChannel(
    blocks: readonly ExecutionPayload[],
    choice: ChannelCompression,
    change: (batch: SingularBatch, number: number) => SingularBatch,
  ): Uint8Array {
    const { compression, compress } = compressionOf(choice);
    return encodeChannel(
      blocks.map((block) => encodeSingularBatch(change(blockToBatch(this.rollup, block).batch, block.blockNumber))),
      compression,
      compress,
    );
  }

  /** Posts a channel in one batcher transaction and waits until every node has derived its L1 block. */
  async post(channel: Uint8Array): Promise<void> {
    const l1 = this.#l1();
    const frames = splitIntoFrames(bytesToHex(randomBytes(16)), channel, 110_000);
    const hash = await l1.sendTransaction({
      to: this.rollup.config.batch_inbox_address,
      data: bytesToHex(encodeBatcherTransaction(frames)),
    });
    const { blockNumber, status } = await l1.waitForTransactionReceipt({ hash, timeout: INBOX_POLL.timeout });
    expect(status).toBe('success');
    await this.derived(Number(blockNumber));
  }
}
