import { describe, expect, it, vi } from 'vitest';
import type { ExecutionPayload, Hex } from '../../src/protocol/types.ts';
import { Home, type NodeStatus, rpc } from './devnet.ts';
import { INBOX_POLL, Inbox } from './support/inbox.ts';

const spec = (base: string) => ({
  version: 1,
  name: `batch-${base}`,
  ports: 'auto',
  l1: { blockTime: 1 },
  chains: {
    main: {
      blockTime: 1,
      forks: { base },
      nodes: { sequencer: { role: 'sequencer', el: 'execution-go' }, verifier: { el: 'execution-rust' } },
    },
  },
});

/** A changed byte of the data. */
const at = (data: Uint8Array, index: number, change: (byte: number) => number) =>
  data.map((byte, position) => (position === index ? change(byte) : byte));
/** One bit of the last byte. */
const flipped = (hex: Hex): Hex => `${hex.slice(0, -1)}${(Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16)}` as Hex;

/** A changed byte after which no compressed data can be read. */
const COMPRESSED = {
  zlib: {
    'the compression method': (channel: Uint8Array) => at(channel, 0, (byte) => byte ^ 0x01),
    'the check of the zlib header': (channel: Uint8Array) => at(channel, 1, (byte) => byte ^ 0x01),
    // Both bits of the block type: reserved.
    'the type of the first block': (channel: Uint8Array) => at(channel, 2, (byte) => byte | 0x06),
  },
  brotli: {
    'the channel version': (channel: Uint8Array) => at(channel, 0, (byte) => byte ^ 0x10),
    // A window that brotli reserves.
    'the window of the stream': (channel: Uint8Array) => at(channel, 1, () => 0x11),
  },
};

async function block(url: string, number: number): Promise<{ hash: string; transactions: string[] } | null> {
  return rpc(url, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false);
}

describe.each([
  { base: 'granite', batchType: 'singular', compression: 'zlib' },
  { base: 'jovian', batchType: 'span', compression: 'brotli' },
] as const)('batches on L1 under $base', ({ base, batchType, compression }) => {
  it(`a changed byte in ${batchType} batches stalls or changes the safe head, and can be replaced`, async () => {
    await using home = new Home();
    const inbox = await Inbox.of(home, await home.up(home.spec(base, spec(base))));
    expect((await home.devnet('wait', 'safe:2', '--timeout', '300s')).code).toBe(0);

    const safe = await inbox.stop();
    const withTransactions = await inbox.transfers(3);
    const last = withTransactions.at(-1)! + 1;
    const blocks = await inbox.blocks(safe + 1, last);
    const hashOf = (number: number) => blocks[number - safe - 1]!.blockHash;
    const [{ parentHash }] = blocks as [ExecutionPayload];
    const stalledAt = async (number: number) => {
      const hash = number === safe ? parentHash : hashOf(number);
      expect(await inbox.safeHeads()).toEqual(inbox.nodes.map(() => ({ number, hash })));
    };
    await stalledAt(safe);

    const channel = inbox.channel(blocks, batchType, compression);
    for (const [what, change] of Object.entries(COMPRESSED[compression])) {
      const changed = change(channel);
      expect(changed, what).not.toEqual(channel);
      await inbox.post(changed);
      await stalledAt(safe);
    }

    // A transaction with another's signature makes an invalid block.
    const spoil = (of: readonly ExecutionPayload[], spoilt: number) =>
      inbox.changedChannel(of, compression, (batch, number) =>
        number === spoilt ? { ...batch, transactions: batch.transactions.map(flipped) } : batch,
      );
    let head = safe;
    if (base === 'granite') {
      // The batch is dropped. Blocks before it are safe, blocks after it wait.
      await inbox.post(spoil(blocks, withTransactions[0]!));
      head = withTransactions[0]! - 1;
      await stalledAt(head);
    }

    // A batch with another parent is dropped. The batches after it wait for the missing one, or go with their channel.
    await inbox.post(
      inbox.changedChannel(blocks, compression, (batch, number) =>
        number === head + 1 ? { ...batch, parentHash: flipped(batch.parentHash) } : batch,
      ),
    );
    await stalledAt(head);

    await inbox.post(channel);
    await vi.waitFor(async () => {
      for (const { number } of await inbox.safeHeads()) expect(number).toBeGreaterThanOrEqual(last);
    }, INBOX_POLL);
    for (const { el } of inbox.nodes)
      for (const { blockNumber, blockHash } of blocks)
        expect((await block(el.http, blockNumber))?.hash).toBe(blockHash);
    await inbox.start();
    expect((await home.devnet('wait', `safe:${last + 3}`, '--timeout', '300s')).code).toBe(0);
    await home.agrees();
    if (base !== 'jovian') return;

    // Since holocene an invalid block is replaced by its deposits alone, and the rest of the channel is dropped.
    const before = await inbox.stop();
    const [invalid] = (await inbox.transfers(1)) as [number];
    const original = await inbox.blocks(before + 1, invalid + 1);
    await inbox.post(spoil(original, invalid));
    const heads = await inbox.safeHeads();
    const warned = ({ name }: NodeStatus) => home.devnet('logs', `${name}/cl`).then(({ stdout }) => stdout);
    for (const node of inbox.nodes) {
      expect(await warned(node)).toContain('a derived block is invalid; its deposits are kept');
      expect(await warned(node)).not.toContain('finding the heads anew');
    }
    for (const head of heads) expect(head).toEqual({ number: invalid, hash: heads[0]!.hash });
    for (const { el } of inbox.nodes) {
      const replaced = await block(el.http, invalid);
      expect(replaced?.hash).toBe(heads[0]!.hash);
      expect(replaced?.hash).not.toBe(original[invalid - before - 1]!.blockHash);
      expect(replaced?.transactions).toHaveLength(1);
      expect((await block(el.http, invalid - 1))?.hash).toBe(original[invalid - before - 1]!.parentHash);
    }
    await inbox.start();
    expect((await home.devnet('wait', `safe:${invalid + 3}`, '--timeout', '300s')).code).toBe(0);
    await home.agrees();
  }, 300_000);
});
