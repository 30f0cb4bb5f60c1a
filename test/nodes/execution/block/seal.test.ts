import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { requestsHash } from '../../../../src/nodes/execution/block/requests-hash.ts';
import { sealedHeader, withdrawalsRootIn } from '../../../../src/nodes/execution/block/seal.ts';
import { commitState } from '../../../../src/nodes/execution/state/commit.ts';
import { StateJournal } from '../../../../src/nodes/execution/state/state-journal.ts';
import { u256be } from '../../../../src/protocol/bytes.ts';
import { withdrawalsRoot } from '../../../../src/protocol/codec/withdrawals.ts';
import { EMPTY_TRIE_ROOT } from '../../../../src/protocol/execution/constants.ts';
import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { ethereumRulesAt } from '../../../../src/protocol/forks/ethereum.ts';
import { rulesAt } from '../../../../src/protocol/forks/index.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import { runToCompletion } from '../../../../src/protocol/resumable.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { upTo } from '../../../protocol/genesis/inputs.ts';
import { stateOf } from '../support/memory-state.ts';
import { addressOf, hashOf } from '../views/sample-block.ts';

const rollup = (fork: Parameters<typeof upTo>[0]) => rulesAt(upTo(fork), 10n);
const EMPTY_SHA256: Hex = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const REQUESTS = [Uint8Array.of(0, 7), Uint8Array.of(1), Uint8Array.of(2, 8, 9)];
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

const ENVIRONMENT = {
  parentHash: hashOf(1),
  feeRecipient: addressOf(2),
  number: 7,
  gasLimit: 100n,
  timestamp: 10n,
  extraData: '0x03' as Hex,
  prevRandao: hashOf(4),
  baseFee: 5n,
  parentBeaconBlockRoot: hashOf(6),
  excessBlobGas: 8n,
};
const OUTCOME = {
  stateRoot: hashOf(11),
  transactionsRoot: hashOf(12),
  receiptsRoot: hashOf(13),
  logsBloom: '0x0e' as Hex,
  gasUsed: 15n,
  blobGas: 16n,
  withdrawalsRoot: hashOf(17),
  requests: REQUESTS,
};
const COMMON = {
  parentHash: hashOf(1),
  beneficiary: addressOf(2),
  number: 7,
  gasLimit: 100n,
  timestamp: 10n,
  extraData: '0x03',
  mixHash: hashOf(4),
  baseFeePerGas: 5n,
  stateRoot: hashOf(11),
  transactionsRoot: hashOf(12),
  receiptsRoot: hashOf(13),
  logsBloom: '0x0e',
  gasUsed: 15n,
};
const BEACON = { withdrawalsRoot: hashOf(17), blobGasUsed: 16n, excessBlobGas: 0n, parentBeaconBlockRoot: hashOf(6) };
const HASH_OF_TWO = bytesToHex(sha256(Buffer.concat([sha256(REQUESTS[0]!), sha256(REQUESTS[2]!)])));

describe('the header of an executed block', () => {
  it.each([
    ['regolith', rollup('regolith'), { ...OUTCOME, withdrawalsRoot: undefined }, COMMON],
    ['canyon', rollup('canyon'), OUTCOME, { ...COMMON, withdrawalsRoot: hashOf(17) }],
    ['ecotone', rollup('ecotone'), OUTCOME, { ...COMMON, ...BEACON }],
    ['isthmus', rollup('isthmus'), OUTCOME, { ...COMMON, ...BEACON, requestsHash: EMPTY_SHA256 }],
    [
      'cancun on plain Ethereum',
      ethereumRulesAt({ shanghai: 0, cancun: 0 }, 10n),
      OUTCOME,
      { ...COMMON, ...BEACON, excessBlobGas: 8n },
    ],
    [
      'prague on plain Ethereum',
      ethereumRulesAt({ shanghai: 0, cancun: 0, prague: 0 }, 10n),
      OUTCOME,
      { ...COMMON, ...BEACON, excessBlobGas: 8n, requestsHash: HASH_OF_TWO },
    ],
  ])('has under %s exactly its fields', (_, rules, outcome, expected) => {
    expect(sealedHeader(rules, ENVIRONMENT, outcome)).toStrictEqual(expected);
  });

  it('has no blob fields without a beacon root, and no excess of blob gas that its environment lacks', () => {
    const { parentBeaconBlockRoot: _, ...rootless } = ENVIRONMENT;
    expect(sealedHeader(rollup('ecotone'), rootless, OUTCOME)).toStrictEqual({
      ...COMMON,
      withdrawalsRoot: hashOf(17),
    });
    const { excessBlobGas: __, ...first } = ENVIRONMENT;
    expect(sealedHeader(ethereumRulesAt({ shanghai: 0, cancun: 0 }, 10n), first, OUTCOME)).toMatchObject({
      excessBlobGas: 0n,
    });
  });
});

describe('the hash of requests', () => {
  it.each<[string, readonly Uint8Array[], Hex]>([
    ['none', [], EMPTY_SHA256],
    ['one without data', [Uint8Array.of(1)], EMPTY_SHA256],
    ['three, of which one has no data', REQUESTS, HASH_OF_TWO],
  ])('is that of EIP-7685 for %s', (_, requests, expected) => {
    expect(requestsHash(requests)).toBe(expected);
  });
});

describe('the withdrawalsRoot of a block', () => {
  const passer = PREDEPLOYS.l2ToL1MessagePasser;
  const slot = bytesToHex(u256be(1));
  const withdrawals = [{ index: 1n, validatorIndex: 2n, address: addressOf(9), amount: 3n }];

  function rootUnder(rules: ReturnType<typeof rollup>, alloc: Parameters<typeof stateOf>[0], written?: Uint8Array) {
    const { reader } = stateOf(alloc);
    const journal = new StateJournal(reader);
    if (written !== undefined) journal.setWord(hexToBytes(passer), u256be(2), written);
    const diff = runToCompletion(commitState(reader, journal.changes()));
    return { root: withdrawalsRootIn(rules, reader, diff, withdrawals), reader, diff };
  }

  it('is absent before canyon, that of no withdrawals until isthmus, and of the list on plain Ethereum', () => {
    expect(rootUnder(rollup('regolith'), {}).root).toBeUndefined();
    expect(rootUnder(rollup('canyon'), {}).root).toBe(EMPTY_TRIE_ROOT);
    expect(rootUnder(ethereumRulesAt({ shanghai: 0 }, 10n), {}).root).toBe(withdrawalsRoot(withdrawals));
  });

  it('is from isthmus on the storage root of the message passer, after the block or as it was', () => {
    const alloc = { [passer]: { nonce: '1', storage: { [slot]: '0x07' } } };
    const unchanged = rootUnder(rollup('isthmus'), alloc);
    expect(unchanged.root).toBe(bytesToHex(unchanged.reader.account(hexToBytes(passer))!.storageRoot));
    const changed = rootUnder(rollup('isthmus'), alloc, u256be(9));
    expect([...changed.diff.storageRoots.values()].map(bytesToHex)).toEqual([changed.root]);
    expect(changed.root).not.toBe(unchanged.root);
    expect(rootUnder(rollup('isthmus'), {}).root).toBe(EMPTY_TRIE_ROOT);
  });
});
