import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { withdrawalsRoot as withdrawalsRootOf } from '../../../protocol/codec/withdrawals.ts';
import { EMPTY_REQUESTS_HASH, EMPTY_TRIE_ROOT } from '../../../protocol/execution/constants.ts';
import { PREDEPLOYS } from '../../../protocol/execution/predeploys.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { Hex, Withdrawal } from '../../../protocol/types.ts';
import { byteKey } from '../byte-key.ts';
import type { StateDiff } from '../state/commit.ts';
import type { StateReader } from '../state/reader.ts';
import type { BlockEnvironment } from './block-environment.ts';
import { requestsHash } from './requests-hash.ts';

/** The parts of a header that follow from the run of its transactions. */
export interface BlockOutcome
  extends Pick<BlockHeader, 'stateRoot' | 'transactionsRoot' | 'receiptsRoot' | 'logsBloom' | 'gasUsed'> {
  /** What the header counts as blob gas: the DA footprint of a rollup's block, blobs' gas on Ethereum itself. */
  readonly blobGas: bigint;
  /** As `withdrawalsRootIn` tells it. */
  readonly withdrawalsRoot: Hex | undefined;
  /** Execution requests (EIP-7685); a rollup has none. */
  readonly requests: readonly Uint8Array[];
}

/** The header of an executed block: each field stands in it from the fork on that brought it. */
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

/** The header's withdrawalsRoot; undefined where the rules have none. `diff` is what the block makes of the parent's state. */
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
