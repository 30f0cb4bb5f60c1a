import type { EvmBlock, EvmContext } from '../../../src/evm/machine/state.ts';
import type { Hex } from '../../../src/protocol/types.ts';

/** Returns an address whose last digits are given. */
export const address = (tail: string) => `0x${tail.padStart(40, '0')}` as Hex;

export const SENDER = address('5e4d');

/** A block and a transaction in which each value is another one. */
export const BLOCK: EvmBlock = {
  chainId: 901n,
  number: 300n,
  timestamp: 1_700_000_000n,
  coinbase: address('c01bba5e'),
  prevRandao: `0x${'4a'.repeat(32)}`,
  gasLimit: 30_000_000n,
  baseFee: 7n,
  blobBaseFee: 3n,
  blockHash: (number) => new Uint8Array(32).fill(number % 256),
};

export const CONTEXT: EvmContext = {
  block: BLOCK,
  origin: SENDER,
  gasPrice: 11n,
  blobHashes: [`0x01${'b1'.repeat(31)}`, `0x01${'b2'.repeat(31)}`],
};
