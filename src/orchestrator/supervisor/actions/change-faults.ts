import type { FaultsRequest } from '../../control/requests.ts';
import { mustHaveLinks, mustHaveLinksFor } from '../../faults/checks.ts';
import type { Faults } from '../../faults/faults.ts';
import { poolTarget } from '../../faults/pool.ts';
import type { GivenDocument } from '../../faults/schema.ts';
import type { Plan } from '../../plan/plan.ts';
import type { L1Control } from './l1-control.ts';

/** What requests about faults change. */
interface FaultChange {
  readonly faults: Faults;
  /** The plan in force. */
  readonly plan: Plan;
  readonly l1: L1Control;
}

/**
 * Does what a request wants of the faults, as a whole or not at all. Returns the ids of those that it is about.
 * @throws Failure
 */
export async function changeFaults(parts: FaultChange, request: FaultsRequest): Promise<readonly string[]> {
  const ids = await changed(parts, request);
  await parts.l1.pool.sent();
  return ids;
}

async function changed(parts: FaultChange, request: FaultsRequest): Promise<readonly string[]> {
  const { faults, plan } = parts;
  switch (request.action) {
    case 'read':
      return [];
    case 'add': {
      const { fault, forMs } = request;
      if ('pool' in fault) return [faults.add({ pool: await withNonce(parts, fault.pool) }, forMs)];
      mustHaveLinks(plan);
      return [faults.add(fault, forMs)];
    }
    case 'heal':
      return faults.heal(request.ids ?? 'all');
    case 'apply': {
      const { document } = request;
      mustHaveLinksFor(plan, document);
      const stands = ({ id }: { readonly id?: string }) => faults.document.pool.some((each) => each.id === id);
      const pool = await Promise.all(document.pool.map((each) => (stands(each) ? each : withNonce(parts, each))));
      faults.apply({ ...document, pool });
      return [];
    }
  }
}

type Pooled = GivenDocument['pool'][number];

/** Returns a fault of L1's pool with the sender and the nonce of its hash. @throws Failure if L1 has no such pool */
async function withNonce({ plan, l1 }: FaultChange, { from: _, nonce: __, ...fault }: Pooled): Promise<Pooled> {
  l1.mustMakeBlocks();
  const target = poolTarget(plan, fault.of);
  return 'hash' in target ? { ...fault, ...(await l1.find(target.hash)) } : fault;
}
