import { getContractAddress } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { StateReader } from '../../../../src/nodes/execution/state/reader.ts';
import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { type DepositFields, deposit } from '../support/driver.ts';
import { type Alloc, CHAIN_ID, GAS_LIMIT, REVERTER } from '../support/genesis.ts';
import { stateOf } from '../support/memory-state.ts';
import { openBlock } from '../support/open-block.ts';

beforeAll(prepareCrypto);

const FROM: Hex = '0x00000000000000000000000000000000000000aa';
const RICH = ACCOUNTS[0]!;
const MAX_WORD = 2n ** 256n - 1n;
/** Init code that deploys nothing, that reverts, and that runs an invalid opcode. */
const EMPTY_INIT: Hex = '0x';
const REVERTING_INIT: Hex = '0x60006000fd';
const INVALID_INIT: Hex = '0xfe';

const ALLOC: Alloc = {
  [RICH.address]: { balance: '0x3635c9adc5dea00000' },
  [FROM]: { balance: '0x5', nonce: '0x7' },
  [REVERTER]: { code: REVERTING_INIT },
};

/** Runs transactions as one block under a fork. */
async function block(fork: ForkName, transactions: readonly Hex[], gasLimit = GAS_LIMIT) {
  const { reader } = stateOf(ALLOC);
  const executor = await openBlock(fork, reader, { gasLimit, baseFee: 10n ** 9n });
  for (const raw of transactions) await executor.run(hexToBytes(raw));
  const executed = await executor.seal();
  const account = (address: Hex) => executor.account(hexToBytes(address));
  return { executed, receipts: executed.receipts, account };
}

async function one(fork: ForkName, fields: DepositFields) {
  const { receipts, account } = await block(fork, [deposit({ from: FROM, ...fields })]);
  return { receipt: receipts[0]!, sender: account(FROM) };
}

describe('address of a contract creation in the receipt', () => {
  const metered: ForkName[] = ['regolith', 'canyon', 'ecotone', 'isthmus', 'jovian', 'karst'];
  const outcomes: [string, DepositFields, boolean][] = [
    ['succeeds', { data: EMPTY_INIT }, true],
    ['reverts', { data: REVERTING_INIT }, false],
    ['runs out of gas', { data: INVALID_INIT }, false],
    ['has not the intrinsic gas', { gas: 20_000 }, false],
    ['has not the value', { value: 10n ** 18n }, false],
  ];

  for (const fork of metered)
    test.each(outcomes)(
      `a deposit that %s under ${fork} names the address of its sender’s nonce`,
      async (_, fields, status) => {
        const { receipt } = await one(fork, { to: null, ...fields });
        expect(receipt.status).toBe(status);
        expect(receipt.depositNonce).toBe(7n);
        expect(receipt.contractAddress).toBe(getContractAddress({ from: FROM, nonce: 7n }).toLowerCase());
      },
    );

  test.each(outcomes)(
    'a deposit that %s under bedrock names the address of nonce 0, as its receipt has no nonce',
    async (_, fields) => {
      const { receipt } = await one('bedrock', { to: null, ...fields });
      expect(receipt.depositNonce).toBeUndefined();
      expect(receipt.contractAddress).toBe(getContractAddress({ from: FROM, nonce: 0n }).toLowerCase());
    },
  );

  test('a signed creation that fails names its address as well', async () => {
    const raw = await RICH.signTransaction({
      chainId: CHAIN_ID,
      type: 'eip1559',
      nonce: 0,
      gas: 100_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 0n,
      data: REVERTING_INIT,
    });
    const { receipts } = await block('isthmus', [raw]);
    expect(receipts[0]).toMatchObject({
      status: false,
      contractAddress: getContractAddress({ from: RICH.address, nonce: 0n }).toLowerCase(),
    });
  });

  test('a call that fails names no contract address', async () => {
    const { receipt } = await one('isthmus', { to: REVERTER });
    expect(receipt).toMatchObject({ status: false, contractAddress: null });
  });
});

