import type { RpcClient } from '../../rpc/client/client.ts';
import { messageOf } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import { pause } from '../../system/time/pause.ts';
import type { Lead } from './lead.ts';
import { hasLeftChain } from './left-chain.ts';
import type { Member } from './member.ts';

/** Time (ms) in which a new leader must have the last block, and the pause between two readings. */
const CATCH_UP_MS = 5000;
const CATCH_UP_PAUSE_MS = 50;

/** What the start of a leader works with. */
export interface StartParts {
  readonly lead: Lead;
  /** Undefined: this program knows no L1, and takes a block for gone by the members' safe chains alone. */
  readonly l1: RpcClient | undefined;
  readonly log: Logger;
}

/** Hands the last block to the leader, and starts it upon that. Resolves with whether it sequences. */
export async function startLeader(member: Member, parts: StartParts, signal: AbortSignal): Promise<boolean> {
  const { lead, log } = parts;
  try {
    const head = await catchUp(member, parts, signal);
    if (member.state?.isActive !== true) await member.start(head);
    await member.look();
    log.info('The leader sequences', { leader: member.name, head });
    return true;
  } catch (error) {
    log.warn('The leader does not start', { leader: member.name, term: lead.term, error: messageOf(error) });
    return false;
  }
}

/**
 * Releases the block that was committed last if the chain goes on without it: no member could start upon it. The leader
 * has another head, and has committed no block in its term. Resolves with whether it was released.
 */
export async function releaseIfGone(member: Member, { lead, l1, log }: StartParts): Promise<boolean> {
  const { last } = lead;
  if (last === null || !(await hasLeftChain(last.envelope, member, l1))) return false;
  if (lead.hasCommitted || lead.last?.hash !== last.hash) return false;
  lead.release();
  log.warn('The block that was committed last has left the chain', { number: last.number, hash: last.hash });
  return true;
}

/** Resolves with the head of a member once it has the last block. @throws Error if it does not get it in time */
async function catchUp(member: Member, parts: StartParts, signal: AbortSignal): Promise<string> {
  const until = performance.now() + CATCH_UP_MS;
  let isPosted = false;
  for (;;) {
    const { head } = await member.look();
    const { last } = parts.lead;
    if (last === null || head.hash === last.hash) return head.hash;
    if (await releaseIfGone(member, parts)) continue;
    if (!isPosted) await member.post(last.envelope);
    isPosted = true;
    if (performance.now() > until)
      throw new Error(`its head is block ${head.number} ${head.hash}, not block ${last.number} ${last.hash}`);
    await pause(CATCH_UP_PAUSE_MS, signal);
  }
}
