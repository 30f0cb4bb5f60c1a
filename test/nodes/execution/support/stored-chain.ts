import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chain } from '../../../../src/nodes/execution/chain/chain.ts';
import { type DatadirOptions, openChain } from '../../../../src/nodes/execution/chain/datadir.ts';
import { encodeHeader, headerHash } from '../../../../src/protocol/codec/header.ts';
import { type ReceiptLog, summarizeReceipts } from '../../../../src/protocol/codec/receipt.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import { runToCompletion } from '../../../../src/protocol/resumable.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { hashOf, receiptOf } from '../views/sample-block.ts';
import { genesisText, upTo } from './genesis.ts';
import { temporaryFolder } from './nodes.ts';

/** A log of one topic, whose address and topic are the seed. */
const logOf = (seed: number): ReceiptLog => ({
  address: `0x${seed.toString(16).padStart(40, '0')}`,
  topics: [hashOf(seed)],
  data: '0x',
});

/** A datadir in a temporary folder with a chain of rollup blocks that change no state. */
export class StoredChain implements Disposable {
  readonly folder = temporaryFolder();
  readonly chain: Chain;

  constructor(options: Partial<DatadirOptions> = {}, text = genesisText(upTo('regolith'))) {
    const genesis = join(this.folder, 'genesis.json');
    writeFileSync(genesis, text);
    this.chain = openChain({ datadir: join(this.folder, 'data'), genesis, overrides: {}, ...options });
  }

  /**
   * Stores a child of a block, with one transaction for each list of logs. By default it has one log, whose address
   * and topic follow from the seed. Children of one parent differ by their seed. Nothing decodes the transactions
   * unless others are given.
   */
  async child(
    parent: Hex,
    seed: number,
    logs: readonly (readonly ReceiptLog[])[] = [[logOf(seed)]],
    transactions: readonly Uint8Array[] = logs.map((_, at) => Uint8Array.of(2, seed, at)),
  ): Promise<Hex> {
    const before = this.chain.knownHeader(parent);
    const receipts = logs.map((list, at) =>
      receiptOf({ transactionHash: bytesToHex(keccak256Bytes(transactions[at]!)), logs: list }),
    );
    const header = {
      ...before,
      ...runToCompletion(summarizeReceipts(receipts)),
      parentHash: parent,
      number: before.number + 1,
      timestamp: before.timestamp + 2n,
      extraData: bytesToHex(Uint8Array.of(seed)),
    };
    const hash = headerHash(header);
    await this.chain.insert({
      ...{ hash, header, encodedHeader: encodeHeader(header), transactions, receipts },
      ...{ feeFields: {}, withdrawals: [], requests: [] },
      diff: { root: hexToBytes(header.stateRoot), nodes: [], codes: [], storageRoots: new Map() },
    });
    return hash;
  }

  /** Stores a line of blocks on a parent, one for each seed. */
  async line(parent: Hex, ...seeds: readonly number[]): Promise<Hex[]> {
    const hashes: Hex[] = [];
    for (const seed of seeds) hashes.push(await this.child(hashes.at(-1) ?? parent, seed));
    return hashes;
  }

  [Symbol.dispose](): void {
    this.chain.store.close();
    rmSync(this.folder, { recursive: true });
  }
}
