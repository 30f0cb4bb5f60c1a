import { EXIT, Failure } from '../../system/failure.ts';
import { type Devnet, viewOf } from '../devnet/select.ts';
import { chainOf } from '../devnet/select-chain.ts';

/** A process that posts to L1 for a chain. */
export type PosterKind = 'batcher' | 'proposer';

/**
 * Returns the task of a chain's batcher or proposer.
 * @throws Failure `chain` (exit 2) if no chain or several fit, `target` if the chain has no such process
 */
export function posterOf(devnet: Devnet, kind: PosterKind, chainName: string | undefined): string {
  const { plan } = viewOf(devnet);
  const { name, [kind]: poster } = chainOf(plan, chainName);
  if (poster !== undefined) return poster.task;
  const others = plan.network.chains.flatMap((chain) => chain[kind]?.task ?? []);
  throw new Failure('target', `the chain ${name} has no ${kind}: its spec says \`${kind}: false\``, {
    exit: EXIT.usage,
    ...(others.length === 0 ? {} : { hint: `${kind}s of other chains: ${others.join(', ')}` }),
  });
}
