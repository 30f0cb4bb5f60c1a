import { BlockNotFoundError, type Hex, TransactionNotFoundError, type TransactionReceipt } from 'viem';
import { getBlock, getTransaction, getTransactionCount } from 'viem/actions';
import { depositTransaction, estimateDepositTransactionGas, getL2TransactionHashes } from 'viem/op-stack';
import { Failure } from '../../system/failure.ts';
import { noAnswer } from '../devnet/no-answer.ts';
import { endpointsOf } from '../plan/chain/endpoints.ts';
import { taskAt } from '../plan/lookup.ts';
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
  /** Its status is `reverted` if the call on L2 failed. What it minted is the sender's also then. */
  readonly l2: TransactionReceipt;
  /** Earlier transactions on L1 that fell out of it, so that the deposit was sent again. */
  readonly lost: readonly Hex[];
}

/**
 * Wall time (ms) for which L1 must not have a transaction before it counts as lost. L1's pool is empty for a moment
 * when its transactions are put in order, and at a reorganisation.
 */
const LOST_AFTER_MS = 1000;

/** A transaction on L1 that makes a deposit. */
interface SentDeposit {
  readonly hash: Hex;
  readonly nonce: number;
}

/**
 * Sends a deposit through the chain's OptimismPortal.
 * The portal meters deposits and burns more gas if others come first, so the gas limit is half again the estimate.
 * `again`: the nonce of a deposit that was lost.
 */
function sendDeposit(
  wallet: Wallet,
  chain: ChainView,
  { to, ...request }: DepositRequest,
  again?: number,
): Promise<SentDeposit> {
  const call = {
    request: to === null ? { ...request, isCreation: true as const } : { ...request, to },
    portalAddress: portalOf(chain),
    chain: null,
  };
  return withNextNonce(again, async () => {
    const gas = await estimateDepositTransactionGas(wallet, { ...call, account: wallet.account });
    const nonce = again ?? (await nextNonce(wallet));
    return { hash: await depositTransaction(wallet, { ...call, gas: (gas * 3n) / 2n, nonce }), nonce };
  });
}

/** Returns the nonce of the account's next transaction, after those in L1's pool. */
const nextNonce = (wallet: Wallet) =>
  getTransactionCount(wallet, { address: wallet.account.address, blockTag: 'pending' });

/** Returns the hashes on L2 of all deposits that a transaction on L1 made. */
export function depositHashes({ logs }: { readonly logs: readonly object[] }): readonly Hex[] {
  return getL2TransactionHashes({ logs: [...logs] as TransactionReceipt['logs'] });
}

/**
 * Makes a deposit and waits until the chain's sequencer has it in a block. A deposit that a reorganisation takes out of
 * L1 is sent again if its nonce is free, so that it cannot be there twice.
 * @throws Failure `receipt` (exit 3) if one of the layers does not include it in time, `deposit` if L1 reverts it
 * or if it fell out and its nonce is taken, `no-answer` if L1 or L2 does not answer after it was sent
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
  const left = () => Math.max(1000, deadline - performance.now());
  const lostHashes: Hex[] = [];
  for (let sent = await sendDeposit(wallet, chain, request); ; ) {
    try {
      const { hash: onL1 } = sent;
      const l1 = await receipt(wallet, onL1, left(), mustStay(wallet, onL1)).catch((error: unknown) => {
        throw afterL1(error, plan, onL1, 'L1 has the deposit in its pool, and can still include it');
      });
      const [hash] = l1.status === 'success' ? depositHashes(l1) : [];
      if (hash === undefined)
        throw new Failure('deposit', `L1 reverted the deposit ${l1.transactionHash}`, {
          hint: `run \`cast run ${l1.transactionHash} --rpc-url ${plan.network.l1.rpc}\` to see where`,
        });
      const onL2 = chainAt(endpointsOf(chain).http, timeoutMs);
      const l2 = await receipt(onL2, hash, left(), () => mustBeIn(wallet, l1)).catch((error: unknown) => {
        throw afterL1(error, plan, l1.transactionHash, `L1 has the deposit in block ${l1.blockNumber}`);
      });
      return { l1, l2, lost: lostHashes };
    } catch (error) {
      if (!(error instanceof FellOut)) throw error;
      const isTaken = (await nextNonce(wallet)) > sent.nonce;
      // L1 may have it in its pool again, or in another block. Its own nonce is counted then, too.
      if (await isKnown(wallet, sent.hash)) continue;
      if (isTaken)
        throw new Failure('deposit', `${error.message}, and another transaction has its nonce ${sent.nonce}`, {
          hint: 'send the deposit again',
        });
      const again = await sendAgain(wallet, chain, request, sent);
      if (again !== undefined) lostHashes.push(sent.hash);
      sent = again ?? sent;
    }
  }
}

/** Adds to a failure that L1 has the deposit: another one would be made twice. */
function afterL1(error: unknown, plan: Plan, deposit: Hex, state: string): unknown {
  const failure = error instanceof Failure ? error : noAnswer(error, { programAt: (url) => taskAt(plan, url)?.id });
  if (failure === undefined) return error;
  const { code, message, exit, hint, data } = failure;
  return new Failure(code, `${message}; ${state}: ${deposit}`, {
    ...{ exit, data: { ...data, deposit } },
    ...(hint !== undefined && { hint }),
  });
}

/** Sends a lost deposit with its own nonce, so that it is made once. Undefined if L1 has it again. */
async function sendAgain(
  wallet: Wallet,
  chain: ChainView,
  request: DepositRequest,
  { hash, nonce }: SentDeposit,
): Promise<SentDeposit | undefined> {
  try {
    return await sendDeposit(wallet, chain, request, nonce);
  } catch (error) {
    if (await isKnown(wallet, hash)) return undefined;
    throw error;
  }
}

/** A deposit that L1 has no more. */
class FellOut extends Error {
  constructor(hash: Hex) {
    super(`the deposit ${hash} fell out of L1: a reorganisation took it out, or the pool dropped it`);
  }
}

async function isKnown(l1: Wallet, hash: Hex): Promise<boolean> {
  try {
    await getTransaction(l1, { hash });
    return true;
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return false;
    throw error;
  }
}

/** Checks, each time it is called, that L1's pool or chain has a transaction. It throws FellOut if neither has it. */
function mustStay(l1: Wallet, hash: Hex): () => Promise<void> {
  let lastSeen = performance.now();
  return async () => {
    if (await isKnown(l1, hash)) lastSeen = performance.now();
    else if (performance.now() - lastSeen > LOST_AFTER_MS) throw new FellOut(hash);
  };
}

/** @throws FellOut if L1 has another block than that of a receipt */
async function mustBeIn(l1: Wallet, { blockNumber, blockHash, transactionHash }: TransactionReceipt): Promise<void> {
  const block = await getBlock(l1, { blockNumber }).catch((error: unknown) => {
    if (error instanceof BlockNotFoundError) return undefined;
    throw error;
  });
  if (block?.hash !== blockHash) throw new FellOut(transactionHash);
}

function portalOf({ name, contracts }: ChainView): Hex {
  const address = contracts.l1['OptimismPortal'];
  if (address !== undefined) return address;
  throw new Failure('deposit', `the portal of ${name} on L1 is not known`);
}
