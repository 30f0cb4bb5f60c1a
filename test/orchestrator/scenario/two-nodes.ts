import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { quantity } from '../../../src/protocol/hex.ts';
import { fixturePlan } from '../supervisor/fixture-plan.ts';
import { scriptedClient } from './scripted-run.ts';

/** Number of the newest block, which is far above the lag that counts as none. */
export const HEAD = 24;

/** Kind of a node: of the chain, with another block 3, with its hash alone, without newest blocks, without answers. */
export type NodeKind = 'same' | 'other' | 'renamed' | 'behind' | 'silent';

/** A chain of two nodes, of which the second may differ. */
export interface TwoNodes extends Disposable {
  /** `head`: number of its newest block, in place of that of its kind. */
  readonly verifier: { is: NodeKind; head?: (() => number) | undefined };
  readonly plan: Plan;
}

const hashOf = (number: number, kind: NodeKind) => {
  const isOwn = (kind === 'other' || kind === 'renamed') && number >= 3;
  return `0x${(isOwn ? 'f' : 'b').repeat(62)}${String(number).padStart(2, '0')}`;
};
const blockOf = (tag: unknown, kind: NodeKind, head: number) => {
  const number = tag === 'finalized' ? 0 : typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : head;
  if (number > head) return null;
  const parentHash = number === 0 ? `0x${'00'.repeat(32)}` : hashOf(number - 1, kind);
  const fields = { stateRoot: kind === 'other' && number >= 3 ? '0x2' : '0x1', transactions: [] };
  return { number: quantity(number), hash: hashOf(number, kind), parentHash, timestamp: quantity(number), ...fields };
};
const client = ({ verifier }: Pick<TwoNodes, 'verifier'>) =>
  scriptedClient((method, [tag]) => {
    const { is } = verifier;
    const head = verifier.head?.() ?? (is === 'behind' ? 1 : HEAD);
    const ref = { number: head, hash: hashOf(head, is) };
    if (is === 'silent') return undefined;
    if (method === 'eth_getBlockByNumber') return { result: blockOf(tag, is, head) };
    return { result: method === 'optimism_syncStatus' ? { unsafe_l2: ref, safe_l2: ref } : quantity(head) };
  });

/** Serves two nodes of one chain. */
export async function twoNodes(home = '/home'): Promise<TwoNodes> {
  const verifier: TwoNodes['verifier'] = { is: 'same' };
  const clients: readonly Server[] = [await client({ verifier: { is: 'same' } }), await client({ verifier })];
  const ports = clients.map((each) => ({ port: (each.address() as AddressInfo).port }));
  return {
    verifier,
    plan: fixturePlan(home, 'one', ports),
    [Symbol.dispose]() {
      for (const each of clients) {
        each.closeAllConnections();
        each.close();
      }
    },
  };
}
