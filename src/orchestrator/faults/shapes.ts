import { Failure } from '../../system/failure.ts';
import { CLEAN, CLEAN_LINK, type LinkShape, type Shape } from '../../system/net/link/line.ts';
import { ANY } from '../plan/links.ts';
import type { Link, Plan } from '../plan/plan.ts';
import type { FaultDocument, L1PoolFault, Partition, RpcFault, Shaping } from '../state/faults.ts';
import { linksBetween, mustDivide } from './partition.ts';
import { refusal } from './places.ts';
import { poolTarget, taskOf } from './pool.ts';
import { linksOfServer, mustFitMethod } from './rpc-targets.ts';
import { linksOfTarget } from './target.ts';

type Network = Pick<Plan, 'network' | 'links'>;

/** A link and what a fault does to it. */
interface ShapedLink {
  readonly link: Link;
  readonly shape: LinkShape;
}

/** Bytes per second of a kilobit per second. */
const KILOBIT = 1000 / 8;

/**
 * Returns the shapes of all links that a document's faults touch, by their ids. Where several touch one link, the
 * strictest of each kind is in force.
 */
export function shapesOf(plan: Network, { partitions, shaping }: FaultDocument): ReadonlyMap<string, LinkShape> {
  const shapes = new Map<string, LinkShape>();
  const all = [
    ...partitions.flatMap((each) => shapedBy(plan, { partition: each })),
    ...shaping.flatMap((each) => shapedBy(plan, { shaping: each })),
  ];
  for (const { link, shape } of all) {
    const other = shapes.get(link.id);
    shapes.set(link.id, other === undefined ? shape : strictest(other, shape));
  }
  return shapes;
}

/** A fault as far as links depend on it. */
export type LinkFault =
  | { readonly partition: Pick<Partition, 'groups'> }
  | { readonly shaping: Omit<Shaping, 'id' | 'since' | 'until'> }
  | { readonly rpc: Omit<RpcFault, 'id' | 'since' | 'until'> }
  | { readonly pool: Pick<L1PoolFault, 'of'> & Partial<Pick<L1PoolFault, 'from'>> };

/** @throws Failure `fault` (exit 2) if a fault names a node, a link or an account that the network lacks */
export function mustTouch(plan: Network, fault: LinkFault): void {
  if ('pool' in fault) poolTarget(plan, fault.pool.of);
  else if ('partition' in fault) mustDivide(plan, fault.partition.groups);
  else if ('rpc' in fault) {
    mustFitMethod(fault.rpc);
    linksOfServer(plan, fault.rpc);
  } else linksOfTarget(plan, fault.shaping.target);
}

/** Returns the links that a fault touches: none, if the network has lost what the fault names. */
export function shapedBy(plan: Network, fault: LinkFault): readonly ShapedLink[] {
  if ('pool' in fault) return [];
  if ('partition' in fault)
    return linksBetween(plan, fault.partition.groups).map((link) => ({ link, shape: { ...CLEAN_LINK, isCut: true } }));
  if ('rpc' in fault) return ifThere(() => linksOfServer(plan, fault.rpc)).map((link) => ({ link, shape: CLEAN_LINK }));
  const { target, direction = 'both' } = fault.shaping;
  const shape = shapeOf(fault.shaping);
  return ifThere(() => linksOfTarget(plan, target)).map(({ link, isForward }) => {
    const isThere = direction === 'both' || (direction === 'egress') === isForward;
    const isBack = direction === 'both' || (direction === 'ingress') === isForward;
    const isCut = fault.shaping.cut === true;
    return { link, shape: { there: isThere ? shape : CLEAN, back: isBack ? shape : CLEAN, isCut } };
  });
}

/** Returns what a fault names; nothing, if the network has lost it since. */
function ifThere<Found>(find: () => readonly Found[]): readonly Found[] {
  try {
    return find();
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

/** Returns the wrong answers of a document by the id of their link. @throws Failure `fault` (exit 2) */
export function wrongAnswersOf(plan: Network, { rpc }: FaultDocument): ReadonlyMap<string, readonly RpcFault[]> {
  const byLink = new Map<string, readonly RpcFault[]>();
  for (const fault of rpc) {
    for (const { link } of shapedBy(plan, { rpc: fault })) {
      const others = byLink.get(link.id) ?? [];
      const other = others.find(({ method }) => method === fault.method);
      if (other !== undefined)
        throw refusal(`${fault.method} of ${fault.target} has the fault ${other.id} already`, { id: other.id });
      byLink.set(link.id, [...others, fault]);
    }
  }
  return byLink;
}

/** Returns the tasks at the ends of the links that a fault touches, or the one whose transaction it touches. */
export function tasksTouched(plan: Network, fault: LinkFault): ReadonlySet<string> {
  if ('pool' in fault) {
    const { from } = fault.pool;
    const task = from === undefined ? undefined : taskOf(plan, { from });
    return new Set(task === undefined ? [] : [task]);
  }
  return new Set(shapedBy(plan, fault).flatMap(({ link: { from, to } }) => (from === ANY ? [to] : [from, to])));
}

function shapeOf({ delay = 0, jitter = 0, loss = 0, bandwidth, drop }: Partial<Shaping>): Shape {
  return {
    ...{ delayMs: delay, jitterMs: jitter, loss: loss / 100, isDropped: drop === true },
    ...(bandwidth === undefined ? {} : { rate: bandwidth * KILOBIT }),
  };
}

function strictest(a: LinkShape, b: LinkShape): LinkShape {
  return { there: strictestLine(a.there, b.there), back: strictestLine(a.back, b.back), isCut: a.isCut || b.isCut };
}

function strictestLine(a: Shape, b: Shape): Shape {
  const rate = Math.min(a.rate ?? Number.POSITIVE_INFINITY, b.rate ?? Number.POSITIVE_INFINITY);
  return {
    delayMs: Math.max(a.delayMs, b.delayMs),
    jitterMs: Math.max(a.jitterMs, b.jitterMs),
    loss: Math.max(a.loss, b.loss),
    isDropped: a.isDropped || b.isDropped,
    ...(Number.isFinite(rate) ? { rate } : {}),
  };
}
