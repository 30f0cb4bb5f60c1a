import {
  formatTransaction,
  type RpcTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { GO } from '../../../../src/nodes/execution/flavours/go/index.ts';
import { RUST } from '../../../../src/nodes/execution/flavours/rust/index.ts';
import { decodeTransaction } from '../../../../src/nodes/execution/transaction/transaction.ts';
import { pendingView, rawTransaction, transactionView } from '../../../../src/nodes/execution/views/transaction.ts';
import { encodeDeposit } from '../../../../src/protocol/codec/deposit.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { addressOf, blockOf, hashOf, receiptOf } from './sample-block.ts';
import { SHAPES, sign } from './sample-transactions.ts';

const sender = ACCOUNTS[0]!.address.toLowerCase() as Hex;
const LEGACY_KEYS =
  'type hash from to nonce gas gasPrice value input chainId v r s blockHash blockNumber transactionIndex'.split(' ');
const LISTED_KEYS = [...LEGACY_KEYS, 'accessList', 'yParity'];
const TIPPED_KEYS = [...LISTED_KEYS, 'maxFeePerGas', 'maxPriorityFeePerGas'];
const KEYS: Readonly<Record<string, readonly string[]>> = {
  legacy: LEGACY_KEYS,
  eip2930: LISTED_KEYS,
  eip1559: TIPPED_KEYS,
  eip4844: [...TIPPED_KEYS, 'maxFeePerBlobGas', 'blobVersionedHashes'],
  eip7702: [...TIPPED_KEYS, 'authorizationList'],
};

beforeAll(prepareCrypto);

const viewOf = async (shape: TransactionSerializable, views = GO.views) =>
  transactionView(blockOf([await sign(shape)], [receiptOf()]), 0, views);

/** Encodes what viem reads from the JSON of a transaction. */
function encodingOf(view: object): Hex {
  const { r, s, v, yParity, ...fields } = formatTransaction(view as RpcTransaction);
  return serializeTransaction(
    { ...fields, data: fields.input } as unknown as TransactionSerializable,
    { r, s, v, yParity } as never,
  );
}

describe('the JSON of a transaction', () => {
  it.each(Object.entries(SHAPES))('of the type %s holds all that viem needs to encode it', async (name, shape) => {
    const view = await viewOf(shape);
    const raw = await sign(shape);
    expect(encodingOf(view)).toBe(raw);
    expect(await recoverTransactionAddress({ serializedTransaction: encodingOf(view) as never })).toBe(
      ACCOUNTS[0]!.address,
    );
    expect(Object.keys(view).sort()).toEqual([...KEYS[name]!].sort());
    expect(view).toMatchObject({ hash: keccak256(raw), from: sender, to: addressOf(0xcd) });
  });

  it.each(['go', 'rust'])(
    'names its block and place, and the time of the block in op-reth alone: %s',
    async (flavour) => {
      const raws = [await sign(SHAPES['legacy']!), await sign(SHAPES['eip1559']!)];
      const block = blockOf(raws, [receiptOf(), receiptOf()]);
      const view = transactionView(block, 1, flavour === 'go' ? GO.views : RUST.views);
      expect(view).toMatchObject({ blockHash: hashOf(0xbb), blockNumber: '0x7', transactionIndex: '0x1', type: '0x2' });
      expect(view['blockTimestamp']).toBe(flavour === 'go' ? undefined : '0xa0');
      expect('blockTimestamp' in view).toBe(flavour === 'rust');
    },
  );

  it('shows a creation with the recipient null, and a legacy transaction without replay protection', async () => {
    const { to: _, ...creation } = SHAPES['eip1559']!;
    expect(await viewOf(creation as TransactionSerializable)).toMatchObject({ to: null });
    const { chainId: __, ...unprotected } = SHAPES['legacy']!;
    const view = await viewOf(unprotected as TransactionSerializable);
    expect('chainId' in view).toBe(false);
    expect(['0x1b', '0x1c']).toContain(view['v']);
    expect(encodingOf(view)).toBe(await sign(unprotected as TransactionSerializable));
  });

  it.each([
    ['legacy', '0x14'],
    ['eip1559', '0x11'],
  ])('of the type %s shows the price that its block charges: %s', async (name, gasPrice) => {
    expect(await viewOf(SHAPES[name]!)).toMatchObject({ gasPrice });
  });

  it('that is pending has no place, and its fee cap as its price', async () => {
    const raw = await sign(SHAPES['eip1559']!);
    const view = pendingView(decodeTransaction(hexToBytes(raw)));
    expect(view).toMatchObject({ blockHash: null, blockNumber: null, transactionIndex: null, gasPrice: '0x1e' });
    expect(Object.keys(view).sort()).toEqual([...TIPPED_KEYS].sort());
    expect(encodingOf(view)).toBe(raw);
  });

  it('is absent beyond the end of its block', async () => {
    const raw = await sign(SHAPES['legacy']!);
    const block = blockOf([raw], [receiptOf()]);
    expect(rawTransaction(block, 0)).toBe(raw);
    expect(() => rawTransaction(block, 1)).toThrow('transaction 1');
    expect(() => transactionView(block, 1, GO.views)).toThrow('transaction 1');
    expect(() => transactionView(blockOf([raw], []), 0, GO.views)).toThrow('receipt 0');
  });
});

describe('the JSON of a deposit', () => {
  const DEPOSIT = {
    sourceHash: hashOf(0x31),
    from: addressOf(0x32),
    to: addressOf(0x33),
    mint: 0x34n,
    value: 0x35n,
    gas: 0x36,
    isSystemTransaction: false,
    data: '0x37' as Hex,
  };
  const FIELDS = {
    type: '0x7e',
    hash: hashOf(0x20),
    from: addressOf(0x32),
    to: addressOf(0x33),
    nonce: '0x0',
    gas: '0x36',
    gasPrice: '0x0',
    value: '0x35',
    input: '0x37',
    v: '0x0',
    r: '0x0',
    s: '0x0',
    sourceHash: hashOf(0x31),
    mint: '0x34',
    blockHash: hashOf(0xbb),
    blockNumber: '0x7',
    transactionIndex: '0x0',
  };
  const REGOLITH = { depositNonce: 9n };
  const CANYON = { depositNonce: 9n, depositReceiptVersion: 1 };

  it.each([
    ['bedrock', 'op-geth', {}, {}, GO.views, {}],
    ['bedrock, by the system', 'op-geth', { isSystemTransaction: true }, {}, GO.views, { isSystemTx: true }],
    ['bedrock, of a creation', 'op-geth', { to: null }, {}, GO.views, { to: null }],
    ['regolith', 'op-geth', {}, REGOLITH, GO.views, { nonce: '0x9' }],
    ['canyon', 'op-geth', {}, CANYON, GO.views, { nonce: '0x9', depositReceiptVersion: '0x1' }],
    ['bedrock', 'op-reth', {}, {}, RUST.views, { blockTimestamp: '0xa0', yParity: '0x0' }],
  ])('has under %s exactly the fields of %s', (_, __, fields, receipt, views, more) => {
    const raw = bytesToHex(encodeDeposit({ ...DEPOSIT, ...fields }));
    expect(transactionView(blockOf([raw], [receiptOf(receipt)]), 0, views)).toEqual({ ...FIELDS, ...more });
  });
});
