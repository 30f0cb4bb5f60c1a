import { type Chain, type Hex, isHex, type TransactionReceipt } from 'viem';
import { getBalance } from 'viem/actions';
import {
  buildProveWithdrawal,
  finalizeWithdrawal,
  type GetL2OutputParameters,
  getL2Output,
  getWithdrawals,
  initiateWithdrawal,
  proveWithdrawal,
} from 'viem/op-stack';
import { lowerHex } from '../../protocol/hex.ts';
import { Failure } from '../../system/failure.ts';
import { etherText } from '../../system/numbers/human.ts';
import type { ChainView } from '../plan/plan.ts';
import { balanceArrived } from './arrival.ts';
import { tryFinalize } from './finalization.ts';
import { stepsOnL1 } from './steps-on-l1.ts';
import { type Chain as Layer, type Wallet, withNextNonce } from './transaction.ts';

/** A withdrawal from a chain to L1. */
export interface WithdrawalRequest {
  readonly to: Hex;
  /** wei */
  readonly value: bigint;
  readonly data: Hex;
  /** Gas limit on L1. */
  readonly gas: bigint;
}

/** A withdrawal that a transaction on L2 has initiated. */
export interface InitiatedWithdrawal {
  /** Hash of that transaction. */
  readonly initiated: Hex;
}

/** The wallets of one account on both layers. */
interface Wallets {
  readonly onL1: Wallet;
  readonly onL2: Wallet;
  /** L1 as viem's chain: the search for dispute games calls its multicall3. */
  readonly l1: Chain;
}

/** Tries something until it succeeds, as long as its time allows. */
export type Retry = <T>(what: string, attempt: () => Promise<T>) => Promise<T>;

/** The steps of a withdrawal: the first on L2, the others on L1. */
export type WithdrawalStep = 'initiated' | 'proven' | 'finalized';

/** How a withdrawal waits. */
export interface WithdrawalWaits {
  readonly retry: Retry;
  readonly receipt: (layer: Layer | Wallet, hash: Hex) => Promise<TransactionReceipt>;
  /** Called with the hash of the transaction on L2, as soon as it is sent. */
  readonly sent?: ((initiated: Hex) => void) | undefined;
  /** Called with the receipt of each step. */
  readonly tell?: ((step: WithdrawalStep, receipt: TransactionReceipt) => void) | undefined;
}

/** A withdrawal that L1 has paid out. */
export interface Withdrawn extends Readonly<Record<WithdrawalStep, TransactionReceipt>> {
  readonly withdrawalHash: Hex;
  /** The receiver on L1. */
  readonly to: Hex;
  /** wei */
  readonly value: bigint;
  /** Of the receiver on L1 in the block of the finalization, wei. */
  readonly balance: bigint;
}

/**
 * Withdraws to L1: initiates on L2, proves on L1 when an output covers the block, finalizes. A withdrawal that is
 * initiated goes on after its last step on L1.
 * @throws Failure `withdrawal` if a step reverts, or the receiver does not have the amount at its end
 */
