import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanInputs } from '../../../src/orchestrator/plan/inputs.ts';
import type { Plan, Task } from '../../../src/orchestrator/plan/plan.ts';
import { portRequests, preferredPorts } from '../../../src/orchestrator/plan/ports.ts';
import { planNetwork } from '../../../src/orchestrator/plan/tasks/network.ts';
import { renderProblems } from '../../../src/orchestrator/spec/text/problem.ts';
import { loadTemplate } from '../../../src/orchestrator/template/load.ts';
import type { ClientTemplate } from '../../../src/orchestrator/template/template.ts';
import { type GenesisContracts, l2Alloc, l2GenesisRoots, l2StateKey } from '../../../src/protocol/genesis/index.ts';
import { hkdf } from '../../../src/system/crypto/hkdf.ts';
import { seedOf } from '../../../src/system/crypto/mnemonic.ts';
import { publicKeyOf } from '../../../src/system/crypto/secp256k1.ts';
import { NOW, parseValidSpec, root, template } from '../package.ts';

export const contracts = JSON.parse(readFileSync(join(root, 'dist', 'contracts.json'), 'utf8')) as GenesisContracts;

const rootsByState = new Map<string, ReturnType<PlanInputs['roots']>>();

/** Where L1 is, behind its gate. */
export const HIDDEN = { host: '127.83.12.201', port: 18_545 };

/** The plan of a spec's text, on a machine where every preferred port is free. */
export function planOf(
  text: string,
  more: Partial<PlanInputs> = {},
  sets: readonly string[] = [],
  client: (name: string) => ClientTemplate = template,
): Plan {
  const { spec, clients } = parseValidSpec(text, { sets, client });
  return planNetwork(spec, clients, {
    now: NOW,
    home: `/state/${spec.name}`,
    cache: '/state/.cache',
    nodePath: '/bin/node',
    distDir: '/package/dist',
    image: 'rollup-devnet:test',
    anvilPath: '/bin/anvil',
    hiddenHost: HIDDEN.host,
    ports: preferredPorts(portRequests(spec, clients, HIDDEN)),
    contracts,
    publicKeyOf: (privateKey) => publicKeyOf(privateKey, 'compressed'),
    hkdf,
    seedOf,
    roots(inputs) {
      const key = l2StateKey(inputs, contracts);
      const roots = rootsByState.get(key) ?? l2GenesisRoots(l2Alloc(inputs, contracts));
      rootsByState.set(key, roots);
      return roots;
    },
    bundleOrigin: (fork) => (['ecotone', 'fjord'].includes(fork) ? 'official' : 'own'),
    bundleTexts: {},
    rollupConfigs: {},
    genesisConfigs: {},
    genesisFunds: {},
    allocs: {},
    ...more,
  });
}

/** Roots of a genesis state that no test computes. */
const ANY_ROOTS = { stateRoot: `0x${'5a'.repeat(32)}`, messagePasserRoot: `0x${'6b'.repeat(32)}` } as const;

/** The plan of a spec without the roots of its genesis states, for tests that do not read hashes. */
export function quickPlanOf(
  text: string,
  more: Partial<PlanInputs> = {},
  client: (name: string) => ClientTemplate = template,
): Plan {
  return planOf(text, { roots: () => ANY_ROOTS, ...more }, [], client);
}

/** Returns a lookup of templates that has the template of this text under a name of the package. */
export function clientsWith(name: string, text: string): (name: string) => ClientTemplate {
  const outcome = loadTemplate(name, { name: `${name}.yaml`, text });
  if (!outcome.ok) throw new Error(renderProblems(outcome.problems));
  return (other) => (other === name ? outcome.template : template(other));
}

export function task(plan: Plan, id: string): Task {
  const match = plan.tasks.find((each) => each.id === id);
  if (match === undefined) throw new Error(`no task ${id}; there are ${plan.tasks.map((each) => each.id).join(', ')}`);
  return match;
}

/** The value of an option of a command line. */
export function optionOf({ command }: Task, name: string): string | undefined {
  return command.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
}
