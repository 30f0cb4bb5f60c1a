import { beforeAll, describe, expect, it } from 'vitest';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { GO } from '../../../../src/nodes/execution/flavours/go/index.ts';
import { RUST } from '../../../../src/nodes/execution/flavours/rust/index.ts';
import { badBlockView } from '../../../../src/nodes/execution/views/bad-block.ts';
import { blockView, headerView, loneHeaderView } from '../../../../src/nodes/execution/views/block.ts';
import { transactionView } from '../../../../src/nodes/execution/views/transaction.ts';
import { encodeDeposit } from '../../../../src/protocol/codec/deposit.ts';
import { rlpDecode } from '../../../../src/protocol/codec/rlp.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { addressOf, blockOf, hashOf, PARIS_HEADER, receiptOf } from './sample-block.ts';
import { SHAPES, sign } from './sample-transactions.ts';

const PARIS = {
  hash: hashOf(0xbb),
  parentHash: hashOf(1),
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: addressOf(2),
  stateRoot: hashOf(3),
  transactionsRoot: hashOf(4),
  receiptsRoot: hashOf(5),
  logsBloom: `0x${'06'.repeat(256)}`,
  difficulty: '0x0',
  number: '0x7',
  gasLimit: '0x1c9c380',
  gasUsed: '0x90',
  timestamp: '0xa0',
  extraData: '0x0b',
  mixHash: hashOf(12),
  nonce: '0x0000000000000000',
  baseFeePerGas: '0xd',
};
const SHANGHAI = { ...PARIS_HEADER, withdrawalsRoot: hashOf(14) };
const CANCUN = { ...SHANGHAI, blobGasUsed: 15n, excessBlobGas: 0n, parentBeaconBlockRoot: hashOf(16) };
const CANCUN_VIEW = {
  ...PARIS,
  withdrawalsRoot: hashOf(14),
  blobGasUsed: '0xf',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: hashOf(16),
};
const legacy: Hex = await sign(SHAPES['legacy']!);

beforeAll(prepareCrypto);

describe('the JSON of a header', () => {
  it.each([
    ['paris', PARIS_HEADER, PARIS],
    ['shanghai', SHANGHAI, { ...PARIS, withdrawalsRoot: hashOf(14) }],
    ['cancun', CANCUN, CANCUN_VIEW],
    ['prague', { ...CANCUN, requestsHash: hashOf(17) }, { ...CANCUN_VIEW, requestsHash: hashOf(17) }],
    [
      'paris, of a genesis block with a nonce',
      { ...PARIS_HEADER, nonce: '0x00000000000000ab' as Hex },
      { ...PARIS, nonce: '0x00000000000000ab' },
    ],
  ])('has exactly the fields of %s', (_, header, expected) => {
    expect(headerView(hashOf(0xbb), header)).toEqual(expected);
  });

  it('has the size of its block in op-reth alone', () => {
    const block = blockOf([legacy], []);
    const size = blockView(block, false, GO.views)['size'];
    expect(loneHeaderView(block, GO.views)).toEqual(PARIS);
    expect(loneHeaderView(block, RUST.views)).toEqual({ ...PARIS, size });
  });
});

describe('the JSON of a block', () => {
  const withdrawal = { index: 1n, validatorIndex: 2n, address: addressOf(0x70), amount: 3n };

  it('has hashes of transactions, or all their fields, and the size of its encoding', () => {
    const block = blockOf([legacy], [receiptOf()]);
    const { rlp } = badBlockView(block, GO.views);
    const size = `0x${hexToBytes(rlp as Hex).length.toString(16)}`;
    const common = { ...PARIS, totalDifficulty: '0x0', size, uncles: [] };
    expect(blockView(block, false, GO.views)).toEqual({ ...common, transactions: [hashOf(0x20)] });
    const transactions = [transactionView(block, 0, RUST.views)];
    expect(blockView(block, true, RUST.views)).toEqual({ ...common, transactions });
  });

  it('has the withdrawals of a header that commits to them', () => {
    const shown = { index: '0x1', validatorIndex: '0x2', address: addressOf(0x70), amount: '0x3' };
    for (const [withdrawals, expected] of [
      [[withdrawal], [shown]],
      [[], []],
    ] as const)
      expect(blockView(blockOf([], [], { header: SHANGHAI, withdrawals }), false, GO.views)).toMatchObject({
        withdrawals: expected,
      });
  });
});

describe('the JSON of a bad block', () => {
  it('has its full block, its RLP, and deposits without the nonces of receipts', () => {
    const deposit = bytesToHex(
      encodeDeposit({
        sourceHash: hashOf(0x31),
        from: addressOf(0x32),
        to: null,
        mint: 0n,
        value: 0n,
        gas: 1,
        isSystemTransaction: false,
        data: '0x',
      }),
    );
    const { receipts: _, ...block } = blockOf([deposit, legacy], []);
    const view = badBlockView(block, GO.views);
    expect(view).toMatchObject({
      hash: hashOf(0xbb),
      block: {
        ...PARIS,
        transactions: [
          { type: '0x7e', hash: keccak256(hexToBytes(deposit)), nonce: '0x0' },
          { type: '0x0', hash: keccak256(hexToBytes(legacy)), nonce: '0x5' },
        ],
      },
    });
    expect(view['block']).not.toHaveProperty('totalDifficulty');
    expect(rlpDecode(hexToBytes(view['rlp'] as Hex))).toHaveLength(3);
  });
});
