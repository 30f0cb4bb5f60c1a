import { addFault, applyFaults, healFaults, readFaults } from '../../orchestrator/change/faults.ts';
import { type Devnet as Found, viewOf } from '../../orchestrator/devnet/select.ts';
import { readDocument } from '../../orchestrator/faults/read-document.ts';
import type { FaultDocument, GivenFault } from '../../orchestrator/state/faults.ts';
import type { CallScope } from './test-scope.ts';

/** Faults of the links of a network that was started with `faults: true`, and of L1's pool in any network. */
export interface Faults {
  /** Reads the faults that stand. */
  read(): Promise<FaultDocument>;
  /**
   * Puts a fault on links or into L1's pool, and returns its id. It stands for `forMs` of the network's clock, or
   * until it is healed.
   * @throws UsageError if it names a node or a link that the network lacks
   */
  add(fault: GivenFault, options?: { readonly forMs?: number }): Promise<string>;
  /** Divides the network, and returns the id of the partition: no connection between the groups. */
  partition(...groups: string[][]): Promise<string>;
  /** Ends faults by their ids; all without one. @throws UsageError if one of them does not stand */
  heal(...ids: string[]): Promise<readonly string[]>;
  /** Replaces all faults. @throws UsageError if one of them names a node or a link that the network lacks */
  apply(
    document: Partial<Pick<FaultDocument, 'partitions'>> & {
      readonly [Kind in 'shaping' | 'rpc' | 'pool']?: readonly object[];
    },
  ): Promise<FaultDocument>;
}

/** Makes what puts faults on the links of a network. */
export function faultsOf(running: () => Found, inScope: CallScope['run']): Faults {
  const add: Faults['add'] = (fault, { forMs } = {}) => inScope(() => addFault(running(), fault, forMs));
  return {
    add,
    read: () => inScope(() => readFaults(running())),
    partition: (...groups) => add({ partition: { groups } }),
    heal: (...ids) => inScope(() => healFaults(running(), ids.length === 0 ? 'all' : ids)),
    apply: (document) =>
      inScope(async () => {
        const devnet = running();
        const source = { name: 'faults', text: JSON.stringify(document, null, 2) };
        return applyFaults(devnet, readDocument(source, viewOf(devnet).plan));
      }),
  };
}
