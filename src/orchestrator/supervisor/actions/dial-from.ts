import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeView, Task } from '../../plan/plan.ts';
import { clientFor } from '../../probe/call.ts';

/** Time (ms) between two attempts, and for one of them. */
const PAUSE_MS = 500;
const TIMEOUT_MS = 3000;

/** Whether a rollup node dials one of the nodes by itself: its command names their peer ids. */
export function dialsOneOf({ command }: Task, nodes: readonly NodeView[]): boolean {
  return nodes.some(({ cl }) => cl.peerId !== '' && command.argv.some((word) => word.includes(cl.peerId)));
}

/** Has each node dial another one until that succeeds once, or the signal aborts. */
export async function dialFrom(nodes: readonly NodeView[], to: NodeView, signal: AbortSignal): Promise<void> {
  await Promise.all(
    nodes.map(async ({ cl }) => {
      while (!signal.aborted) {
        const answer = clientFor(cl.rpc).call('opp2p_connectPeer', [to.cl.p2p], { timeoutMs: TIMEOUT_MS, signal });
        const isDone = await answer.then(
          () => true,
          () => false,
        );
        if (isDone) return;
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }),
  );
}
