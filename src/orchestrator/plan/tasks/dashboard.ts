import type { Spec } from '../../spec/schema/types.ts';
import type { PlanInputs } from '../inputs.ts';
import { entryOf } from '../lookup.ts';
import type { Plan } from '../plan.ts';
import { DASHBOARD } from '../ports.ts';
import { type Addresses, OUTSIDE, urlOf } from '../reach.ts';

/** Plans the process of the dashboard that a spec asks for. */
export function planDashboard(
  { name, dashboard }: Spec,
  inputs: PlanInputs,
  addresses: Addresses,
): Pick<Plan, 'dashboard'> {
  if (dashboard === null) return {};
  const port = entryOf(inputs.ports, DASHBOARD);
  const program = [inputs.nodePath, `${inputs.distDir}/devnet.js`];
  const command = { argv: [...program, 'dashboard', name, '--port', String(port)], cwd: '/', env: {} };
  const url = `${urlOf(addresses, 'http', OUTSIDE, 'dashboard', 'http')}/`;
  return { dashboard: { url, port, command, log: `${inputs.home}/dashboard.log` } };
}

/** Returns the port of a plan's dashboard by the key of its request. */
export function dashboardPort({ dashboard }: Plan): Readonly<Record<string, number>> {
  return dashboard === undefined ? {} : { [DASHBOARD]: dashboard.port };
}
