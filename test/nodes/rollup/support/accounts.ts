import { privateKeyToAccount } from 'viem/accounts';
import { devAccounts } from '../../../../src/protocol/genesis/index.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { contracts } from '../../../protocol/genesis/inputs.ts';

/** A funded account of a test devnet that sends itself transfers. */
export interface DevAccount {
  readonly address: Hex;
  /** Returns the encoded transaction of a nonce. */
  transfer(chainId: number, nonce: number): Promise<Hex>;
}

export function devAccount(index: number): DevAccount {
  const { address, privateKey } = devAccounts(index + 1, contracts)[index]!;
  const account = privateKeyToAccount(privateKey);
  return {
    address,
    transfer: (chainId, nonce) =>
      account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce,
        to: address,
        value: 1n,
        gas: 60_000n,
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 1n,
        data: `0x${nonce.toString(16).padStart(64, '0')}`,
      }),
  };
}
