import * as z from 'zod/mini';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { type Devnet, viewOf } from '../devnet/select.ts';
import { chainOf } from '../devnet/select-chain.ts';
import type { ChainView } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';

/** Timeout (ms) of a question, and of a transfer: the new leader gets the last block first. */
const STATUS_TIMEOUT_MS = 5000;
const TRANSFER_TIMEOUT_MS = 30_000;

const member = z.object({
  name: z.string(),
  healthy: z.boolean(),
  sequencing: z.boolean(),
  block: z.nullable(z.number()),
});

const status = z.object({
  leader: z.nullable(z.string()),
  /** Null: op-conductors elect the leader, and tell no term and no block. */
  term: z.nullable(z.number()),
  paused: z.boolean(),
  last: z.nullable(z.object({ number: z.number(), hash: z.string() })),
  members: z.array(member),
});

/** What a conductor says of its set. */
export type ConductorStatus = z.output<typeof status>;

/** Asks the conductor of a chain for its set. @throws Failure `conductor` if there is none or it does not answer */
export async function conductorStatus(devnet: Devnet, chainName: string | undefined): Promise<ConductorStatus> {
  const answer = await ask(conductedChain(devnet, chainName), 'devnet_conductorStatus', [], STATUS_TIMEOUT_MS);
  return status.parse(answer);
}

/** Gives the lead of a set to a node. @throws Failure `conductor` if it does not take it */
export async function transferLead(
  devnet: Devnet,
  node: string,
  chainName: string | undefined,
): Promise<ConductorStatus> {
  const chain = conductedChain(devnet, chainName);
  const name = node.replace(/^.*\//, '');
  const members = chain.nodes.filter(({ role }) => role === 'sequencer').map((each) => each.name);
  if (!members.includes(name))
    throw new Failure('conductor', `${node} is not a sequencer of the chain ${chain.name}`, {
      exit: EXIT.usage,
      hint: `its sequencers: ${members.join(', ')}`,
    });
  await ask(chain, 'conductor_transferLeaderToServer', [name, ''], TRANSFER_TIMEOUT_MS);
  return conductorStatus(devnet, chain.name);
}

function conductedChain(devnet: Devnet, name: string | undefined): ChainView {
  const chain = chainOf(viewOf(devnet).plan, name);
  if (chain.conductor !== undefined) return chain;
  throw new Failure('conductor', `the chain ${chain.name} has no conductor`, {
    exit: EXIT.usage,
    hint: 'its spec says `conductor: true` for three or more sequencers',
  });
}

async function ask({ name, conductor }: ChainView, method: string, params: readonly unknown[], timeoutMs: number) {
  try {
    return await clientFor(conductor?.rpc ?? '').call(method, params, { timeoutMs });
  } catch (cause) {
    throw new Failure('conductor', `the conductor of ${name}: ${messageOf(cause)}`, { cause });
  }
}
