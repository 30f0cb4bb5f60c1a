import { createBlockHeader } from '@ethereumjs/block';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeHeader, encodeHeader, headerHash, headerTime } from '../../../src/protocol/codec/header.ts';
import { payloadBlockHash, payloadHeader, payloadOfBlock } from '../../../src/protocol/codec/payload-header.ts';
import { asList, rlpDecode, rlpEncode } from '../../../src/protocol/codec/rlp.ts';
import { withdrawalsRoot } from '../../../src/protocol/codec/withdrawals.ts';
import { EMPTY_REQUESTS_HASH, EMPTY_TRIE_ROOT } from '../../../src/protocol/execution/constants.ts';
import { rulesAt } from '../../../src/protocol/forks/index.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import type { Withdrawal } from '../../../src/protocol/types.ts';
import { envelopeOf } from '../payload.ts';

/** Block 8,656,414 of Goerli. */
const SHANGHAI_BLOCK = {
  parentHash: '0x72d92c1498e05952988d4e79a695928a6bcbd37239f8a1734051263b4d3504b8',
  beneficiary: '0x000095e79eac4d76aab57cb2c1f091d553b36ca0',
  stateRoot: '0xc56738518b2c7854a640ae25996d2211c9ef0dd2e4dd9e59e9d9cacef39622da',
  transactionsRoot: '0x4a87d0cf5990b1c5bac631583e5965c2ba943858bebb2e07f74d0b697f73821a',
  receiptsRoot: '0xaff90ae18dcc35924a4bddb68d403b8b7812c10c3ea2a114f34105c87d75bcdb',
  logsBloom:
    '0x020010404000001a0000021000000080001100410000100001000010040200980220400000008806200200000100000000000000000000008000000400042000000050000040000112080808800002044000040004042008800480002000000000000002020020000042002400000820000080040000000010200010020010100101212050000008000000008000001010200c80000112010000438040020400000000202400000000002002a0210402000622010000000001700144000040000000002204000000c000410105024010000808000000002004002000000261000000822200200800881000000012500400400000000000000040010000800000',
  number: 0x84161e,
  gasLimit: 0x1c9c380n,
  gasUsed: 0x18f759n,
  timestamp: 0x64110a5cn,
  extraData: '0x',
  mixHash: '0x5b53dc49cbab268ef9950b1d81b5e36a1b2f1b97aee1b7ff6e4db0e06c29a8b0',
  baseFeePerGas: 0x3fb7c357n,
  withdrawalsRoot: '0xbe712c930a0665264b025ced87cc7839eef95a3cbc26dadc93e9e185a350ad28',
} as const;

test('hash of a block of a public network', () => {
  expect(headerHash(SHANGHAI_BLOCK)).toBe('0xa16c6bcda4fdca88b5761965c4d724f7afc6a6900d9051a204e544870adb3452');
  expect(decodeHeader(encodeHeader(SHANGHAI_BLOCK))).toEqual(SHANGHAI_BLOCK);
});

test('hash of a Prague header, as another implementation computes it', () => {
  const more = {
    blobGasUsed: 77n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: SHANGHAI_BLOCK.stateRoot,
    requestsHash: EMPTY_REQUESTS_HASH,
  } as const;
  const { beneficiary, transactionsRoot, receiptsRoot, ...same } = SHANGHAI_BLOCK;
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague });
  const names = { coinbase: beneficiary, transactionsTrie: transactionsRoot, receiptTrie: receiptsRoot };
  const reference = createBlockHeader({ ...same, ...names, ...more }, { common });
  expect(headerHash({ ...SHANGHAI_BLOCK, ...more })).toBe(bytesToHex(reference.hash()));
});

test('hash of an Amsterdam header, and refusal of one with more fields', () => {
  const later = {
    ...SHANGHAI_BLOCK,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: SHANGHAI_BLOCK.stateRoot,
    requestsHash: EMPTY_REQUESTS_HASH,
    blockAccessListHash: SHANGHAI_BLOCK.receiptsRoot,
    slotNumber: 192n,
  } as const;
  const encoded = encodeHeader(later);
  expect(decodeHeader(encoded)).toEqual(later);
  expect(asList(rlpDecode(encoded), 'header')).toHaveLength(23);
  const unknown = rlpEncode([...asList(rlpDecode(encoded), 'header'), new Uint8Array(32)]);
  expect(() => decodeHeader(unknown)).toThrow('header: expected at most 23 fields, found 24');
});

const eras = [
  [1, rulesAt({}, 0)],
  [2, rulesAt({ canyon: 0 }, 0)],
  [3, rulesAt({ canyon: 0, ecotone: 0 }, 0)],
  [4, rulesAt({ canyon: 0, ecotone: 0, isthmus: 0 }, 0)],
] as const;

