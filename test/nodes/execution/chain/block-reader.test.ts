import { rmSync } from 'node:fs';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { encodeStored, type Receipt } from '../../../../src/nodes/execution/block/receipt.ts';
import { signedTransactions } from '../../../../src/nodes/execution/chain/block.ts';
import { BlockReader } from '../../../../src/nodes/execution/chain/block-reader.ts';
import { encodeBody } from '../../../../src/nodes/execution/chain/body.ts';
import { defineChain, genesisHeader } from '../../../../src/nodes/execution/chain/genesis.ts';
import { ChainStore } from '../../../../src/nodes/execution/store/chain-store.ts';
import { openDatabase } from '../../../../src/nodes/execution/store/database.ts';
import { decodeTransaction } from '../../../../src/nodes/execution/transaction/transaction.ts';
import { encodeHeader } from '../../../../src/protocol/codec/header.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import { present } from '../../../../src/protocol/present.ts';
import { runToCompletion } from '../../../../src/protocol/resumable.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { deposit } from '../support/driver.ts';
import { genesisText } from '../support/genesis.ts';
import { temporaryFolder } from '../support/nodes.ts';
import { schedule } from '../support/sample-chain.ts';

const HASH: Hex = `0x${'ab'.repeat(32)}`;
const OTHER: Hex = `0x${'0d'.repeat(20)}`;

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const fields = { chainId: 901, gas: 21_000n, maxFeePerGas: 10n, maxPriorityFeePerGas: 1n, to: OTHER } as const;
const signed = await Promise.all([0, 1].map((nonce) => account.signTransaction({ ...fields, nonce, type: 'eip1559' })));

const receiptOf = (raw: Hex, from: Hex): Receipt => ({
  type: 2,
  transactionHash: keccak256(raw),
  ...{ from, to: OTHER, status: true, gasUsed: 21_000n, cumulativeGasUsed: 21_000n, effectiveGasPrice: 5n },
  ...{ contractAddress: null, logs: [] },
});

/** Reads a stored block whose receipts name these senders. */
function readBack(senders: readonly Hex[], raws: readonly Hex[] = signed) {
  const folder = temporaryFolder();
  const db = openDatabase(folder);
  try {
    const store = new ChainStore(db);
    const roots = { stateRoot: new Uint8Array(32), messagePasserRoot: new Uint8Array(32) };
    const header = encodeHeader(genesisHeader(defineChain(genesisText(schedule), 'genesis.json'), roots));
    const receipts = senders.map((from, at) => receiptOf(raws[at] ?? '0x', from));
    store.insert({
      ...{ hash: HASH, number: 7, header },
      body: encodeBody({ transactions: raws.map(hexToBytes), withdrawals: [] }),
      receipts: runToCompletion(encodeStored({ receipts, feeFields: {} })),
    });
    return present(new BlockReader(store).block(HASH), 'block');
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
}

it('the block reader decodes the transactions of a stored block as they were sent', () => {
  const sender = account.address.toLowerCase() as Hex;
  const fresh = signed.map((raw) => decodeTransaction(hexToBytes(raw)));
  expect(signedTransactions(readBack([sender, sender]))).toEqual(fresh);
});

it('the block reader takes the senders from the receipts, without recovering them', () => {
  const senders = [OTHER, account.address.toLowerCase() as Hex];
  expect(signedTransactions(readBack(senders)).map(({ sender }) => bytesToHex(sender))).toEqual(senders);
});

it('the block reader takes no sender of a deposit, which has no signature', () => {
  const { transactions } = readBack([OTHER, OTHER], [deposit({ to: OTHER }), signed[0] ?? '0x']);
  expect(() => decodeTransaction(transactions[0] ?? new Uint8Array())).toThrow('not supported');
});
