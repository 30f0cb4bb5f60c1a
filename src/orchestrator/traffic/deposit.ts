import type { Hex, TransactionReceipt } from 'viem';
import { depositTransaction, estimateDepositTransactionGas, getL2TransactionHashes } from 'viem/op-stack';
import { Failure } from '../../system/failure.ts';
import type { ChainView, Plan } from '../plan/plan.ts';
import { chainAt, type ReceiptOf, receiptOf, type Wallet, withNextNonce } from './transaction.ts';

/** A deposit from L1 to a chain. Amounts in wei. */
export interface DepositRequest {
  /** null creates a contract. */
  readonly to: Hex | null;
  /** Moved from the sender to `to` on L2. */
  readonly value: bigint;
  /** Locked on L1, minted to the sender on L2. */
  readonly mint: bigint;
  /** Gas limit on L2. */
  readonly gas: bigint;
  readonly data: Hex;
}

/** A deposit that both layers hold. */
export interface Deposited {
  readonly l1: TransactionReceipt;
  /** Its status is `reverted` where the call on L2 failed. What it minted is the sender's also then. */
  readonly l2: TransactionReceipt;
}

/**
 * Sends a deposit through the chain's OptimismPortal. Returns the hash of the transaction on L1.
 * The portal meters deposits and burns more gas where others come first, so the gas limit is half again the estimate.
 */
export function sendDeposit(wallet: Wallet, chain: ChainView, { to, ...request }: DepositRequest): Promise<Hex> {
  const call = {
    request: to === null ? { ...request, isCreation: true as const } : { ...request, to },
    portalAddress: portalOf(chain),
    chain: null,
  };
  return withNextNonce(undefined, async () => {
    const gas = await estimateDepositTransactionGas(wallet, { ...call, account: wallet.account });
    return depositTransaction(wallet, { ...call, gas: (gas * 3n) / 2n });
  });
}

/** Returns the hashes on L2 of all deposits that a transaction on L1 made. */
export function depositHashes({ logs }: { readonly logs: readonly object[] }): readonly Hex[] {
  return getL2TransactionHashes({ logs: [...logs] as TransactionReceipt['logs'] });
}

/**
 * Makes a deposit and waits until the chain's sequencer has it in a block.
 * @throws Failure `receipt` (exit 3) where one of the layers does not include it in time, `deposit` where L1 reverts it
 */
export async function deposit(
  plan: Plan,
  chain: ChainView,
  wallet: Wallet,
  request: DepositRequest,
  timeoutMs: number,
  receipt: ReceiptOf = receiptOf,
): Promise<Deposited> {
  const deadline = performance.now() + timeoutMs;
  const l1 = await receipt(wallet, await sendDeposit(wallet, chain, request), timeoutMs);
  const [hash] = l1.status === 'success' ? depositHashes(l1) : [];
  if (hash === undefined)
    throw new Failure('deposit', `L1 reverted the deposit ${l1.transactionHash}`, {
      hint: `run \`cast run ${l1.transactionHash} --rpc-url ${plan.network.l1.rpc}\` to see where`,
    });
  const l2 = await receipt(chainAt(sequencerOf(chain).el.http), hash, Math.max(1000, deadline - performance.now()));
  return { l1, l2 };
}

/** Returns the sequencer of a chain. */
export function sequencerOf({ name, nodes }: ChainView): ChainView['nodes'][number] {
  const found = nodes.find(({ role }) => role === 'sequencer');
  if (found === undefined) throw new Error(`the plan of ${name} has no sequencer`);
  return found;
}

function portalOf({ name, contracts }: ChainView): Hex {
  const address = contracts.l1['OptimismPortal'];
  if (address !== undefined) return address;
  throw new Failure('deposit', `the portal of ${name} on L1 is not known`);
}
