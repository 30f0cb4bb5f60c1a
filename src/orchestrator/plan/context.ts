import type { Spec } from '../spec/schema/types.ts';
import type { ClientTemplate } from '../template/template.ts';
import type { PlanInputs } from './inputs.ts';
import type { Addresses } from './reach.ts';

/** A network that is planned: its spec, the templates of its clients, and the inputs beside them. */
export interface PlanContext {
  readonly spec: Spec;
  readonly clients: ReadonlyMap<string, ClientTemplate>;
  readonly inputs: PlanInputs;
  /** Genesis of L1 and L2, Unix seconds. */
  readonly genesisTime: number;
  readonly addresses: Addresses;
}
