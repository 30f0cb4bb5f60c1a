import { type Hex, isAddressEqual, parseAbi, parseEventLogs, type TransactionReceipt } from 'viem';
import { getBalance, getCode, getContractEvents, getTransactionCount } from 'viem/actions';
import { Failure } from '../../system/failure.ts';
import { etherText } from '../../system/numbers/human.ts';
import type { Chain, Wallet } from './transaction.ts';

/** Event of the portal (OptimismPortal). */
export const FINALIZED = parseAbi(['event WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success)']);
/** Events of L1CrossDomainMessenger, through which the bridges of a chain withdraw. */
const FAILED_MESSAGE = parseAbi(['event FailedRelayedMessage(bytes32 indexed msgHash)']);
const RELAYED_MESSAGE = parseAbi(['event RelayedMessage(bytes32 indexed msgHash)']);

/** A withdrawal that was finalized, and the place that pays it. */
export interface FinalizedWithdrawal {
  readonly to: Hex;
  /** wei */
  readonly value: bigint;
  readonly portal: Hex;
  readonly finalized: TransactionReceipt;
}

/**
 * Returns what the receiver of a withdrawal has on L1 in the block of its finalization (wei).
 * The transaction of a finalization succeeds even if the call that pays the receiver fails, and that call succeeds even
 * if the receiver is a messenger whose message fails. It can relay the message later.
 * @throws Failure `withdrawal` if the amount did not arrive
 */
export async function balanceArrived(onL1: Chain | Wallet, withdrawal: FinalizedWithdrawal): Promise<bigint> {
  const { to, value, finalized } = withdrawal;
  const [event] = parseEventLogs({ abi: FINALIZED, logs: finalized.logs });
  if (event?.args.success !== true) throw await callFailed(onL1, withdrawal);
  const message = parseEventLogs({ abi: FAILED_MESSAGE, logs: finalized.logs }).find(({ address }) =>
    isAddressEqual(address, to),
  );
  const { blockNumber } = finalized;
  if (message !== undefined) {
    const { args } = message;
    const relays = { address: to, abi: RELAYED_MESSAGE, args, fromBlock: blockNumber };
    if ((await getContractEvents(onL1, relays)).length === 0) throw messageFailed(withdrawal, args.msgHash);
  }
  const [balance, rise] = await Promise.all([
    getBalance(onL1, { address: to, blockNumber }),
    riseOf(onL1, withdrawal).catch(() => undefined),
  ]);
  if (rise === undefined || rise >= value) return balance;
  throw new Failure(
    'withdrawal',
    `L1 reports the call of ${to} as done, but ${etherText(value)} did not arrive there`,
    {
      data: { transaction: finalized.transactionHash, balance: String(balance) },
      hint: `run \`devnet tx ${finalized.transactionHash} --trace\` to see its calls`,
    },
  );
}

/**
 * Returns by how much the block of the finalization raised the receiver's balance, the finalization's fee aside.
 * Undefined if other things moved it: code at the address, or another transaction of its own.
 */
async function riseOf(onL1: Chain | Wallet, { to, finalized }: FinalizedWithdrawal): Promise<bigint | undefined> {
  const { blockNumber, gasUsed, effectiveGasPrice } = finalized;
  const at = async (block: bigint) => {
    const place = { address: to, blockNumber: block };
    const [balance, nonce] = await Promise.all([getBalance(onL1, place), getTransactionCount(onL1, place)]);
    return { balance, nonce };
  };
  const [before, after, code] = await Promise.all([
    at(blockNumber - 1n),
    at(blockNumber),
    getCode(onL1, { address: to, blockNumber }),
  ]);
  const isSender = finalized.from.toLowerCase() === to.toLowerCase();
  if (code !== undefined || after.nonce !== before.nonce + (isSender ? 1 : 0)) return undefined;
  return after.balance - before.balance + (isSender ? gasUsed * effectiveGasPrice : 0n);
}

function messageFailed({ to, value, finalized }: FinalizedWithdrawal, message: Hex): Failure {
  const { transactionHash: transaction } = finalized;
  const amount = value === 0n ? '' : `: ${etherText(value)} stays there`;
  return new Failure('withdrawal', `L1 finalized the withdrawal, but the message that ${to} relays failed${amount}`, {
    data: { transaction, message },
    hint: `run \`devnet tx ${transaction} --trace\` to see why; relayMessage of that contract relays it again`,
  });
}

async function callFailed(
  onL1: Chain | Wallet,
  { to, value, portal, finalized }: FinalizedWithdrawal,
): Promise<Failure> {
  const balance = await getBalance(onL1, { address: portal, blockNumber: finalized.blockNumber });
  const why =
    balance < value
      ? `the portal held ${etherText(balance)}`
      : `${to} refused the call, or it needs more gas than the withdrawal gives it (--gas)`;
  return new Failure(
    'withdrawal',
    `L1 finalized the withdrawal, but its call failed: ${etherText(value)} did not arrive at ${to}, because ${why}`,
    {
      data: { transaction: finalized.transactionHash },
      hint:
        'L1 makes the call only once: what it would have paid stays in the portal. ' +
        `Run \`devnet tx ${finalized.transactionHash} --trace\` to see it`,
    },
  );
}
