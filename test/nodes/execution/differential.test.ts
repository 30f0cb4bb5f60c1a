import { createBlock } from '@ethereumjs/block';
import { Common, Mainnet } from '@ethereumjs/common';
import { createMPT } from '@ethereumjs/mpt';
import { MerkleStateManager } from '@ethereumjs/statemanager';
import { createTxFromRLP } from '@ethereumjs/tx';
import { Account, Address, hexToBytes, bytesToHex as toHex } from '@ethereumjs/util';
import { createVM, runTx } from '@ethereumjs/vm';
import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { TransactionInvalid } from '../../../src/nodes/execution/block/errors.ts';
import { applyTransaction } from '../../../src/nodes/execution/block/transition.ts';
import { genesisState } from '../../../src/nodes/execution/chain/genesis.ts';
import { prepareCrypto } from '../../../src/nodes/execution/evm/crypto.ts';
import { createMachine } from '../../../src/nodes/execution/evm/machine.ts';
import { commitState } from '../../../src/nodes/execution/state/commit.ts';
import { JournaledState } from '../../../src/nodes/execution/state/journaled.ts';
import { StateReader } from '../../../src/nodes/execution/state/reader.ts';
import { decodeTransaction } from '../../../src/nodes/execution/transaction/transaction.ts';
import { decodeNode, type Node } from '../../../src/nodes/execution/trie/node.ts';
import { rulesAt } from '../../../src/protocol/forks/index.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import type { EvmLevel } from '../../../src/protocol/parts/rules.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { type Alloc, CHAIN_ID, GENESIS_TIME, upTo } from './support/genesis.ts';

const KEYS = [1, 2, 3].map((key) => privateKeyToAccount(`0x${key.toString(16).padStart(64, '0')}`));
const COINBASE: Hex = '0x4200000000000000000000000000000000000011';
const CONTRACTS: Record<Hex, Hex> = {
  // Stores, clears and reads slots, so that refunds arise: sstore(0, cd0) sstore(1, cd1) sload(0)
  '0x00000000000000000000000000000000000000c1': '0x600035600055602035600155600054600052602060006000a060206000f3',
  // Creates a child by CREATE2 with calldata as init code, then calls it.
  '0x00000000000000000000000000000000000000c2':
    '0x3660006000373660006000f56000526000600060006000600060005161fffff160005260206000f3',
  // Self-destructs to the caller.
  '0x00000000000000000000000000000000000000c3': '0x33ff',
  // Reverts after a store and a log.
  '0x00000000000000000000000000000000000000c4': '0x600160005560006000a0600160005260206000fd',
  // Transient storage, then delegatecall to c1 with the calldata.
  '0x00000000000000000000000000000000000000c5':
    '0x60015f5d5f5c5f553660006000376000600036600073000000000000000000000000000000000000000000c15af4',
  // Runs out of gas.
  '0x00000000000000000000000000000000000000c6': '0x5b600056',
  // Hashes, extcodehash, balance, blockhash, basefee and coinbase.
  '0x00000000000000000000000000000000000000c7': '0x48600055413160015533316002554060035560206000206004553f600555',
};
const TARGETS = [
  ...(Object.keys(CONTRACTS) as Hex[]),
  KEYS[1]!.address,
  '0x00000000000000000000000000000000000000fe' as Hex,
  '0x0000000000000000000000000000000000000002' as Hex,
];
const INIT = [
  '0x',
  '0x600a600c600039600a6000f3600160005500',
  '0xfe',
  '0x60016000f3',
  '0x33ff',
  '0x6001600055',
] as Hex[];

const wordArb = fc.constantFrom(0n, 1n, 2n, 2n ** 255n);
const callData = fc
  .tuple(wordArb, wordArb)
  .map(([a, b]) => `0x${a.toString(16).padStart(64, '0')}${b.toString(16).padStart(64, '0')}` as Hex);
