import { endpointsOf } from '../plan/chain/endpoints.ts';
import type { ChainView, Plan } from '../plan/plan.ts';
import type { Path } from '../spec/schema/json.ts';
import { text, withDescription } from '../spec/schema/words.ts';
import { keyOf } from '../traffic/payer.ts';
import { type Chain, chainAt, type Wallet, walletAt } from '../traffic/transaction.ts';
import { type Facts, knowsNode, knowsSender } from './facts.ts';
import { nodesNamed } from './places.ts';

/** Where a transaction or a call goes. */
export const on = withDescription(text, 'l1, or a node; absent: the sequencer of the first chain');

/** An execution client of the devnet. */
export interface Target {
  readonly url: string;
  /** The chain of its funded accounts: those of L1 are the accounts of the first chain. */
  readonly chain: ChainView;
}

/** Finds the execution client that `on` names. */
export function targetOf(plan: Plan, word: string | undefined): Target {
  const [first] = plan.network.chains;
  if (word === 'l1' && first !== undefined) return { url: plan.network.l1.rpc, chain: first };
  const place = word === undefined ? undefined : nodesNamed(plan, word)[0];
  if (place !== undefined) return { url: place.node.el.http, chain: place.chain };
  if (first === undefined) throw new Error('the plan has no chain');
  return { url: endpointsOf(first).http, chain: first };
}

/** Reports a target or an account that the devnet does not have. */
export function knowsTarget(facts: Facts, path: Path, word: string | undefined, from?: number): void {
  if (word !== 'l1' && !knowsNode(facts, [...path, 'on'], word)) return;
  if (from !== undefined) knowsSender(facts, [...path, 'from'], targetOf(facts.plan, word).chain.name, from);
}

/** Returns the client of a target, for reading. */
export function readerOf(plan: Plan, word: string | undefined): Chain {
  return chainAt(targetOf(plan, word).url);
}

/** Returns the client of a target with a funded account. */
export function walletOn(plan: Plan, word: string | undefined, from: number): Wallet {
  const { url, chain } = targetOf(plan, word);
  return walletAt(url, keyOf(chain, from));
}
