import { homeOf } from '../folder/home.ts';
import type { Plan } from '../plan/plan.ts';
import { portRequests, preferredPorts } from '../plan/ports.ts';
import { HOST } from '../plan/reach.ts';
import { planNetwork } from '../plan/tasks/network.ts';
import type { Io } from '../terminal/io.ts';
import type { LoadedSpec } from './loaded-spec.ts';
import { planInputs } from './plan-inputs.ts';

/** Placeholder for the address of L1 behind its gate. No problem of a spec depends on it. */
const ANY_PLACE = { host: HOST, port: 10_000 };

/** Plans a spec with its preferred ports, to find problems that only the planner detects. @throws Failure */
export function planAnywhere(io: Io, loaded: LoadedSpec): Plan {
  const ports = preferredPorts(portRequests(loaded.spec, loaded.clients, ANY_PLACE));
  return planNetwork(
    loaded.spec,
    loaded.clients,
    planInputs(io, loaded, homeOf(io), { hiddenHost: ANY_PLACE.host, ports }),
  );
}
