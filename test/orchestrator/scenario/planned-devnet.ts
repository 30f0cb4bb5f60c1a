import { loadSpec } from '../../../src/orchestrator/load/load-spec.ts';
import { planInputs } from '../../../src/orchestrator/load/plan-inputs.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { portRequests, preferredPorts } from '../../../src/orchestrator/plan/ports.ts';
import { planNetwork } from '../../../src/orchestrator/plan/tasks/network.ts';
import { keptText } from '../../../src/orchestrator/spec/resolve/pin.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { replaceFile } from '../../../src/system/files/folder.ts';
import { CLOCK_AT, type ServedDevnet, servedDevnet } from './served-devnet.ts';

const PLACE = { host: '127.0.0.1', port: 10_000 };

/**
 * Serves a devnet of a spec, which has a genesis of 10 s before. No process of it runs. `change`: changes addresses of
 * its plan.
 */
export async function plannedDevnet(
  text: string,
  change: (plan: Plan) => Plan = (plan) => plan,
): Promise<ServedDevnet> {
  const now = CLOCK_AT / 1000;
  let kept = { name: '', spec: '' };
  const devnet = await servedDevnet(async (home) => {
    const io = { cwd: home, env: { DEVNET_HOME: home } };
    const source = { name: 'a.yaml', text: `time: { genesis: ${now - 10} }\n${text}` };
    const loaded = await loadSpec(io, { spec: { source, name: 'planned' }, set: [], manual: [] }, now);
    const ports = preferredPorts(portRequests(loaded.spec, loaded.clients, PLACE));
    const inputs = planInputs(io, loaded, home, { hiddenHost: PLACE.host, ports }, now);
    const plan = planNetwork(loaded.spec, loaded.clients, inputs);
    kept = { name: plan.devnet, spec: keptText(loaded.document, { genesisTime: plan.genesisTime, now }) };
    return change({ ...plan, ports });
  });
  replaceFile(pathsOf(devnet.home, kept.name).spec, kept.spec);
  return devnet;
}
