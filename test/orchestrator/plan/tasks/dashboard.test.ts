import { expect, it } from 'vitest';
import type { PlanInputs } from '../../../../src/orchestrator/plan/inputs.ts';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { DASHBOARD } from '../../../../src/orchestrator/plan/ports.ts';
import type { Addresses } from '../../../../src/orchestrator/plan/reach.ts';
import { dashboardPort, planDashboard } from '../../../../src/orchestrator/plan/tasks/dashboard.ts';
import type { Spec } from '../../../../src/orchestrator/spec/schema/types.ts';

const ports = { [DASHBOARD]: 9512 };
const addresses: Addresses = { l1Host: '127.0.0.1', isGated: true, ports, external: new Map() };
const inputs = { ports, nodePath: '/bin/node', distDir: '/dist', home: '/state/demo' } as unknown as PlanInputs;
const planned = (dashboard: object | null) =>
  planDashboard({ name: 'demo', dashboard } as unknown as Spec, inputs, addresses);

it('a dashboard is the command of the package with the port that is reserved for it', () => {
  expect(planned({ port: 9500 })).toEqual({
    dashboard: {
      url: 'http://127.0.0.1:9512/',
      port: 9512,
      command: { argv: ['/bin/node', '/dist/devnet.js', 'dashboard', 'demo', '--port', '9512'], cwd: '/', env: {} },
      log: '/state/demo/dashboard.log',
    },
  });
  expect(planned(null)).toEqual({});
});

it('the port of a dashboard is known by the key of its request', () => {
  expect(dashboardPort(planned({}) as Plan)).toEqual({ [DASHBOARD]: 9512 });
  expect(dashboardPort({} as Plan)).toEqual({});
});
