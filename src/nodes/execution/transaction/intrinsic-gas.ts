import { atLeast } from '../../../protocol/rules/evm-level.ts';
import type { EvmLevel } from '../../../protocol/rules/rules.ts';
import { TransactionInvalid } from './errors.ts';
import type { AccessListEntry } from './transaction.ts';

/** Gas that a transaction pays before it executes (geth: `IntrinsicGas`, `FloorDataGas`). */
export interface IntrinsicGas {
  readonly gas: bigint;
  /** Minimum gas of the transaction (EIP-7623). 0 before prague. */
  readonly floor: bigint;
}

/** The fields of a transaction that determine its intrinsic gas. */
export interface MeteredShape {
  readonly to: Uint8Array | null;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
  readonly authorizationList: readonly unknown[];
}

/** Maximum bytes of init code (EIP-3860). */
export const MAX_INIT_CODE = 49_152;

/** Computes the intrinsic gas of EIP-2, 2028, 2930, 3860, 7623 and 7702 (geth: `IntrinsicGas`). */
export function intrinsicGas(level: EvmLevel, transaction: MeteredShape): IntrinsicGas {
  let zeros = 0;
  for (const byte of transaction.data) if (byte === 0) zeros++;
  const others = transaction.data.length - zeros;
  let gas = 21_000 + zeros * 4 + others * 16;
  if (transaction.to === null) {
    gas += 32_000;
    if (atLeast(level, 'shanghai')) gas += Math.ceil(transaction.data.length / 32) * 2;
  }
  for (const entry of transaction.accessList) gas += 2400 + entry.storageKeys.length * 1900;
  gas += transaction.authorizationList.length * 25_000;
  const floor = atLeast(level, 'prague') ? 21_000 + (zeros + others * 4) * 10 : 0;
  return { gas: BigInt(gas), floor: BigInt(floor) };
}

/**
 * Checks a gas limit against the intrinsic gas.
 * @throws TransactionInvalid if the gas limit is below the intrinsic gas or the init code is too long
 */
export function checkGas(level: EvmLevel, transaction: MeteredShape & { readonly gasLimit: bigint }): IntrinsicGas {
  const cost = intrinsicGas(level, transaction);
  const { gasLimit, to, data } = transaction;
  if (gasLimit < cost.gas) throw new TransactionInvalid('intrinsic gas too low', `have ${gasLimit}, want ${cost.gas}`);
  if (gasLimit < cost.floor)
    throw new TransactionInvalid('insufficient gas for floor data gas cost', `have ${gasLimit}, want ${cost.floor}`);
  if (to === null && atLeast(level, 'shanghai') && data.length > MAX_INIT_CODE)
    throw new TransactionInvalid('max initcode size exceeded', `code size ${data.length}, limit ${MAX_INIT_CODE}`);
  return cost;
}
