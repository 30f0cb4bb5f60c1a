import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import * as constants from '../../../src/protocol/execution/constants.ts';
import { CREATE2_DEPLOYER } from '../../../src/protocol/execution/create2-deployer.ts';
import * as predeploys from '../../../src/protocol/execution/predeploys.ts';
import { keccak256 } from '../../../src/protocol/hash.ts';

test('the hashes of what is empty are those of their definitions', () => {
  // An empty trie is the RLP of an empty text, a list without ommers the RLP of an empty list.
  expect(constants.EMPTY_TRIE_ROOT).toBe(keccak256('0x80'));
  expect(constants.EMPTY_OMMERS_HASH).toBe(keccak256('0xc0'));
  expect(constants.EMPTY_CODE_HASH).toBe(keccak256('0x'));
  expect(constants.EMPTY_REQUESTS_HASH).toBe(`0x${createHash('sha256').digest('hex')}`);
  expect([constants.ZERO_HASH, constants.ZERO_ADDRESS]).toEqual([`0x${'0'.repeat(64)}`, `0x${'0'.repeat(40)}`]);
});

test('Create2Deployer has the address and code hash of the specification (canyon)', () => {
  expect(CREATE2_DEPLOYER.address).toBe('0x13b0d85ccb8bf860b6b79af3029fca081ae9bef2');
  expect(keccak256(CREATE2_DEPLOYER.code)).toBe('0xb0550b5b431e30d38000efb7107aaa0ade03d48a7198a140edda9d27134468b2');
});

test('predeploys are below 0x42…, each at its byte of the specification', () => {
  const bytes = Object.fromEntries(
    Object.entries(predeploys.PREDEPLOYS).map(([name, address]) => {
      expect(address).toMatch(/^0x42(00){18}[0-9a-f]{2}$/);
      return [name, Number.parseInt(address.slice(-2), 16)];
    }),
  );
  expect(bytes).toMatchObject({
    ...{ legacyMessagePasser: 0x00, deployerWhitelist: 0x02, weth: 0x06, l2CrossDomainMessenger: 0x07 },
    ...{ gasPriceOracle: 0x0f, l2StandardBridge: 0x10, sequencerFeeVault: 0x11, optimismMintableErc20Factory: 0x12 },
    ...{ l1BlockNumber: 0x13, l2Erc721Bridge: 0x14, l1Block: 0x15, l2ToL1MessagePasser: 0x16 },
    ...{ optimismMintableErc721Factory: 0x17, proxyAdmin: 0x18, baseFeeVault: 0x19, l1FeeVault: 0x1a },
    ...{ operatorFeeVault: 0x1b, schemaRegistry: 0x20, eas: 0x21, governanceToken: 0x42 },
  });
  expect(Object.keys(bytes)).toHaveLength(20);
});

test('fees go to their vaults, and system contracts are at the addresses of their EIPs', () => {
  const vault = (byte: string) => `0x42${'00'.repeat(18)}${byte}`;
  expect(predeploys.FEE_RECIPIENTS).toEqual({
    ...{ priority: vault('11'), base: vault('19') },
    ...{ l1: vault('1a'), operator: vault('1b') },
  });
  expect(predeploys.L1_ATTRIBUTES_DEPOSITOR).toBe('0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001');
  expect(predeploys.BEACON_ROOTS_ADDRESS).toBe('0x000f3df6d732807ef1319fb7b8bb8522d0beac02');
  expect(predeploys.HISTORY_STORAGE_ADDRESS).toBe('0x0000f90827f1c53a10cb7a02335b175320002935');
});

test('the slots of L1Block are those of its storage layout', () => {
  expect(Object.entries(predeploys.L1_BLOCK_SLOTS).toSorted(([, a], [, b]) => a - b)).toEqual([
    ...[
      ['numberAndTimestamp', 0],
      ['baseFee', 1],
      ['hash', 2],
      ['sequenceNumberAndScalars', 3],
    ],
    ...[
      ['batcherHash', 4],
      ['l1FeeOverhead', 5],
      ['l1FeeScalar', 6],
      ['blobBaseFee', 7],
      ['operatorFee', 8],
    ],
  ]);
});
