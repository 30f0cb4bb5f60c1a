import * as z from 'zod/mini';
import { EXIT, Failure } from '../../system/failure.ts';
import { spanText } from '../../system/numbers/human.ts';
import { actOnNode } from '../change/act-on-node.ts';
import { changeNodeIn } from '../change/change-node.ts';
import { setClock, warp } from '../change/warp.ts';
import { type Devnet, viewOf } from '../devnet/select.ts';
import { chainOf } from '../devnet/select-chain.ts';
import { restoreSnapshot, saveSnapshot } from '../snapshots/snapshot.ts';
import { SNAPSHOT_NAME, SNAPSHOT_NAME_TEXT } from '../snapshots/store.ts';
import type { Io } from '../terminal/io.ts';
import { keysOf } from './connect.ts';

z.config({ jitless: true });

const word = z.string().check(z.minLength(1), z.maxLength(200));

// A word with a slash would be any file of the machine.
const snapshot = z.string().check(z.regex(SNAPSHOT_NAME, `expected ${SNAPSHOT_NAME_TEXT}`));

/** What a button asks for. Commands of the same names do the same. */
const action = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('node'), action: z.enum(['stop', 'start', 'kill', 'pause', 'resume']), node: word }),
  z.strictObject({ kind: z.literal('restart'), node: word }),
  z.strictObject({ kind: z.literal('override'), node: word, fork: word, time: word }),
  z.strictObject({ kind: z.literal('warp'), to: word, chain: z.optional(word) }),
  z.strictObject({ kind: z.literal('snapshot'), action: z.enum(['save', 'restore']), name: snapshot }),
  z.strictObject({ kind: z.enum(['fund', 'deposit']), chain: word, to: word, amount: word }),
  z.strictObject({ kind: z.literal('keys'), chain: word }),
  z.strictObject({ kind: z.literal('clock'), action: z.enum(['pause', 'resume']) }),
]);

/** Does what the command of that name does, and returns what it did, or the keys as JSON. @throws Failure */
export async function perform(io: Io, devnet: Devnet, request: unknown): Promise<string> {
  const parsed = action.safeParse(request);
  if (!parsed.success)
    throw new Failure('usage', `malformed action: ${parsed.error.issues[0]?.message ?? 'not understood'}`, {
      exit: EXIT.usage,
    });
  const { data } = parsed;
  if (data.kind === 'node') {
    const { done, others } = await actOnNode(devnet, data.action, data.node);
    return `${data.action}: ${done.join(', ') || 'no process'}${others.length > 0 ? `, not ${others.join(', ')}` : ''}`;
  }
  if (data.kind === 'warp') {
    const { at, from } = await warp(devnet, { to: data.to, past: false, chain: data.chain });
    return `warped ${spanText((at - from) / 1000)}`;
  }
  if ('amount' in data) {
    // It takes a library for transactions, which a page without a faucet does not load.
    const { sendEther } = await import('./send-ether.ts');
    return sendEther(devnet, data);
  }
  // Accounts can be those of a user's own mnemonic: their keys take the token, as a change does.
  if (data.kind === 'keys') return JSON.stringify(keysOf(chainOf(viewOf(devnet).plan, data.chain)));
  if (data.kind === 'clock') {
    await setClock(devnet, data.action);
    return `clock: ${data.action}d`;
  }
  if (data.kind === 'snapshot') {
    const change = data.action === 'save' ? saveSnapshot : restoreSnapshot;
    const { at } = await change(io, devnet, data.name);
    return `${data.action === 'save' ? 'saved' : 'back'} at ${new Date(at).toISOString()}: ${data.name}`;
  }
  const overrides = data.kind === 'override' ? [[data.fork, data.time] as const] : [];
  const manner = { rewind: false, empty: false };
  const { restarted } = await changeNodeIn(io, devnet, data.node, { overrides, args: [] }, manner);
  return `${restarted.join(', ')} restarted`;
}
