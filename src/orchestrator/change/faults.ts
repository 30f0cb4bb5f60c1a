import { Failure } from '../../system/failure.ts';
import type { ControlClient } from '../control/client.ts';
import type { FaultsRequest } from '../control/requests.ts';
import { type Devnet, viewOf, withControl } from '../devnet/select.ts';
import { mustFit, mustStand } from '../faults/checks.ts';
import type { GivenDocument } from '../faults/schema.ts';
import type { FaultDocument, GivenFault } from '../state/faults.ts';

/** The faults that stand after a request, and the ids that it is about. */
export interface FaultsAnswer {
  readonly faults: FaultDocument;
  readonly ids: readonly string[];
}

/** Reads the faults of a network. @throws Failure */
export async function readFaults(devnet: Devnet): Promise<FaultDocument> {
  return (await withControl(devnet, (control) => ask(control, { action: 'read' }))).faults;
}

/** Adds a fault, which stands for some time of the network or until it is healed. Returns its id. @throws Failure */
export async function addFault(devnet: Devnet, fault: GivenFault, forMs?: number): Promise<string> {
  mustFit(viewOf(devnet).plan, [fault]);
  const { ids } = await withControl(devnet, (control) => ask(control, addition(fault, forMs)));
  return ids.join();
}

/** Ends faults, and returns their ids. @throws Failure `fault` (exit 2) if one of the ids is none */
export async function healFaults(devnet: Devnet, ids: readonly string[] | 'all'): Promise<readonly string[]> {
  const answer = await withControl(devnet, async (control) => {
    if (ids !== 'all') mustStand((await ask(control, { action: 'read' })).faults, ids);
    return ask(control, { action: 'heal', ...(ids === 'all' ? {} : { ids: [...ids] }) });
  });
  return answer.ids;
}

/** Replaces all faults of a network, and returns those that stand. @throws Failure */
export async function applyFaults(devnet: Devnet, document: GivenDocument): Promise<FaultDocument> {
  return (await withControl(devnet, (control) => ask(control, { action: 'apply', document }))).faults;
}

/** How a fault that stands for some time has ended. */
type FaultEnd = 'over' | 'interrupted';

/**
 * Adds a fault and waits until it is over. It is healed when `signal` is aborted. `begun` is called with its id.
 * @throws Failure, also `ended` if the network ends before
 */
export async function duringFault(
  devnet: Devnet,
  { fault, forMs }: { readonly fault: GivenFault; readonly forMs: number },
  { begun, signal }: { readonly begun: (id: string) => void; readonly signal: AbortSignal },
): Promise<FaultEnd> {
  mustFit(viewOf(devnet).plan, [fault]);
  return withControl(devnet, async (control) => {
    const over = new Set<string>();
    const { promise: changed, resolve: change } = Promise.withResolvers<void>();
    let id: string | undefined;
    const end = control.events(({ event, ...rest }) => {
      if (event !== 'network' || !('network' in rest)) return;
      const { network } = rest;
      if (network.kind !== 'fault' || network.state === 'added') return;
      over.add(network.id);
      if (network.id === id) change();
    }, 'watch');
    [id] = (await ask(control, addition(fault, forMs))).ids;
    begun(String(id));
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    if (signal.aborted || !over.has(String(id))) await Promise.race([changed, aborted, end]);
    if (over.has(String(id))) return 'over';
    if (!signal.aborted) throw new Failure('ended', `the network ended while fault ${id} stood`);
    await ask(control, { action: 'heal', ids: [String(id)] });
    return 'interrupted';
  });
}

function addition(fault: GivenFault, forMs: number | undefined): Change {
  return { action: 'add', fault, ...(forMs === undefined ? {} : { forMs }) } as const;
}

/** A request without its number and its method. */
type Change = FaultsRequest extends infer Each
  ? Each extends FaultsRequest
    ? Omit<Each, 'id' | 'method'>
    : never
  : never;

function ask(control: ControlClient, change: Change): Promise<FaultsAnswer> {
  return control.ask<FaultsAnswer>({ method: 'faults', ...change });
}
