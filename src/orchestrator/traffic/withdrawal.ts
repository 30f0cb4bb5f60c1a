import { type Hex, isHex, parseAbi, parseEventLogs, type TransactionReceipt } from 'viem';
import {
  buildProveWithdrawal,
  finalizeWithdrawal,
  type GetL2OutputParameters,
  getL2Output,
  getWithdrawals,
  initiateWithdrawal,
  proveWithdrawal,
} from 'viem/op-stack';
import { present } from '../../protocol/present.ts';
import { Failure } from '../../system/failure.ts';
import type { ChainView } from '../plan/plan.ts';
import type { ReceiptOf, Wallet } from './transaction.ts';

/** A withdrawal from a chain to L1. */
export interface WithdrawalRequest {
  readonly to: Hex;
  /** wei */
  readonly value: bigint;
  readonly data: Hex;
  /** Gas limit on L1. */
  readonly gas: bigint;
}

/** The wallets of one account on both layers. */
interface Wallets {
  readonly onL1: Wallet;
  readonly onL2: Wallet;
}

/** Tries something until it succeeds, as long as its time allows. */
export type Retry = <T>(what: string, attempt: () => Promise<T>) => Promise<T>;

export interface Withdrawn {
  /** On L2. */
  readonly initiated: TransactionReceipt;
  /** On L1. */
  readonly proven: TransactionReceipt;
  readonly finalized: TransactionReceipt;
  readonly withdrawalHash: Hex;
}

const FINALIZED = parseAbi(['event WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success)']);

/** Withdraws to L1: initiates on L2, proves on L1 when an output covers the block, finalizes. @throws Failure */
export async function withdraw(
  chain: ChainView,
  { onL1, onL2 }: Wallets,
  request: WithdrawalRequest,
  { timeoutMs, retry, receipt }: { readonly timeoutMs: number; readonly retry: Retry; readonly receipt: ReceiptOf },
): Promise<Withdrawn> {
  const contracts = addressesOf(chain);
  const { portalAddress } = contracts;
  const hash = await initiateWithdrawal(onL2, { request, chain: null });
  const initiated = succeeded('the withdrawal on L2', await receipt(onL2, hash, timeoutMs));
  const [withdrawal] = getWithdrawals(initiated);
  const { withdrawalHash } = present(withdrawal, 'withdrawal of a receipt');
  const proven = await retry('no proposal covers the block of the withdrawal', async () => {
    // The types of viem take either address without that of the portal, and the action reads it.
    const place: object = { ...contracts, l2BlockNumber: initiated.blockNumber };
    const output = await getL2Output(onL1, place as GetL2OutputParameters<undefined, undefined>);
    const proof = await buildProveWithdrawal(onL2, {
      output,
      withdrawal: present(withdrawal, 'withdrawal'),
      chain: null,
    });
    const { l2OutputIndex, outputRootProof, withdrawalProof } = proof;
    const sent = await proveWithdrawal(onL1, {
      ...{ l2OutputIndex, outputRootProof, withdrawalProof, portalAddress },
      withdrawal: present(withdrawal, 'withdrawal'),
      chain: null,
    });
    return receipt(onL1, sent, timeoutMs);
  });
  succeeded('the proof on L1', proven);
  const finalized = await retry('it cannot be finalized yet', async () => {
    const sent = await finalizeWithdrawal(onL1, {
      withdrawal: present(withdrawal, 'withdrawal'),
      portalAddress,
      chain: null,
    });
    return receipt(onL1, sent, timeoutMs);
  });
  succeeded('the finalization on L1', finalized);
  const [event] = parseEventLogs({ abi: FINALIZED, logs: finalized.logs });
  if (event?.args.success === false)
    throw new Failure('withdrawal', `the call of the withdrawal failed on L1: ${finalized.transactionHash}`, {
      hint: 'the portal must hold the amount: deposit it first. The receiver may need more gas',
    });
  return { initiated, proven, finalized, withdrawalHash };
}

function succeeded(what: string, found: TransactionReceipt): TransactionReceipt {
  if (found.status === 'success') return found;
  throw new Failure('withdrawal', `${what} reverted: ${found.transactionHash}`);
}

/** Returns the addresses that viem's actions take: of the portal, and of the oracle or the factory of games. */
function addressesOf({ name, contracts }: ChainView) {
  const address = (contract: string): Hex | undefined => {
    const found = contracts.l1[contract];
    return isHex(found) ? found : undefined;
  };
  const portalAddress = address('OptimismPortal');
  const l2OutputOracleAddress = address('L2OutputOracle');
  const disputeGameFactoryAddress = address('DisputeGameFactory');
  if (portalAddress === undefined) throw new Failure('withdrawal', `the portal of ${name} on L1 is not known`);
  if (disputeGameFactoryAddress !== undefined) return { portalAddress, disputeGameFactoryAddress };
  if (l2OutputOracleAddress !== undefined) return { portalAddress, l2OutputOracleAddress };
  throw new Failure('withdrawal', `${name} has neither an output oracle nor dispute games on L1`);
}