const random = fc.record({
  type: fc.constantFrom('legacy', 'eip2930', 'eip1559', 'eip7702'),
  signer: fc.nat(2),
  target: fc.option(fc.constantFrom(...TARGETS), { freq: 5, nil: undefined }),
  value: fc.constantFrom(0n, 1n, 10n ** 15n),
  gas: fc.constantFrom(21_000n, 60_000n, 120_000n, 1_000_000n),
  data: fc.oneof(callData, fc.constantFrom<Hex>(...INIT), fc.constant<Hex>(`0x${'11'.repeat(600)}`)),
  tip: fc.constantFrom(0n, 1n, 10n ** 9n),
  listed: fc.boolean(),
  delegate: fc.constantFrom<Hex>(
    '0x00000000000000000000000000000000000000c1',
    '0x0000000000000000000000000000000000000000',
    '0x00000000000000000000000000000000000000c5',
  ),
  authority: fc.nat(2),
  authNonceOff: fc.constantFrom(0, 0, 0, 1),
});
type Shape = typeof random extends fc.Arbitrary<infer T> ? T : never;

class Memory {
  readonly nodes = new Map<string, Uint8Array>();
  readonly codes = new Map<string, Uint8Array>();
  node(hash: Uint8Array): Node {
    return decodeNode(this.nodes.get(bytesToHex(hash))!, hash);
  }
  code(hash: Uint8Array): Uint8Array {
    return this.codes.get(bytesToHex(hash))!;
  }
}

async function sign(shape: Shape, nonce: number, nonces: number[]): Promise<Hex> {
  const account = KEYS[shape.signer]!;
  const base = {
    chainId: CHAIN_ID,
    nonce,
    gas: shape.gas,
    value: shape.value,
    data: shape.data,
    ...(shape.target === undefined ? {} : { to: shape.target }),
  };
  const accessList = shape.listed ? [{ address: TARGETS[0]!, storageKeys: [`0x${'00'.repeat(32)}` as Hex] }] : [];
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: shape.tip };
  switch (shape.type) {
    case 'legacy':
      return account.signTransaction({ ...base, type: 'legacy', gasPrice: 2n * 10n ** 9n });
    case 'eip2930':
      return account.signTransaction({ ...base, type: 'eip2930', gasPrice: 10n ** 9n + shape.tip, accessList });
    case 'eip7702': {
      if (shape.target !== undefined) {
        const authority = KEYS[shape.authority]!;
        const nonceOf = nonces[shape.authority]! + (shape.authority === shape.signer ? 1 : 0) + shape.authNonceOff;
        const authorization = await authority.signAuthorization({
          chainId: CHAIN_ID,
          contractAddress: shape.delegate,
          nonce: nonceOf,
        });
        return account.signTransaction({
          ...base,
          to: shape.target,
          type: 'eip7702',
          ...fees,
          accessList,
          authorizationList: [authorization],
        });
      }
      return account.signTransaction({ ...base, type: 'eip1559', ...fees, accessList });
    }
    default:
      return account.signTransaction({ ...base, type: 'eip1559', ...fees, accessList });
  }
}

/** What both sides must agree on after one transaction. */
interface Outcome {
  readonly refused: boolean;
  readonly gasUsed?: bigint;
  readonly status?: boolean;
  readonly logs?: readonly unknown[];
  readonly created?: string | undefined;
}

