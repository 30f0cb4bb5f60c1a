import type { LoadedSpec } from '../load/loaded-spec.ts';
import { planInputs } from '../load/plan-inputs.ts';
import { entryOf } from '../plan/lookup.ts';
import type { Plan } from '../plan/plan.ts';
import { portRequests, preferredPorts } from '../plan/ports.ts';
import { HOST } from '../plan/reach.ts';
import { planNetwork } from '../plan/tasks/network.ts';
import type { Io } from '../terminal/io.ts';
import { hostNamesOf, L1_UNIT } from './host-names.ts';

/** Place of anvil in the unit of L1. No other unit calls it there. */
const ANVIL_PLACE = { host: HOST, port: 18_545 };

/** Numbers of all ports of an exported network by `<task>:<port>`. No two units share one. */
function portsOf({ spec, clients }: LoadedSpec): Readonly<Record<string, number>> {
  return preferredPorts(portRequests(spec, clients, ANVIL_PLACE));
}

/** Returns the URL of the beacon API of L1, which tells every unit the genesis time. */
export function beaconUrlOf(loaded: LoadedSpec): string {
  return `http://${L1_UNIT}:${entryOf(portsOf(loaded), 'l1-beacon:http')}`;
}

/**
 * Plans an exported network: each unit computes the same plan from spec, seed and genesis time.
 * `home`: folder of all data. `genesisTime` (Unix seconds) is also the time that `now` in the spec's fork times means.
 */
export function planUnits(io: Pick<Io, 'env'>, loaded: LoadedSpec, home: string, genesisTime: number): Plan {
  const places = { hiddenHost: ANVIL_PLACE.host, ports: portsOf(loaded), hostNames: hostNamesOf(loaded.spec) };
  return planNetwork(loaded.spec, loaded.clients, planInputs(io, loaded, home, places, genesisTime));
}
