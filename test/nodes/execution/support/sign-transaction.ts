import type { Hex } from '../../../../src/protocol/types.ts';
import type { ACCOUNTS } from './accounts.ts';
import { CHAIN_ID, LOGGER } from './genesis.ts';

type Fields = Partial<{
  nonce: number;
  gas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  value: bigint;
  data: Hex;
  to: Hex | null;
  chainId: number;
}>;

/** Returns a signed type 2 transaction, by default to the logging contract. */
export function signTransaction(
  account: (typeof ACCOUNTS)[number],
  { to = LOGGER, ...fields }: Fields = {},
): Promise<Hex> {
  return account.signTransaction({
    chainId: CHAIN_ID,
    type: 'eip1559',
    nonce: 0,
    gas: 100_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 6n,
    ...(to === null ? {} : { to }),
    ...fields,
  });
}
