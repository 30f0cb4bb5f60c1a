import type { FaultDocument } from '../state/faults.ts';
import type { StandingFault } from './describe.ts';

/** A fault as it is given. Times of a document that it comes from are of no account. */
export interface Given {
  readonly id?: string;
  readonly since?: number;
  readonly until?: number;
}

/** Times of the network's clock (Unix ms). */
export interface Times {
  readonly since: number;
  readonly until?: number;
}

/** Returns a document without the faults of some ids. */
export function without({ partitions, shaping, rpc, pool }: FaultDocument, ids: ReadonlySet<string>): FaultDocument {
  const stands = ({ id }: { readonly id: string }) => !ids.has(id);
  return {
    partitions: partitions.filter(stands),
    shaping: shaping.filter(stands),
    rpc: rpc.filter(stands),
    pool: pool.filter(stands),
  };
}

/** Returns a fault with its id and its times. */
export function standing<Fault extends Given>(fault: Fault, id: string, times: Times) {
  const { since: _since, until: _until, ...content } = fault;
  return { ...content, id, ...times };
}

/** Returns the times of a fault that stands. */
export function timesOf({ since, until }: Times): Times {
  return { since, ...(until === undefined ? {} : { until }) };
}

/** What the supervisor adds to the content of a fault. */
const ADDED: readonly string[] = ['since', 'until', 'kind', 'from', 'nonce', 'epochs'];

/** Whether two faults have the same id and do the same. */
export function isSame(a: { readonly id: string }, b: { readonly id: string }): boolean {
  const contentOf = (fault: object) =>
    JSON.stringify(
      Object.entries(fault)
        .filter(([name]) => !ADDED.includes(name))
        .toSorted(([one], [other]) => one.localeCompare(other)),
    );
  return contentOf(a) === contentOf(b);
}

/** Returns whether a list lacks a fault. */
export function isNotIn(others: readonly StandingFault[]): (fault: StandingFault) => boolean {
  return (fault) => !others.some((other) => isSame(fault, other));
}