describe('gas of deposits', () => {
  test.each<[ForkName, string, DepositFields & { isSystemTransaction?: boolean }, number]>([
    ['bedrock', 'a user deposit uses its whole gas', { to: RICH.address, gas: 50_000 }, 50_000],
    ['bedrock', 'a user deposit that fails uses its whole gas', { to: RICH.address, gas: 20_000 }, 20_000],
    ['bedrock', 'a system deposit uses none', { to: RICH.address, gas: 50_000, isSystemTransaction: true }, 0],
    [
      'bedrock',
      'a system deposit that fails uses none',
      { to: RICH.address, gas: 20_000, isSystemTransaction: true },
      0,
    ],
    ['regolith', 'a user deposit uses what it spends', { to: RICH.address, gas: 50_000 }, 21_000],
    ['regolith', 'a deposit that reverts uses what it spent', { to: REVERTER, gas: 50_000 }, 21_006],
    ['regolith', 'a deposit that runs out of gas uses its whole gas', { to: null, data: INVALID_INIT }, 1_000_000],
    ['regolith', 'a deposit of its whole balance uses what it spends', { to: RICH.address, value: 5n }, 21_000],
    ['regolith', 'a deposit that has not its value uses its whole gas', { to: RICH.address, value: 6n }, 1_000_000],
    ['regolith', 'a user deposit that cannot run uses its whole gas', { to: RICH.address, gas: 20_000 }, 20_000],
    [
      'regolith',
      'a system deposit fails and uses its whole gas',
      { to: RICH.address, gas: 50_000, isSystemTransaction: true },
      50_000,
    ],
    ['granite', 'calldata has no floor', { to: RICH.address, gas: 50_000, data: `0x${'11'.repeat(100)}` }, 22_600],
    [
      'isthmus',
      'calldata has a floor (EIP-7623)',
      { to: RICH.address, gas: 50_000, data: `0x${'11'.repeat(100)}` },
      25_000,
    ],
    [
      'isthmus',
      'less gas than the floor fails',
      { to: RICH.address, gas: 24_999, data: `0x${'11'.repeat(100)}` },
      24_999,
    ],
    ['karst', 'the cap of a transaction’s gas does not hold for deposits', { to: REVERTER, gas: 20_000_000 }, 21_006],
  ])('%s: %s', async (fork, _, fields, gasUsed) => {
    const { receipt } = await one(fork, fields);
    expect(receipt.gasUsed).toBe(BigInt(gasUsed));
  });

  test.each<[string, DepositFields]>([
    ['reverts', { to: REVERTER }],
    ['has not the intrinsic gas', { to: RICH.address, gas: 0 }],
    ['has not the value', { to: RICH.address, value: MAX_WORD }],
    ['mints 2^256 - 1 wei', { to: RICH.address, mint: MAX_WORD }],
    ['creates what reverts', { to: null, data: REVERTING_INIT }],
    ['is a system transaction', { to: RICH.address, isSystemTransaction: true }],
    ['has the whole gas of the block', { to: RICH.address, gas: GAS_LIMIT }],
  ])('a deposit that %s leaves the block valid', async (_, fields) => {
    for (const fork of ['bedrock', 'regolith', 'isthmus', 'karst'] as const)
      expect((await block(fork, [deposit({ from: FROM, ...fields })])).receipts).toHaveLength(1);
  });

  test.each<[ForkName, boolean]>([
    ['bedrock', true],
    ['regolith', false],
  ])('under %s a system deposit needs none of the block’s gas: %s', async (fork, isValid) => {
    const system = deposit({ from: FROM, to: RICH.address, gas: 50_001, isSystemTransaction: true });
    const run = block(fork, [system], 50_000);
    if (isValid) expect((await run).receipts).toHaveLength(1);
    else await expect(run).rejects.toThrow('gas limit reached');
  });

  test('only a lack of block gas makes the block invalid', async () => {
    const gas = (...each: number[]) => each.map((amount) => deposit({ from: FROM, to: RICH.address, gas: amount }));
    expect((await block('isthmus', gas(50_000), 50_000)).receipts).toHaveLength(1);
    await expect(block('isthmus', gas(50_001), 50_000)).rejects.toThrow('have 50000, want 50001');
    await expect(block('isthmus', gas(30_000, 29_001), 50_000)).rejects.toThrow('have 29000, want 29001');
  });

  test('a deposit over the block’s gas makes the block invalid', async () => {
    await expect(block('isthmus', [deposit({ from: FROM, to: RICH.address, gas: 60_000 })], 50_000)).rejects.toThrow(
      'gas limit reached',
    );
  });
});

describe('what a deposit leaves behind', () => {
  test.each<[string, DepositFields, bigint, boolean]>([
    ['runs', { to: RICH.address, mint: 10n, value: 3n }, 12n, true],
    ['reverts', { to: REVERTER, mint: 10n, value: 3n }, 15n, false],
    ['cannot run', { to: RICH.address, mint: 10n, value: 3n, gas: 100 }, 15n, false],
    ['has not the value', { to: RICH.address, mint: 10n, value: 16n }, 15n, false],
  ])('a deposit that %s keeps its mint and raises the nonce once', async (_, fields, balance, status) => {
    const { receipt, sender } = await one('jovian', fields);
    expect(receipt.status).toBe(status);
    expect(sender).toMatchObject({ balance, nonce: 8n });
  });

  test('a deposit of a sender without an account has nonce 0, and leaves one with nonce 1', async () => {
    const from: Hex = '0x00000000000000000000000000000000000000bb';
    const { receipts, account } = await block('jovian', [deposit({ from, to: RICH.address })]);
    expect(receipts[0]).toMatchObject({ status: true, depositNonce: 0n });
    expect(account(from)).toMatchObject({ balance: 0n, nonce: 1n });
  });

  test('an error of the state is none of the deposit', async () => {
    const { source, reader } = stateOf(ALLOC);
    const broken = {
      root: (hash: Uint8Array) => source.root(hash),
      node: (node: Parameters<typeof source.node>[0]) => source.node(node),
      code: () => {
        throw new Error('no code');
      },
    };
    const executor = await openBlock('jovian', new StateReader(broken, reader.root));
    await expect(executor.run(hexToBytes(deposit({ from: FROM, to: REVERTER })))).rejects.toThrow('no code');
  });

  test('a mint beyond 256 bits wraps, as the reference client’s arithmetic does, and breaks nothing', async () => {
    const { sender } = await one('jovian', { to: RICH.address, mint: MAX_WORD });
    expect(sender).toMatchObject({ balance: 4n, nonce: 8n });
  });

  test('a deposit pays no fees: no fee vault is created', async () => {
    const { account } = await block('jovian', [deposit({ from: FROM, to: RICH.address })]);
    for (const vault of [
      PREDEPLOYS.sequencerFeeVault,
      PREDEPLOYS.baseFeeVault,
      PREDEPLOYS.l1FeeVault,
      PREDEPLOYS.operatorFeeVault,
    ])
      expect(account(vault)).toBeUndefined();
  });
});
