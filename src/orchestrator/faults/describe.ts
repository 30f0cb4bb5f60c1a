import { spanText } from '../../system/numbers/human.ts';
import type { Plan } from '../plan/plan.ts';
import type { FaultDocument, GivenFault, L1PoolFault, Partition, RpcFault, Shaping } from '../state/faults.ts';
import { poolText } from './pool.ts';
import { type LinkFault, shapedBy } from './shapes.ts';

/** A fault with its kind. */
export type StandingFault =
  | (Partition & { readonly kind: 'partition' })
  | (Shaping & { readonly kind: 'shaping' })
  | (RpcFault & { readonly kind: 'rpc' })
  | (L1PoolFault & { readonly kind: 'pool' });

/** Lists the faults of a document in the order of their beginning. */
export function faultsOf({ partitions, shaping, rpc, pool }: FaultDocument): readonly StandingFault[] {
  const all = [
    ...partitions.map((each) => ({ kind: 'partition' as const, ...each })),
    ...shaping.map((each) => ({ kind: 'shaping' as const, ...each })),
    ...rpc.map((each) => ({ kind: 'rpc' as const, ...each })),
    ...pool.map((each) => ({ kind: 'pool' as const, ...each })),
  ];
  return all.toSorted((a, b) => a.since - b.since);
}

type RpcText = Pick<RpcFault, 'target' | 'method' | 'answer'>;

type PoolText = Pick<L1PoolFault, 'action' | 'of' | 'nonce'>;

/** Describes a fault, without its id. */
export function faultText(fault: Pick<Partition, 'groups'> | RpcText | PoolText | Pick<Shaping, 'target'>): string {
  if ('groups' in fault) return `partition ${fault.groups.map((group) => group.join(',')).join(' | ')}`;
  if ('action' in fault) return poolText(fault);
  if ('answer' in fault) return `${fault.answer} for ${fault.method} of ${fault.target}`;
  return shapingText(fault);
}

/** Describes a fault that is given, without its id. */
export function givenText(fault: GivenFault): string {
  return faultText(contentOf(fault));
}

type ContentOf<Fault> = Fault extends unknown ? Fault[keyof Fault] : never;

/** Returns a fault without its kind. */
export function contentOf(fault: GivenFault): ContentOf<GivenFault> {
  if ('partition' in fault) return fault.partition;
  if ('pool' in fault) return fault.pool;
  return 'rpc' in fault ? fault.rpc : fault.shaping;
}

function shapingText({
  target,
  delay,
  jitter,
  loss,
  bandwidth,
  cut,
  drop,
  direction = 'both',
}: Omit<Shaping, 'id' | 'since'>) {
  const parts = [
    ...(cut === undefined ? [] : ['cut']),
    ...(drop === undefined ? [] : ['drop']),
    ...(delay === undefined && jitter === undefined
      ? []
      : [`delay ${delay ?? 0} ms${jitter === undefined ? '' : ` ± ${jitter} ms`}`]),
    ...(bandwidth === undefined ? [] : [`limit ${bandwidth} kbit/s`]),
    // A stream lacks no byte: it waits.
    ...(loss === undefined ? [] : [`loss ${loss} % (TCP stalls)`]),
  ];
  return `${parts.join(', ')} ${target}${direction === 'both' ? '' : ` ${direction}`}`;
}

/** Formats a fault as a cause in messages. */
export function causeText(fault: StandingFault): string {
  return `fault ${fault.id}: ${faultText(fault)}`;
}

/** Formats the faults of a network for people. `now`: the network's clock, Unix ms. */
export function faultLines(
  document: FaultDocument,
  plan: Pick<Plan, 'network' | 'links'>,
  now: number,
): readonly string[] {
  return faultsOf(document).map((fault) => {
    const links = shapedBy(plan, linkFault(fault)).length;
    const place = fault.kind === 'pool' ? 'pool of L1' : `${links} link${links === 1 ? '' : 's'}`;
    return `${fault.id.padEnd(3)} ${faultText(fault)}  ${place}, ${timeText(fault, now)}`;
  });
}

/** Formats since when a fault stands, and how long it stands still. */
export function timeText({ since, until }: Pick<StandingFault, 'since' | 'until'>, now: number): string {
  const left = until === undefined ? '' : `, ${spanText(Math.ceil((until - now) / 1000))} left`;
  return `since ${new Date(since).toISOString().slice(11, 19)} UTC${left}`;
}

/** Returns a standing fault as a fault of links. */
export function linkFault(fault: StandingFault): LinkFault {
  if (fault.kind === 'partition') return { partition: fault };
  if (fault.kind === 'pool') return { pool: fault };
  return fault.kind === 'rpc' ? { rpc: fault } : { shaping: fault };
}
