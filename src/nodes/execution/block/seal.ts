import { DEPOSIT_TYPE } from '../../../protocol/codec/deposit.ts';
import { type BlockHeader, encodeHeader } from '../../../protocol/codec/header.ts';
import { summarizeReceipts } from '../../../protocol/codec/receipt.ts';
import { orderedTrieSteps } from '../../../protocol/codec/trie.ts';
import { withdrawalsRoot as withdrawalsRootOf } from '../../../protocol/codec/withdrawals.ts';
import { EMPTY_REQUESTS_HASH, EMPTY_TRIE_ROOT } from '../../../protocol/execution/constants.ts';
import { PREDEPLOYS } from '../../../protocol/execution/predeploys.ts';
import { keccak256 } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { Hex, Withdrawal } from '../../../protocol/types.ts';
import type { BlockEvm } from '../evm/evm-factory.ts';
import { ExecutionBudget } from '../evm/execution-budget.ts';
import { byteKey } from '../state/byte-key.ts';
import { commitState, type StateDiff } from '../state/commit.ts';
import type { StateReader } from '../state/reader.ts';
import type { BlockEnvironment } from './block-environment.ts';
import type { Fees } from './fees.ts';
import type { Receipt } from './receipt.ts';
import { collectRequests } from './requests.ts';
import { requestsHash } from './requests-hash.ts';
import { inTransaction } from './transition.ts';

/** An executed block with everything that is stored of it. */
export interface ExecutedBlock {
  readonly hash: Hex;
  readonly header: BlockHeader;
  readonly encodedHeader: Uint8Array;
  readonly transactions: readonly Uint8Array[];
  readonly receipts: readonly Receipt[];
  readonly feeFields: Readonly<Record<string, string>>;
  readonly withdrawals: readonly Withdrawal[];
  /** Execution requests (EIP-7685). A rollup has none. */
  readonly requests: readonly Uint8Array[];
  readonly diff: StateDiff;
}

/** A block whose transactions have run. */
export interface OpenBlock {
  readonly rules: Rules;
  /** State after the parent block. */
  readonly parentState: StateReader;
  readonly environment: BlockEnvironment;
  readonly vm: BlockEvm;
  readonly fees: Fees;
  readonly transactions: readonly Uint8Array[];
  readonly receipts: readonly Receipt[];
  readonly gasUsed: bigint;
  /** Blob gas of the header: the DA footprint on a rollup, the gas of blobs on plain Ethereum. */
  readonly blobGas: bigint;
  /** Plain Ethereum only: address of the deposit contract (EIP-6110). */
  readonly depositContract?: Hex;
  /** Root of the transactions, if it is known. Hashing them takes as long as hashing the receipts. */
  readonly transactionsRoot?: Hex;
}

/**
 * Seals a block: hashes its state and completes its header (geth: `FinalizeAndAssemble`, op-reth: `OpBlockAssembler`).
 * @throws BlockInvalid if a system call at the end of an Ethereum block fails
 */
export async function sealBlock(block: OpenBlock, budget = new ExecutionBudget()): Promise<ExecutedBlock> {
  const { rules, parentState, environment, vm, fees, transactions, receipts } = block;
  const withdrawals = (rules.ethereum?.withdrawals && environment.withdrawals) || [];
  await creditWithdrawals(vm, withdrawals);
  const logs = receipts.flatMap((receipt) => receipt.logs);
  const requests = rules.ethereum?.requests ? await collectRequests(vm, logs, block.depositContract) : [];
  // Hashing a full block takes tens of milliseconds, so the event loop runs between the steps.
  const diff = await budget.complete(commitState(parentState, vm.state.changes()));
  const transactionsRoot = block.transactionsRoot ?? bytesToHex(await budget.complete(orderedTrieSteps(transactions)));
  const { receiptsRoot, logsBloom } = await budget.complete(summarizeReceipts(receipts));
  const header = sealedHeader(rules, environment, {
    stateRoot: bytesToHex(diff.root),
    transactionsRoot,
    receiptsRoot,
    logsBloom,
    gasUsed: block.gasUsed,
    blobGas: block.blobGas,
    withdrawalsRoot: withdrawalsRootIn(rules, parentState, diff, withdrawals),
    requests,
  });
  const { l1, operator, footprint } = fees;
  const encodedHeader = encodeHeader(header);
  return {
    hash: keccak256(encodedHeader),
    header,
    encodedHeader,
    transactions,
    receipts: receipts.map((receipt, at) => withShares(receipt, present(transactions[at], 'transaction'), fees)),
    feeFields: { ...l1?.receiptFields, ...operator?.receiptFields, ...footprint?.receiptFields },
    withdrawals,
    requests,
    diff,
  };
}

const WEI_PER_GWEI = 1_000_000_000n;

/** Credits the withdrawals of a block, after its transactions (EIP-4895; geth: `Beacon.Finalize`). */
async function creditWithdrawals(vm: BlockEvm, withdrawals: readonly Withdrawal[]): Promise<void> {
  if (withdrawals.length === 0) return;
  await inTransaction(vm, (scope) => {
    for (const { address, amount } of withdrawals) scope.credit(hexToBytes(address), amount * WEI_PER_GWEI);
  });
}

/** Adds `l1GasUsed` and `daFootprint` to the receipt of a deposit, which pays neither. op-reth shows both. */
function withShares(receipt: Receipt, raw: Uint8Array, { l1, footprint }: Fees): Receipt {
  if (l1 === null || receipt.type !== DEPOSIT_TYPE) return receipt;
  const l1GasUsed = l1.cost(raw).gasUsed;
  return footprint === null
    ? { ...receipt, l1GasUsed }
    : { ...receipt, l1GasUsed, daFootprint: footprint.footprint(raw) };
}

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
