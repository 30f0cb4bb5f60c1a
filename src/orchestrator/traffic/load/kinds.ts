import { createHash } from 'node:crypto';
import { concat, encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem';
import { present } from '../../../protocol/present.ts';
import type { ChainView } from '../../plan/plan.ts';
import type { Choice } from './choice.ts';

/** A transaction of a load, before it has a sender. */
export interface Item {
  readonly layer: 'l1' | 'l2';
  /** Absent: it creates a contract. */
  readonly to?: Hex;
  readonly value: bigint;
  readonly data: Hex;
  readonly gas: bigint;
  /** Number of blobs that it carries. */
  readonly blobs?: number;
  /** Gas on L2 that its deposit buys. The deposit must reach L2, too. */
  readonly depositGas?: bigint;
  /** It uses all its gas and ends as reverted. */
  readonly burns?: true;
}

/** Makes the transaction of a number. `round`: number of transactions that its account has sent before. */
type Maker = (choice: Choice, round: number, chain: ChainView) => Item;

const ABI = parseAbi([
  'function deposit() payable',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function depositTransaction(address to, uint256 value, uint64 gas, bool creates, bytes data) payable',
]);

const GWEI = 10n ** 9n;

/** Wrapped ether, at the same address on every chain. */
const WETH = '0x4200000000000000000000000000000000000006';

const amountOf = (choice: Choice) => BigInt(1 + choice.below('amount', 1_000_000)) * GWEI;

const transfers: Maker = (choice) => ({
  ...{ layer: 'l2', to: choice.address('to'), value: amountOf(choice), data: '0x', gas: 21_000n },
});

const l1: Maker = (choice, round, chain) => ({ ...transfers(choice, round, chain), layer: 'l1' });

/** Each account wraps some ether first. */
const erc20: Maker = (choice, round, { contracts }) => {
  const to = contracts.l2['WETH'] ?? WETH;
  if (round === 0)
    return {
      ...{ layer: 'l2', to, value: parseEther('1'), gas: 100_000n },
      data: encodeFunctionData({ abi: ABI, functionName: 'deposit' }),
    };
  const args = [choice.address('to'), BigInt(1 + choice.below('amount', 1_000_000))] as const;
  const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args });
  return { layer: 'l2', to, value: 0n, data, gas: 100_000n };
};

/** A contract whose code is 32 bytes that begin with STOP. */
const deploys: Maker = (choice) => ({
  ...{ layer: 'l2', value: 0n, gas: 200_000n },
  data: concat(['0x7f00', choice.bytes('code', 31), '0x60005260206000f3']),
});

/** Least gas of a deposit without data: L1 takes a limited sum in each block (`minimumGasLimit` of the portal). */
const DEPOSIT_GAS = 21_000n;

const deposits: Maker = (choice, _, { contracts }) => {
  const value = amountOf(choice);
  const args = [choice.address('to'), value, DEPOSIT_GAS, false, '0x'] as const;
  return {
    ...{
      layer: 'l1',
      to: present(contracts.l1['OptimismPortal'], 'address of OptimismPortal'),
      value,
      gas: 1_000_000n,
      depositGas: DEPOSIT_GAS,
    },
    data: encodeFunctionData({ abi: ABI, functionName: 'depositTransaction', args }),
  };
};

const blobs: Maker = (choice, round, chain) => ({
  ...{ ...l1(choice, round, chain), blobs: 1 + choice.below('blobs', 3) },
});

/** Share of a block's gas that one transaction of `fill` may use. */
const FILL_DIVISOR = 20;

/** Bytes of data of every third transaction of `fill`, which no batch can compress. */
const FILLER_BYTES = 10_000;

/** Most gas of one transaction (EIP-7825). */
const MAX_GAS = 2 ** 24;

const fillGas = (gasLimit: number) => BigInt(Math.min(MAX_GAS, Math.floor(gasLimit / FILL_DIVISOR)));

/**
 * Alternates creations that use all their gas at once with random data.
 * The first fill a block to its gas limit, the second to its limit of data (DA footprint) if it has one.
 */
const fill =
  (gasLimit: number): Maker =>
  (choice) => {
    if (choice.below('kind', 3) > 0)
      return { layer: 'l2', value: 0n, data: '0xfe', gas: fillGas(gasLimit), burns: true };
    const data = choice.bytes('data', FILLER_BYTES);
    return { layer: 'l2', to: choice.address('to'), value: 0n, data, gas: 21_000n + 40n * BigInt(FILLER_BYTES) };
  };

/** Kinds of loads by name. */
export const LOAD_KINDS = ['transfers', 'erc20', 'deploys', 'deposits', 'blobs', 'l1', 'fill', 'mixed'] as const;

export type LoadKind = (typeof LOAD_KINDS)[number];

/** Returns the maker of a kind. `gasLimit`: of a block of the chain. */
export function makerOf(kind: LoadKind, gasLimit: number): Maker {
  const makers = { transfers, erc20, deploys, deposits, blobs, l1, fill: fill(gasLimit) };
  if (kind !== 'mixed') return makers[kind];
  const mix = [transfers, erc20, deploys, l1, transfers, deposits];
  return (choice, round, chain) => {
    // The first transaction of an account wraps its ether.
    const maker = round === 0 ? erc20 : (mix[choice.below('maker', mix.length)] ?? transfers);
    return maker(choice, round, chain);
  };
}

/** Commitment and proof of a blob of zeros: the point at infinity. */
const INFINITY: Hex = `0xc0${'00'.repeat(47)}`;

/** Blobs of zeros, whose commitments need no trusted setup. */
export function emptyBlobs(count: number) {
  const blob: Hex = `0x${'00'.repeat(131_072)}`;
  const digest = createHash('sha256')
    .update(Buffer.from(INFINITY.slice(2), 'hex'))
    .digest('hex');
  return {
    sidecars: Array.from({ length: count }, () => ({ blob, commitment: INFINITY, proof: INFINITY })),
    blobVersionedHashes: Array.from({ length: count }, (): Hex => `0x01${digest.slice(2)}`),
  };
}
