import { createBlock } from '@ethereumjs/block';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { RLP } from '@ethereumjs/rlp';
import { createTx } from '@ethereumjs/tx';
import { describe, expect, it } from 'vitest';
import {
  decodeBlock,
  encodeBlock,
  type UnexecutedBlock,
} from '../../../../src/nodes/execution/chain/unexecuted-block.ts';
import { encodeHeader, headerHash } from '../../../../src/protocol/codec/header.ts';
import { type RlpItem, rlpDecode, rlpEncode } from '../../../../src/protocol/codec/rlp.ts';
import { orderedTrieRoot } from '../../../../src/protocol/codec/trie.ts';
import { withdrawalsRoot } from '../../../../src/protocol/codec/withdrawals.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import { addressOf, PARIS_HEADER } from '../views/sample-block.ts';
import { SHAPES, sign } from '../views/sample-transactions.ts';

const raws = await Promise.all(['legacy', 'eip1559'].map(async (name) => hexToBytes(await sign(SHAPES[name]!))));
const withdrawals = [{ index: 1n, validatorIndex: 2n, address: addressOf(9), amount: 3n }];

function blockOf(fork: 'paris' | 'shanghai'): UnexecutedBlock {
  const header = {
    ...PARIS_HEADER,
    transactionsRoot: bytesToHex(orderedTrieRoot(raws)),
    ...(fork === 'paris' ? {} : { withdrawalsRoot: withdrawalsRoot(withdrawals) }),
  };
  return { hash: headerHash(header), header, transactions: raws, withdrawals: fork === 'paris' ? [] : withdrawals };
}

/** Returns the parts of an encoded block: header, transactions, ommers, withdrawals. */
const partsOf = (fork: 'paris' | 'shanghai') => [...(rlpDecode(encodeBlock(blockOf(fork))) as readonly RlpItem[])];
const EMPTY = hexToBytes('0x');

describe('the encoding of a block', () => {
  it.each(['paris', 'shanghai'] as const)('is the one of the Ethereum library under %s', (fork) => {
    const common = new Common({
      chain: { ...Mainnet, chainId: 901 },
      hardfork: Hardfork[fork === 'paris' ? 'Paris' : 'Shanghai'],
    });
    const block = blockOf(fork);
    const items = rlpDecode(encodeHeader(block.header)) as Uint8Array[];
    const names = ['parentHash', 'uncleHash', 'coinbase', 'stateRoot', 'transactionsTrie', 'receiptTrie', 'logsBloom'];
    const more = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'];
    const header = Object.fromEntries(
      [...names, ...more, 'baseFeePerGas', 'withdrawalsRoot'].map((name, at) => [name, items[at]]),
    );
    const transactions = raws.map((raw) => createTxOf(raw, common));
    const theirs = createBlock({ header, transactions, ...(fork === 'paris' ? {} : { withdrawals }) } as never, {
      common,
      skipConsensusFormatValidation: true,
    });
    expect(bytesToHex(encodeBlock(block))).toBe(bytesToHex(theirs.serialize()));
  });

  it.each(['paris', 'shanghai'] as const)('is decoded to the same block under %s', (fork) => {
    expect(decodeBlock(encodeBlock(blockOf(fork)))).toEqual(blockOf(fork));
  });

  it('is decoded to no withdrawals when the header commits to an empty list', () => {
    const { header: before, transactions } = blockOf('paris');
    const header = { ...before, withdrawalsRoot: withdrawalsRoot([]) };
    const block = { hash: headerHash(header), header, transactions, withdrawals: [] };
    expect(decodeBlock(encodeBlock(block))).toEqual(block);
  });

  const paris = partsOf('paris');
  const shanghai = partsOf('shanghai');
  const [header, transactions, ommers] = paris as [readonly RlpItem[], readonly RlpItem[], RlpItem];
  it.each<[string, RlpItem, string]>([
    ['a byte string', EMPTY, 'block must be a list'],
    ['a header that is a byte string', [EMPTY, transactions, ommers], 'header must be a list'],
    ['two parts', paris.slice(0, 2), 'a block of 2 parts'],
    ['withdrawals that its header does not commit to', [...paris, []], 'a block of 4 parts'],
    ['no withdrawals though its header commits to them', shanghai.slice(0, 3), 'a block of 3 parts'],
    ['an ommer', [header, transactions, [header]], 'a block with ommers'],
    ['ommers that are a byte string', [header, transactions, EMPTY], 'ommers must be a list'],
    ['an ommers hash of its own', [header.with(1, header[0]!), transactions, ommers], 'a header with unknown fields'],
    ['fewer transactions', [header, transactions.slice(1), ommers], 'transactions that differ'],
    ['transactions in another order', [header, transactions.toReversed(), ommers], 'transactions that differ'],
    ['transactions that are a byte string', [header, EMPTY, ommers], 'transactions must be a list'],
    [
      'a withdrawal twice',
      shanghai.with(
        3,
        [0, 0].map(() => (shanghai[3] as RlpItem[])[0]!),
      ),
      'withdrawals that differ',
    ],
    ['withdrawals that are a byte string', shanghai.with(3, EMPTY), 'withdrawals must be a list'],
  ])('is refused with %s', (_, item, message) => {
    let error: unknown;
    try {
      decodeBlock(rlpEncode(item));
    } catch (caught) {
      error = caught;
    }
    const code = message.endsWith('must be a list') ? 'rlp-malformed' : 'payload-invalid';
    expect(error).toMatchObject({ code, handling: 'drop', message: expect.stringContaining(message) });
    if (code === 'payload-invalid') expect(error).toMatchObject({ data: { field: 'block' } });
  });
});

function createTxOf(raw: Uint8Array, common: Common) {
  const legacy = raw[0]! >= 0xc0;
  const values = RLP.decode(legacy ? raw : raw.subarray(1)) as Uint8Array[];
  const names = legacy
    ? ['nonce', 'gasPrice', 'gasLimit', 'to', 'value', 'data', 'v', 'r', 's']
    : 'chainId nonce maxPriorityFeePerGas maxFeePerGas gasLimit to value data accessList v r s'.split(' ');
  const fields = Object.fromEntries(names.map((name, at) => [name, values[at]]));
  return createTx({ type: legacy ? 0 : raw[0], ...fields } as never, { common });
}
