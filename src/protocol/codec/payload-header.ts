import { ProtocolError } from '../errors.ts';
import { EMPTY_REQUESTS_HASH, EMPTY_TRIE_ROOT } from '../execution/constants.ts';
import { bytesToHex, hexToBytesAll } from '../hex.ts';
import { type Resumable, runToCompletion } from '../resumable.ts';
import type { HeaderRules } from '../rules/rules.ts';
import type { ExecutionPayload, ExecutionPayloadEnvelope, Hex, Withdrawal } from '../types.ts';
import { type BlockHeader, headerHash } from './header.ts';
import { orderedTrieSteps } from './trie.ts';
import { withdrawalsRoot } from './withdrawals.ts';

/** Rules that decide which fields a header has. */
export interface HashRules {
  readonly header: HeaderRules;
}

/**
 * Makes the header of a payload under the rules at its timestamp (geth: `ExecutableDataToBlockNoHash`).
 * `requests`: its requestsHash, if there can be requests.
 * @throws ProtocolError payload-invalid if the payload's fields are not those of the rules
 */
export function payloadHeader(envelope: ExecutionPayloadEnvelope, rules: HashRules, requests?: Hex): BlockHeader {
  return runToCompletion(payloadHeaderSteps(envelope, rules, requests));
}

/** {@link payloadHeader} in steps: yields while it hashes the transactions. */
export function* payloadHeaderSteps(
  envelope: ExecutionPayloadEnvelope,
  rules: HashRules,
  requests: Hex = EMPTY_REQUESTS_HASH,
): Resumable<BlockHeader> {
  const { executionPayload: payload, parentBeaconBlockRoot } = envelope;
  const { withdrawalsRoot: root, beaconRoot, requestsHash } = rules.header;
  requirePresence(payload.withdrawals, 'withdrawals', root !== 'absent');
  requirePresence(payload.withdrawalsRoot, 'withdrawalsRoot', root === 'message-passer');
  requirePresence(payload.blobGasUsed, 'blobGasUsed', beaconRoot);
  requirePresence(payload.excessBlobGas, 'excessBlobGas', beaconRoot);
  requirePresence(parentBeaconBlockRoot, 'parentBeaconBlockRoot', beaconRoot);
  return {
    parentHash: payload.parentHash,
    beneficiary: payload.feeRecipient,
    stateRoot: payload.stateRoot,
    transactionsRoot: bytesToHex(yield* orderedTrieSteps(hexToBytesAll(payload.transactions))),
    receiptsRoot: payload.receiptsRoot,
    logsBloom: payload.logsBloom,
    number: payload.blockNumber,
    gasLimit: payload.gasLimit,
    gasUsed: payload.gasUsed,
    timestamp: payload.timestamp,
    extraData: payload.extraData,
    mixHash: payload.prevRandao,
    baseFeePerGas: payload.baseFeePerGas,
    ...withdrawalsRootField(root, payload),
    ...(payload.blobGasUsed === undefined ? {} : { blobGasUsed: payload.blobGasUsed }),
    ...(payload.excessBlobGas === undefined ? {} : { excessBlobGas: payload.excessBlobGas }),
    ...(parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot }),
    ...(requestsHash ? { requestsHash: requests } : {}),
  };
}

/**
 * Computes the block hash that a payload must have under the rules at its timestamp.
 * Counterpart in op-service: `ExecutionPayloadEnvelope.CheckBlockHash`.
 * @throws ProtocolError payload-invalid
 */
export function payloadBlockHash(envelope: ExecutionPayloadEnvelope, rules: HashRules): Hex {
  return headerHash(payloadHeader(envelope, rules));
}

/**
 * Makes the payload of a block, the inverse of {@link payloadHeader}.
 * Counterparts: `BlockAsPayloadEnv` (op-service), `BlockToExecutableData` (geth).
 */
export function payloadOfBlock(
  header: BlockHeader,
  transactions: readonly Hex[],
  rules: HashRules,
  withdrawals: readonly Withdrawal[] = [],
): ExecutionPayloadEnvelope {
  const { withdrawalsRoot: root } = rules.header;
  const executionPayload: ExecutionPayload = {
    parentHash: header.parentHash,
    feeRecipient: header.beneficiary,
    stateRoot: header.stateRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: header.logsBloom,
    prevRandao: header.mixHash,
    blockNumber: header.number,
    gasLimit: header.gasLimit,
    gasUsed: header.gasUsed,
    timestamp: header.timestamp,
    extraData: header.extraData,
    baseFeePerGas: header.baseFeePerGas,
    blockHash: headerHash(header),
    transactions,
    ...(root === 'absent' ? {} : { withdrawals }),
    ...(header.blobGasUsed === undefined ? {} : { blobGasUsed: header.blobGasUsed }),
    ...(header.excessBlobGas === undefined ? {} : { excessBlobGas: header.excessBlobGas }),
    ...(root === 'message-passer' && header.withdrawalsRoot !== undefined
      ? { withdrawalsRoot: header.withdrawalsRoot }
      : {}),
  };
  const { parentBeaconBlockRoot } = header;
  return parentBeaconBlockRoot === undefined ? { executionPayload } : { executionPayload, parentBeaconBlockRoot };
}

function withdrawalsRootField(
  rule: HeaderRules['withdrawalsRoot'],
  payload: ExecutionPayload,
): { withdrawalsRoot?: Hex } {
  if (rule === 'absent') return {};
  if (rule === 'list') return { withdrawalsRoot: withdrawalsRoot(payload.withdrawals ?? []) };
  const root = rule === 'message-passer' ? payload.withdrawalsRoot : undefined;
  return { withdrawalsRoot: root ?? EMPTY_TRIE_ROOT };
}

function requirePresence(value: unknown, field: string, expected: boolean): void {
  if ((value !== undefined) === expected) return;
  throw new ProtocolError(
    'payload-invalid',
    'drop',
    `payload: ${field} must be ${expected ? 'present' : 'absent'} under the rules at its timestamp`,
    {
      field,
    },
  );
}
