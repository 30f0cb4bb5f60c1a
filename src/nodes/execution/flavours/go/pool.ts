import { keccak256Text } from '../../../../protocol/hash.ts';
import { bytesToHex } from '../../../../protocol/hex.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { PoolBehaviour } from '../../pool/behaviour.ts';
import { poolErrorMessage } from '../../pool/error-messages.ts';
import { checkDelegation } from '../../pool/validation/delegation.ts';
import { VALIDATION } from '../../pool/validation/validation.ts';
import { durationText } from '../interface/rpc-errors.ts';
import { checkGoCondition } from './condition.ts';
import { slotEviction } from './eviction.ts';
import { FOREIGN_TO_GO, GO_SETTINGS, slotLimitsFrom } from './pool-settings.ts';

/** The pool of op-geth: `core/txpool/legacypool` (geth: `LegacyPool`). */
export const GO_POOL: PoolBehaviour = {
  defaults: GO_SETTINGS,
  limitsFrom: slotLimitsFrom,
  foreignOptions: { client: 'rust', keys: FOREIGN_TO_GO },
  eviction: slotEviction,
  submissionRules: [VALIDATION.feeOption, VALIDATION.protection],
  entryRules: [
    VALIDATION.duplicate,
    VALIDATION.type,
    VALIDATION.size,
    VALIDATION.initCode,
    VALIDATION.transactionGasCap,
    VALIDATION.blockGasLimit,
    VALIDATION.gasOption,
    VALIDATION.tipWithinFeeCap,
    VALIDATION.chainId,
    VALIDATION.lastNonce,
    VALIDATION.gas,
    VALIDATION.tip,
    VALIDATION.authorizations,
    VALIDATION.senderCode,
    VALIDATION.nonce,
    VALIDATION.funds,
    VALIDATION.fundsOfAll,
    checkDelegation,
  ],
  selectSubPool: () => 'pending',
  dropsAt: (head, { transaction, cost }) =>
    cost > head.balance(transaction.sender) || transaction.gasLimit > head.gasLimit,
  outbids(next, old, bump) {
    const least = (price: bigint) => (price * BigInt(100 + bump)) / 100n;
    return (
      next.maxFeePerGas > old.maxFeePerGas &&
      next.maxPriorityFeePerGas > old.maxPriorityFeePerGas &&
      next.maxFeePerGas >= least(old.maxFeePerGas) &&
      next.maxPriorityFeePerGas >= least(old.maxPriorityFeePerGas)
    );
  },
  rpcError: (problem) => ({ code: -32000, message: poolErrorMessage(problem) }),
  unknownType: { code: -32000, message: 'transaction type not supported' },
  keepsForwarded: false,
  unreachable: -32000,
  receiptTimeouts: { standard: 20_000, most: 60_000 },
  notConfirmed: (_, timeout) =>
    `The transaction was added to the transaction pool but wasn't processed in ${durationText(timeout)}`,
  checkCondition: checkGoCondition,
  showsPending: false,
  showAddress: checksumAddress,
};

/** Returns an address with its checksum in the case of its letters (EIP-55; geth: `Address.Hex`). */
function checksumAddress(address: Hex): Hex {
  const lower = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak256Text(lower)).slice(2);
  const caseOf = (letter: string, at: number) => (hash.charAt(at) >= '8' ? letter.toUpperCase() : letter);
  return `0x${lower.replace(/[a-f]/g, caseOf)}`;
}
