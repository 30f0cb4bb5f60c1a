import type { Plan } from '../plan/plan.ts';
import { HOST, portRequests, preferredPorts } from '../plan/ports.ts';
import type { Io } from './command.ts';
import { homeOf } from './home.ts';
import type { LoadedSpec } from './load-spec.ts';
import { makePlan } from './make-plan.ts';

/** Stands for the place of L1 behind its gate, on which no problem of a spec depends. */
const ANY_PLACE = { host: HOST, port: 10_000 };

/** Plans a spec with its preferred ports, for what only the planner sees. @throws Failure */
export function planAnywhere(io: Io, loaded: LoadedSpec): Plan {
  const ports = preferredPorts(portRequests(loaded.spec, loaded.clients, ANY_PLACE));
  return makePlan(io, loaded, homeOf(io), { hiddenHost: ANY_PLACE.host, ports });
}
