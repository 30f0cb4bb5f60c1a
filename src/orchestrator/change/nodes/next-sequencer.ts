import { setTimeout as sleep } from 'node:timers/promises';
import { jsonField } from '../../../rpc/json-object.ts';
import { EXIT, Failure, messageOf } from '../../../system/failure.ts';
import type { NodeView } from '../../plan/plan.ts';
import { clientFor } from '../../probe/call.ts';

/** Blocks that a node may be behind the sequencer: gossip takes a moment. */
const MAX_LAG_BLOCKS = 3;
/** Readings of the heads before a node counts as behind: ten seconds, since a restarted node catches up first. */
const READINGS = 40;
/** Time (ms) between two of them. */
const PAUSE_MS = 250;
/** Timeout (ms) of a reading. */
const HEAD_TIMEOUT_MS = 3000;

/** Builds the failure of a move that has not begun. */
export function refusedMove(message: string, hint?: string): Failure {
  const nothing = 'nothing was stopped';
  return new Failure('sequencer', `sequencer move: ${message}`, {
    exit: EXIT.usage,
    hint: hint === undefined ? nothing : `${nothing}; ${hint}`,
  });
}

/**
 * Resolves when a node of a chain has the blocks of its sequencer but the newest three.
 * @throws Failure `sequencer` with the heads if the node stays behind for ten seconds, or one of them does not answer
 */
export async function mustFollow(chain: string, from: NodeView, to: NodeView, pauseMs = PAUSE_MS): Promise<void> {
  const nameOf = (node: NodeView) => `${chain}/${node.name}`;
  const active = await clientFor(from.cl.rpc)
    .call('admin_sequencerActive', [], { timeoutMs: HEAD_TIMEOUT_MS })
    .catch((error: unknown) => refusedMove(`${nameOf(from)}, the sequencer, does not answer: ${messageOf(error)}`));
  if (active instanceof Failure) throw active;
  if (active !== true)
    throw refusedMove(`${nameOf(from)} does not sequence`, 'start it first: admin_startSequencer of its rollup node');
  let heads = '';
  for (let reading = 0; reading < READINGS; reading++) {
    if (reading > 0) await sleep(pauseMs);
    const [one, other] = await Promise.all([unsafeHead(nameOf(from), from), unsafeHead(nameOf(to), to)]);
    if (one - other <= MAX_LAG_BLOCKS) return;
    heads = `its unsafe head is block ${other}, and that of ${nameOf(from)} is block ${one}`;
  }
  throw refusedMove(`${nameOf(to)} is behind: ${heads}`, 'wait until it has caught up, or choose another node');
}

async function unsafeHead(name: string, { cl }: NodeView): Promise<number> {
  try {
    const status = await clientFor(cl.rpc).call('optimism_syncStatus', [], { timeoutMs: HEAD_TIMEOUT_MS });
    return Number(jsonField(jsonField(status, 'unsafe_l2'), 'number'));
  } catch (error) {
    throw refusedMove(`${name} does not answer: ${messageOf(error)}`);
  }
}
