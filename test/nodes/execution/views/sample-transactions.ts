import type { TransactionSerializable } from 'viem';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { addressOf, hashOf } from './sample-block.ts';

const LEGACY = { chainId: 901, nonce: 5, gas: 90_000n, value: 12n, data: '0x00ff', to: addressOf(0xcd) } as const;
const ACCESS = { ...LEGACY, accessList: [{ address: addressOf(0xce), storageKeys: [hashOf(8), hashOf(9)] }] } as const;
const TIPPED = { ...ACCESS, maxFeePerGas: 30n, maxPriorityFeePerGas: 4n } as const;
const account = ACCOUNTS[0]!;
const authorizationList = [await account.signAuthorization({ chainId: 901, contractAddress: addressOf(3), nonce: 6 })];

/** One unsigned transaction of each type. */
export const SHAPES: Readonly<Record<string, TransactionSerializable>> = {
  legacy: { type: 'legacy', ...LEGACY, gasPrice: 20n },
  eip2930: { type: 'eip2930', ...ACCESS, gasPrice: 20n },
  eip1559: { type: 'eip1559', ...TIPPED },
  eip4844: { type: 'eip4844', ...TIPPED, maxFeePerBlobGas: 3n, blobVersionedHashes: [`0x01${'08'.repeat(31)}`] },
  eip7702: { type: 'eip7702', ...TIPPED, authorizationList },
};

/** Returns the encoding of a shape, signed by the first account. */
export const sign = (shape: TransactionSerializable): Promise<Hex> => account.signTransaction(shape as never);
