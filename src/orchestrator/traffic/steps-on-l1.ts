import { type Hex, isAddressEqual, parseAbi, type TransactionReceipt } from 'viem';
import { getContractEvents, getTransactionReceipt } from 'viem/actions';
import { FINALIZED } from './arrival.ts';
import type { Wallet } from './transaction.ts';

const PROVEN = parseAbi([
  'event WithdrawalProven(bytes32 indexed withdrawalHash, address indexed from, address indexed to)',
]);
const PORTAL = [...PROVEN, ...FINALIZED] as const;

/** Steps of a withdrawal that L1 has. */
export interface StepsOnL1 {
  readonly proven?: TransactionReceipt;
  readonly finalized?: TransactionReceipt;
}

/** The portal, and the factory of the games that outputs are claimed by, if there is one. */
interface Contracts {
  readonly portalAddress: Hex;
  readonly disputeGameFactoryAddress?: Hex;
}

/**
 * Returns the steps of a withdrawal that L1 has, by the events of the portal (OptimismPortal: `WithdrawalProven`,
 * `WithdrawalFinalized`). With dispute games each account has proofs of its own: one of another account does not count.
 */
export async function stepsOnL1(
  onL1: Wallet,
  { portalAddress: address, disputeGameFactoryAddress: games }: Contracts,
  withdrawalHash: Hex,
): Promise<StepsOnL1> {
  const logs = await getContractEvents(onL1, { address, abi: PORTAL, args: { withdrawalHash }, fromBlock: 0n });
  const receiptsOf = (name: (typeof logs)[number]['eventName']) =>
    Promise.all(
      logs
        .filter(({ eventName }) => eventName === name)
        .map(({ transactionHash: hash }) => getTransactionReceipt(onL1, { hash })),
    );
  const [proofs, [finalized]] = await Promise.all([receiptsOf('WithdrawalProven'), receiptsOf('WithdrawalFinalized')]);
  const isOwn = ({ from }: TransactionReceipt) => isAddressEqual(from, onL1.account.address);
  // Of a withdrawal that is finalized, each proof counts.
  const proven = proofs.findLast((proof) => games === undefined || finalized !== undefined || isOwn(proof));
  return { ...(proven !== undefined && { proven }), ...(finalized !== undefined && { finalized }) };
}