describe.each(eras)('block of payload version %i', (version, rules) => {
  test('has one hash as payload, header and RLP', () => {
    fc.assert(
      fc.property(envelopeOf(version), (envelope) => {
        const header = payloadHeader(envelope, rules);
        expect(decodeHeader(encodeHeader(header))).toStrictEqual(header);
        expect(headerTime(encodeHeader(header))).toBe(header.timestamp);
        const again = payloadOfBlock(header, envelope.executionPayload.transactions, rules);
        const blockHash = payloadBlockHash(envelope, rules);
        expect(again).toStrictEqual({ ...envelope, executionPayload: { ...envelope.executionPayload, blockHash } });
      }),
      { numRuns: 20 },
    );
  });

  test('is invalid with fields of another version', () => {
    const [other] = fc.sample(envelopeOf(version === 4 ? 3 : 4), 1);
    expect(() => payloadHeader(other!, rules)).toThrow(expect.objectContaining({ code: 'payload-invalid' }));
  });
});

test('header fields that the payload does not carry', () => {
  const [canyon] = fc.sample(envelopeOf(2), 1);
  expect(payloadHeader(canyon!, eras[1][1]).withdrawalsRoot).toBe(EMPTY_TRIE_ROOT);
  const [isthmus] = fc.sample(envelopeOf(4), 1);
  expect(payloadHeader(isthmus!, eras[3][1])).toMatchObject({
    withdrawalsRoot: isthmus!.executionPayload.withdrawalsRoot,
    requestsHash: EMPTY_REQUESTS_HASH,
  });
});

describe('a header of the wrong shape', () => {
  const items = asList(rlpDecode(encodeHeader(SHANGHAI_BLOCK)), 'header');
  const NAMES = {
    0: 'parentHash',
    2: 'beneficiary',
    3: 'stateRoot',
    4: 'transactionsRoot',
    5: 'receiptsRoot',
    6: 'logsBloom',
    7: 'difficulty',
    8: 'number',
    9: 'gasLimit',
    10: 'gasUsed',
    11: 'timestamp',
    12: 'extraData',
    13: 'mixHash',
    14: 'nonce',
    15: 'baseFeePerGas',
    16: 'withdrawalsRoot',
  } as const;

  const later = {
    17: 'blobGasUsed',
    18: 'excessBlobGas',
    19: 'parentBeaconBlockRoot',
    20: 'requestsHash',
    21: 'blockAccessListHash',
    22: 'slotNumber',
  } as const;
  const one = Uint8Array.of(1);

  test('has the optional fields up to its last one', () => {
    for (const count of [16, 17, 18, 19, 20, 21, 22, 23]) {
      const header = decodeHeader(rlpEncode([...items, ...Object.keys(later).map(() => one)].slice(0, count)));
      const names = Object.values(later).filter((name) => name in header);
      expect(names).toEqual(Object.values(later).slice(0, Math.max(0, count - 17)));
    }
    expect(() => decodeHeader(rlpEncode([...items, one, one, one, one, one, one, one]))).toThrow(
      expect.objectContaining({ code: 'payload-invalid', handling: 'drop', data: { field: 'header' } }),
    );
    expect(() => decodeHeader(rlpEncode(one))).toThrow('header must be a list');
  });

  test('is refused with a list in place of a field, by its name', () => {
    const all = [...items, ...Object.keys(later).map(() => one)];
    for (const [at, name] of Object.entries({ ...NAMES, ...later })) {
      const changed = rlpEncode(all.map((item, index) => (index === Number(at) ? [] : item)));
      expect(() => decodeHeader(changed), name).toThrow(`${name} must be a byte string`);
    }
  });

  test('is invalid from before the merge, and without a base fee', () => {
    const invalid = expect.objectContaining({
      code: 'payload-invalid',
      handling: 'drop',
      data: { field: 'difficulty' },
    });
    const mined = items.map((item, index) => (index === 7 ? Uint8Array.of(1) : item));
    expect(() => decodeHeader(rlpEncode(mined))).toThrow(invalid);
    expect(() => decodeHeader(rlpEncode(items.slice(0, 15)))).toThrow(invalid);
    expect(decodeHeader(rlpEncode(items.slice(0, 16))).withdrawalsRoot).toBeUndefined();
  });

  test('is refused with numbers of more than 64 bits', () => {
    for (const at of [9, 10, 11]) {
      const withNumber = (size: number) =>
        rlpEncode(items.map((item, index) => (index === at ? new Uint8Array(size).fill(1) : item)));
      expect(() => decodeHeader(withNumber(8))).not.toThrow();
      expect(() => decodeHeader(withNumber(9))).toThrow('at most 8 bytes');
    }
  });

  test('keeps a nonce that is not zero', () => {
    const nonce = '0x0000000000000042';
    const encoded = encodeHeader({ ...SHANGHAI_BLOCK, nonce });
    expect(decodeHeader(encoded)).toEqual({ ...SHANGHAI_BLOCK, nonce });
    expect(decodeHeader(encodeHeader(SHANGHAI_BLOCK))).not.toHaveProperty('nonce');
    expect(headerTime(encoded)).toBe(SHANGHAI_BLOCK.timestamp);
  });
});

