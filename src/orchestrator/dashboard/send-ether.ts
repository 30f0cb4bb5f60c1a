import { isAddress } from 'viem/utils';
import { EXIT, Failure } from '../../system/failure.ts';
import { etherText } from '../../system/numbers/human.ts';
import { type Devnet, mustBeUp, viewOf } from '../devnet/select.ts';
import { chainOf } from '../devnet/select-chain.ts';
import { whileRunning } from '../scenario/time.ts';
import { AMOUNT, parseWei } from '../spec/schema/values.ts';
import { deposit } from '../traffic/deposit.ts';
import { fund } from '../traffic/fund.ts';
import { keyOf } from '../traffic/payer.ts';
import { walletAt } from '../traffic/transaction.ts';

const ARRIVAL_TIMEOUT_MS = 60_000;
/** Gas on L2 of a deposit that calls nothing. */
const DEPOSIT_GAS = 200_000n;

/** Ether for an address on L2. */
export interface EtherRequest {
  readonly kind: 'fund' | 'deposit';
  readonly chain: string;
  readonly to: string;
  readonly amount: string;
}

/** Sends ether to an address on L2 as `devnet fund` and `devnet deposit` do, and says what came. @throws Failure */
export async function sendEther(devnet: Devnet, { kind, chain: name, to, amount }: EtherRequest): Promise<string> {
  const wei = parseWei(amount);
  if (wei === undefined || wei < 1n) throw usage(`expected ${AMOUNT}, found ${JSON.stringify(amount)}`);
  if (!isAddress(to)) throw usage(`expected an address of 20 bytes in hex, found ${JSON.stringify(to)}`);
  const { plan } = viewOf(devnet);
  const chain = chainOf(plan, name);
  mustBeUp(devnet);
  return whileRunning(devnet, plan, async () => {
    if (kind === 'fund') {
      const { l2, balance } = await fund(plan, chain, { address: to, amount: wei }, ARRIVAL_TIMEOUT_MS);
      return `${to} has ${etherText(balance)} on ${name} now: L2 transaction ${l2.transactionHash}`;
    }
    const wallet = walletAt(plan.network.l1.rpc, keyOf(chain, 0));
    const request = { to, value: wei, mint: wei, gas: DEPOSIT_GAS, data: '0x' as const };
    const { l2 } = await deposit(plan, chain, wallet, request, ARRIVAL_TIMEOUT_MS);
    return `deposited ${etherText(wei)} to ${to} on ${name}, ${l2.status}: L2 transaction ${l2.transactionHash}`;
  });
}

const usage = (message: string): Failure => new Failure('usage', message, { exit: EXIT.usage });
