import { L1_ATTRIBUTES_DEPOSITOR, PREDEPLOYS } from '../execution/predeploys.ts';
import { bytesToHex } from '../hex.ts';
import type { L1AttributesCodec, L1BlockInfo } from '../rules/rules.ts';
import type { DepositTransaction } from './deposit.ts';
import { l1AttributesSourceHash } from './source-hash.ts';

/**
 * Makes the deposit that opens each L2 block (op-node: `L1InfoDeposit`).
 * Specification: Deposits, L1 Attributes Deposited Transaction.
 */
export function l1AttributesDeposit(info: L1BlockInfo, codec: L1AttributesCodec): DepositTransaction {
  return {
    sourceHash: l1AttributesSourceHash(info.hash, info.sequenceNumber),
    from: L1_ATTRIBUTES_DEPOSITOR,
    to: PREDEPLOYS.l1Block,
    mint: 0n,
    value: 0n,
    gas: codec.gas,
    isSystemTransaction: codec.isSystemTransaction,
    data: bytesToHex(codec.encode(info)),
  };
}
