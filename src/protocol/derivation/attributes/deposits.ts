import { encodeDeposit } from '../../codec/deposit.ts';
import { depositOfLog, TRANSACTION_DEPOSITED_TOPIC } from '../../codec/deposit-log.ts';
import { bytesToHex, sameHex } from '../../hex.ts';
import type { Hex, L1Receipt } from '../../types.ts';

/**
 * Returns the encoded user deposits of an L1 block, in log order (op-node: `DeriveDeposits`, kona: `derive_deposits`).
 * Logs of reverted transactions and of other contracts do not count. Specification: User-Deposited Transactions.
 * @throws ProtocolError (fatal) on a deposit log that the portal cannot have emitted
 */
export function userDeposits(receipts: readonly L1Receipt[], portal: Hex, l1BlockHash: Hex): Hex[] {
  return receipts
    .filter(({ status }) => status)
    .flatMap(({ logs }) => logs)
    .filter((log) => sameHex(log.address, portal) && log.topics[0] === TRANSACTION_DEPOSITED_TOPIC)
    .map((log) => bytesToHex(encodeDeposit(depositOfLog(log, l1BlockHash))));
}