async function compare(level: EvmLevel, fork: 'granite' | 'isthmus', shapes: readonly Shape[]): Promise<void> {
  await prepareCrypto();
  const alloc = {
    ...Object.fromEntries(KEYS.map(({ address }) => [address.toLowerCase(), { balance: '0x3635c9adc5dea00000' }])),
    ...Object.fromEntries(
      Object.entries(CONTRACTS).map(([address, code]) => [
        address,
        { code, nonce: '0x1', balance: '0x10', storage: { '0x01': '0x05' } },
      ]),
    ),
  };
  const memory = new Memory();
  const genesis = genesisState(alloc);
  for (const { hash, rlp } of genesis.nodes) memory.nodes.set(bytesToHex(hash), rlp);
  for (const { hash, code } of genesis.codes) memory.codes.set(bytesToHex(hash), code);

  const common = new Common({ chain: { ...Mainnet, chainId: CHAIN_ID }, hardfork: level });
  const stateManager = new MerkleStateManager({ trie: await createMPT({ useKeyHashing: true, common }), common });
  for (const [address, { balance, nonce, code, storage }] of Object.entries(alloc as Alloc) as [Hex, Alloc[string]][]) {
    const key = new Address(hexToBytes(address));
    await stateManager.putAccount(key, new Account(BigInt(nonce ?? 0), BigInt(balance ?? 0)));
    if (code !== undefined) await stateManager.putCode(key, hexToBytes(code as Hex));
    for (const [slot, value] of Object.entries(storage ?? {}))
      await stateManager.putStorage(key, hexToBytes(`0x${slot.slice(2).padStart(64, '0')}`), hexToBytes(value as Hex));
  }
  expect(toHex(await stateManager.getStateRoot())).toBe(bytesToHex(genesis.root));
  const vm = await createVM({ common, stateManager });
  const header = {
    number: 10,
    timestamp: GENESIS_TIME,
    gasLimit: 30_000_000,
    baseFeePerGas: 10n ** 9n,
    coinbase: COINBASE,
    mixHash: `0x${'11'.repeat(32)}`,
    difficulty: 0,
  };
  const block = createBlock({ header } as never, { common, skipConsensusFormatValidation: true, setHardfork: false });

  const state = new JournaledState(new StateReader(memory, genesis.root));
  const machine = createMachine(CHAIN_ID, rulesAt(upTo(fork), GENESIS_TIME), state, {
    number: 10,
    timestamp: GENESIS_TIME,
    coinbase: COINBASE,
    prevRandao: `0x${'11'.repeat(32)}`,
    gasLimit: 30_000_000,
    baseFee: 10n ** 9n,
    blockHash: () => undefined,
  });
  const nonces = [0, 0, 0];
  let baseFees = 0n;
  for (const shape of shapes) {
    const fixed = level === 'prague' || shape.type !== 'eip7702' ? shape : { ...shape, type: 'eip1559' as const };
    const raw = await sign(fixed, nonces[fixed.signer]!, nonces);
    const ours = await run(async () => {
      const result = await applyTransaction(
        machine,
        decodeTransaction(hexToBytes(raw)),
        { l1Fee: 0n, operatorFee: null },
        30_000_000n,
      );
      return {
        refused: false,
        gasUsed: result.gasUsed,
        status: result.success,
        logs: result.logs.map(logView),
        created: result.createdAddress && toHex(result.createdAddress),
      };
    });
    const theirs = await run(async () => {
      const result = await runTx(vm, {
        tx: createTxFromRLP(hexToBytes(raw), { common, freeze: false }),
        block,
        skipHardForkValidation: true,
        blockGasUsed: 0n,
      });
      return {
        refused: false,
        gasUsed: result.totalGasSpent,
        status: result.execResult.exceptionError === undefined,
        logs: (result.execResult.logs ?? []).map(logView),
        created: result.createdAddress?.toString(),
      };
    });
    expect(
      ours,
      JSON.stringify(fixed, (_, value) => (typeof value === 'bigint' ? String(value) : value)).slice(0, 400),
    ).toEqual(theirs);
    if (!ours.refused) baseFees += ours.gasUsed! * 10n ** 9n;
    for (const [index, { address }] of KEYS.entries())
      nonces[index] = Number(state.account(hexToBytes(address))?.nonce ?? 0n);
  }
  // The rollup keeps the base fee, Ethereum burns it: give it to the reference too, then the states must be the same.
  const vault = new Address(hexToBytes('0x4200000000000000000000000000000000000019'));
  if (baseFees > 0n) await stateManager.putAccount(vault, new Account(0n, baseFees));
  const diff = commitState(state.reader, state.changes());
  expect(bytesToHex(diff.root)).toBe(toHex(await stateManager.getStateRoot()));
}

function logView([address, topics, data]: readonly [Uint8Array, Uint8Array[], Uint8Array]) {
  return { address: toHex(address), topics: topics.map(toHex), data: toHex(data) };
}

async function run(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TransactionInvalid || /tx/i.test((error as Error).message)) return { refused: true };
    throw error;
  }
}

test.each([
  ['cancun', 'granite'],
  ['prague', 'isthmus'],
] as const)(
  'agrees with the EVM library’s own transaction runner on %s: state, gas, status and logs',
  async (level, fork) => {
    for (const seed of [1, 2, 3, 4, 5]) await compare(level, fork, fc.sample(random, { seed, numRuns: 30 }));
  },
);