export async function withdraw(
  chain: ChainView,
  { onL1, onL2, l1 }: Wallets,
  start: WithdrawalRequest | InitiatedWithdrawal,
  { retry, receipt, sent, tell }: WithdrawalWaits,
): Promise<Withdrawn> {
  const contracts = addressesOf(chain);
  const { portalAddress } = contracts;
  const done = async (step: WithdrawalStep, receipt: TransactionReceipt) => {
    if (receipt.status !== 'success')
      throw new Failure('withdrawal', `the withdrawal could not be ${step}: ${receipt.transactionHash} reverted`, {
        hint: `run \`devnet tx ${receipt.transactionHash} --trace\` to see where`,
      });
    tell?.(step, receipt);
    return receipt;
  };
  const initiate = async (request: WithdrawalRequest) => {
    await mustBePayable(onL1, chain, portalAddress, request.value, 'ask for less, or raise what it holds');
    const hash = await withNextNonce(undefined, () => initiateWithdrawal(onL2, { request, chain: null }));
    sent?.(hash);
    return hash;
  };
  const hash = 'initiated' in start ? start.initiated : await initiate(start);
  const initiated = await done('initiated', await receipt(onL2, hash));
  const withdrawal = withdrawalOf(initiated, chain);
  const { value, withdrawalHash } = withdrawal;
  const to = 'initiated' in start ? lowerHex(withdrawal.target) : start.to;
  const past = 'initiated' in start ? await stepsOnL1(onL1, contracts, withdrawalHash) : {};
  const proof = async () => {
    // The types of viem take either address without that of the portal, and the action reads it.
    const place: object = { ...contracts, l2BlockNumber: initiated.blockNumber };
    const output = await getL2Output({ ...onL1, chain: l1 }, place as GetL2OutputParameters);
    const { l2OutputIndex, outputRootProof, withdrawalProof } = await buildProveWithdrawal(onL2, {
      ...{ output, withdrawal, chain: null },
    });
    const parts = { l2OutputIndex, outputRootProof, withdrawalProof, portalAddress };
    return receipt(onL1, await proveWithdrawal(onL1, { ...parts, withdrawal, chain: null }));
  };
  const finalization = async () => {
    await tryFinalize(onL1, portalAddress, withdrawal);
    return receipt(onL1, await finalizeWithdrawal(onL1, { withdrawal, portalAddress, chain: null }));
  };
  const proven = await done('proven', past.proven ?? (await retry('no proposal covers its block yet', proof)));
  const advice = `let ${hash} go on (--continue) when you have raised what it holds`;
  if (past.finalized === undefined) await mustBePayable(onL1, chain, portalAddress, value, advice);
  const finalized = await done(
    'finalized',
    past.finalized ?? (await retry('it cannot be finalized yet', finalization)),
  );
  const balance = await balanceArrived(onL1, { to, value, portal: portalAddress, finalized });
  return { initiated, proven, finalized, withdrawalHash, to, value, balance };
}

/** @throws Failure `withdrawal` if a transaction has made none, or several */
function withdrawalOf(initiated: TransactionReceipt, { name }: ChainView) {
  const [withdrawal, ...others] = getWithdrawals(initiated);
  if (withdrawal !== undefined && others.length === 0) return withdrawal;
  const count = withdrawal === undefined ? 'no withdrawal' : `${others.length + 1} withdrawals`;
  throw new Failure('withdrawal', `${initiated.transactionHash} makes ${count} on ${name}, expected one`, {
    hint: `run \`devnet tx ${initiated.transactionHash}\` to see what it does`,
  });
}

/** @throws Failure `withdrawal` if the portal has less than the amount (wei), which would be lost */
async function mustBePayable(
  onL1: Wallet,
  { name }: ChainView,
  portal: Hex,
  value: bigint,
  advice: string,
): Promise<void> {
  const balance = await getBalance(onL1, { address: portal });
  if (balance >= value) return;
  throw new Failure(
    'withdrawal',
    `the portal of ${name} holds ${etherText(balance)} on L1: ${etherText(value)} withdrawn from it would be lost`,
    { hint: `${advice} by a deposit: \`devnet deposit ADDRESS AMOUNT\`` },
  );
}

/** Returns the addresses that viem's actions take: of the portal, and of the oracle or the factory of games. */
function addressesOf({ name, contracts }: ChainView) {
  const address = (contract: string): Hex | undefined => {
    const value = contracts.l1[contract];
    return isHex(value) ? value : undefined;
  };
  const portalAddress = address('OptimismPortal');
  const l2OutputOracleAddress = address('L2OutputOracle');
  const disputeGameFactoryAddress = address('DisputeGameFactory');
  if (portalAddress === undefined) throw new Failure('withdrawal', `the portal of ${name} on L1 is not known`);
  if (disputeGameFactoryAddress !== undefined) return { portalAddress, disputeGameFactoryAddress };
  if (l2OutputOracleAddress !== undefined) return { portalAddress, l2OutputOracleAddress };
  throw new Failure('withdrawal', `${name} has neither an output oracle nor dispute games on L1`);
}
