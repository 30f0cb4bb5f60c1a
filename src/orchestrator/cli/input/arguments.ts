import type { Address } from 'viem';
import { isAddress } from 'viem/utils';
import { EXIT, Failure } from '../../../system/failure.ts';
import { AMOUNT, parseWei } from '../../spec/schema/values.ts';

/** Returns an argument as an address. @throws Failure `usage` (exit 2) */
export function addressArgument(command: string, value: unknown): Address {
  if (typeof value === 'string' && isAddress(value)) return value;
  throw new Failure('usage', `${command}: expected an address of 20 bytes in hex, found ${JSON.stringify(value)}`, {
    exit: EXIT.usage,
    hint: 'letters of both cases are a checksum (EIP-55), which must be right',
  });
}

/** Returns an argument such as 5gwei as wei, at least `least`. @throws Failure `usage` (exit 2) */
export function weiArgument(command: string, value: unknown, least: 0n | 1n): bigint {
  const amount = parseWei(value);
  if (amount !== undefined && amount >= least) return amount;
  throw new Failure('usage', `${command}: expected ${AMOUNT}, found ${JSON.stringify(value)}`, { exit: EXIT.usage });
}
