import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { withdrawalsRoot as withdrawalsRootOf } from '../../../protocol/codec/withdrawals.ts';
import { EMPTY_REQUESTS_HASH, EMPTY_TRIE_ROOT } from '../../../protocol/execution/constants.ts';
import { PREDEPLOYS } from '../../../protocol/execution/predeploys.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { Hex, Withdrawal } from '../../../protocol/types.ts';
import { byteKey } from '../state/byte-key.ts';
import type { StateDiff } from '../state/commit.ts';
import type { StateReader } from '../state/reader.ts';
import type { BlockEnvironment } from './block-environment.ts';
import { requestsHash } from './requests-hash.ts';

/** Header fields that result from the transactions of the block. */
export interface BlockOutcome
  extends Pick<BlockHeader, 'stateRoot' | 'transactionsRoot' | 'receiptsRoot' | 'logsBloom' | 'gasUsed'> {
  /** Blob gas of the header: the DA footprint on a rollup, the gas of blobs on plain Ethereum. */
  readonly blobGas: bigint;
  /** Result of `withdrawalsRootIn`. */
  readonly withdrawalsRoot: Hex | undefined;
  /** Execution requests (EIP-7685). A rollup has none. */
  readonly requests: readonly Uint8Array[];
}

/**
 * Returns the header of an executed block (geth: `AssembleBlock`, op-geth: `FinalizeAndAssemble`).
 * Counterpart in op-reth: `OpBlockAssembler`. Each field is present from the fork on that adds it.
 */
export function sealedHeader(rules: Rules, environment: BlockEnvironment, outcome: BlockOutcome): BlockHeader {
  const { blobGas, withdrawalsRoot, requests, ...roots } = outcome;
  return {
    parentHash: environment.parentHash,
    beneficiary: environment.feeRecipient,
    number: environment.number,
    gasLimit: environment.gasLimit,
    timestamp: environment.timestamp,
    extraData: environment.extraData,
    mixHash: environment.prevRandao,
    baseFeePerGas: environment.baseFee,
    ...roots,
    ...(withdrawalsRoot === undefined ? {} : { withdrawalsRoot }),
    ...(rules.header.beaconRoot && environment.parentBeaconBlockRoot !== undefined
      ? {
          blobGasUsed: blobGas,
          excessBlobGas: (rules.ethereum?.blobs && environment.excessBlobGas) || 0n,
          parentBeaconBlockRoot: environment.parentBeaconBlockRoot,
        }
      : {}),
    ...(rules.header.requestsHash
      ? { requestsHash: rules.ethereum?.requests ? requestsHash(requests) : EMPTY_REQUESTS_HASH }
      : {}),
  };
}

/**
 * Returns the header's withdrawalsRoot, or undefined if the rules have none.
 * `diff` holds the changes of the block over the parent's state.
 */
export function withdrawalsRootIn(
  rules: Rules,
  parentState: StateReader,
  diff: StateDiff,
  withdrawals: readonly Withdrawal[],
): Hex | undefined {
  switch (rules.header.withdrawalsRoot) {
    case 'absent':
      return undefined;
    case 'empty':
      return EMPTY_TRIE_ROOT;
    case 'list':
      return withdrawalsRootOf(withdrawals);
    case 'message-passer': {
      const passer = hexToBytes(PREDEPLOYS.l2ToL1MessagePasser);
      const changed = diff.storageRoots.get(byteKey(passer));
      const account = parentState.account(passer);
      const root = changed ?? account?.storageRoot;
      return root === undefined ? EMPTY_TRIE_ROOT : bytesToHex(root);
    }
  }
}