describe('fields of a payload', () => {
  const EMPTY = `0x${'00'.repeat(32)}` as const;
  const schedules = { bedrock: {}, canyon: { canyon: 0 }, ecotone: { canyon: 0, ecotone: 0 }, isthmus: {} } as const;
  const rulesOf = (name: keyof typeof schedules) =>
    rulesAt(name === 'isthmus' ? { canyon: 0, ecotone: 0, isthmus: 0 } : schedules[name], 0);
  const optional = {
    withdrawals: [],
    withdrawalsRoot: EMPTY,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: EMPTY,
  } as const;
  type Field = keyof typeof optional;
  const present: Readonly<Record<keyof typeof schedules, readonly Field[]>> = {
    bedrock: [],
    canyon: ['withdrawals'],
    ecotone: ['withdrawals', 'blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot'],
    isthmus: ['withdrawals', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot'],
  };
  const header = { ...SHANGHAI_BLOCK, withdrawalsRoot: undefined };
  const bare = () => payloadOfBlock(header as never, [], rulesOf('bedrock')).executionPayload;
  const envelopeWith = (fields: readonly Field[]) => {
    const { parentBeaconBlockRoot, ...rest } = Object.fromEntries(fields.map((name) => [name, optional[name]]));
    return {
      executionPayload: { ...bare(), ...rest },
      ...(parentBeaconBlockRoot && { parentBeaconBlockRoot }),
    } as never;
  };

  test.each(Object.entries(present) as [keyof typeof schedules, readonly Field[]][])(
    '%s: exactly %j of the optional ones, each refused by its name',
    (fork, fields) => {
      const rules = rulesOf(fork);
      const made = payloadHeader(envelopeWith(fields), rules);
      expect('blobGasUsed' in made && 'excessBlobGas' in made && 'parentBeaconBlockRoot' in made).toBe(
        fields.includes('blobGasUsed'),
      );
      expect(made.withdrawalsRoot).toBe(fork === 'bedrock' ? undefined : fork === 'isthmus' ? EMPTY : EMPTY_TRIE_ROOT);
      for (const field of Object.keys(optional) as Field[]) {
        const other = fields.includes(field) ? fields.filter((name) => name !== field) : [...fields, field];
        expect(() => payloadHeader(envelopeWith(other), rules)).toThrow(
          expect.objectContaining({ code: 'payload-invalid', handling: 'drop', data: { field } }),
        );
      }
    },
  );

  test('have the root of their withdrawals in the header where the rules ask for that of the list', () => {
    const rules = rulesOf('canyon');
    const ofList = { header: { ...rules.header, withdrawalsRoot: 'list' } } as const;
    const withdrawal = { index: 1n, validatorIndex: 2n, address: `0x${'ab'.repeat(20)}`, amount: 3n } as const;
    const rootOf = (...withdrawals: readonly Withdrawal[]) =>
      payloadHeader({ executionPayload: { ...bare(), withdrawals } }, ofList).withdrawalsRoot;
    expect([rootOf(), rootOf(withdrawal)]).toEqual([EMPTY_TRIE_ROOT, withdrawalsRoot([withdrawal])]);
    expect(rootOf(withdrawal)).not.toBe(EMPTY_TRIE_ROOT);
  });

  test('leave out what their header lacks', () => {
    const { withdrawalsRoot: _, ...without } = SHANGHAI_BLOCK;
    const { executionPayload, ...beside } = payloadOfBlock(without, [], rulesOf('isthmus'));
    expect(Object.keys(executionPayload).filter((key) => key in optional)).toEqual(['withdrawals']);
    expect(beside).toStrictEqual({});
    const withRoot = payloadOfBlock({ ...without, withdrawalsRoot: EMPTY }, [], rulesOf('isthmus'));
    expect(withRoot.executionPayload.withdrawalsRoot).toBe(EMPTY);
    const before = payloadOfBlock({ ...without, withdrawalsRoot: EMPTY }, [], rulesOf('canyon'));
    expect(before.executionPayload).not.toHaveProperty('withdrawalsRoot');
  });
});
