import type Docker from 'dockerode';
import { EXIT, Failure } from '../../../system/failure.ts';
import { LABELS } from '../../export/compose/labels.ts';
import type { FoundNetwork } from '../engine/engine.ts';
import type { DockerAddress } from './address.ts';

/** Label by which a swarm marks the services of a stack. */
const STACK = 'com.docker.stack.namespace';

/** Where a task has the files of its network. */
const NETWORK_FOLDER = '/devnet/';

/** What is read of a service of a swarm. */
export interface Service {
  readonly ID: string;
  readonly Spec?:
    | {
        readonly Labels?: Readonly<Record<string, string>> | undefined;
        readonly TaskTemplate?: object | undefined;
      }
    | undefined;
}

/** Returns the stack to which a service belongs. */
export function stackOf({ Spec }: Service): string | undefined {
  return Spec?.Labels?.[STACK];
}

/** What every task of a service has. */
interface TaskTemplate {
  readonly ContainerSpec?: {
    readonly Image?: string;
    readonly Configs?: readonly { readonly ConfigID: string; readonly File?: { readonly Name?: string } }[];
  };
  readonly Networks?: readonly { readonly Target?: string }[];
}

/** Reads a network that a swarm runs. `ask`: explains that the daemon does not answer. */
export async function stackNetwork(
  docker: Docker,
  address: DockerAddress,
  name: string,
  services: readonly Service[],
  ask: <T>(answer: Promise<T>) => Promise<T>,
): Promise<FoundNetwork> {
  const labels = services[0]?.Spec?.Labels ?? {};
  const template: TaskTemplate = services[0]?.Spec?.TaskTemplate ?? {};
  const tasks: readonly Task[] = await ask(docker.listTasks({ filters: { label: [`${STACK}=${name}`] } }));
  for (const service of services) mustRun(service, tasks);
  const files = (template.ContainerSpec?.Configs ?? []).map(async ({ ConfigID, File }) => {
    const { Spec: config } = await ask(docker.getConfig(ConfigID).inspect());
    const path = (File?.Name ?? '').replace(NETWORK_FOLDER, '');
    return [path, Buffer.from(config?.Data ?? '', 'base64').toString()] as const;
  });
  const network = template.Networks?.[0]?.Target ?? '';
  return {
    devnet: labels[LABELS.devnet] ?? '',
    version: labels[LABELS.version] ?? 'unknown',
    files: Object.fromEntries(await Promise.all(files)),
    // Those of `--expose` are ports of the machines on which its tasks run.
    published: [],
    carries: true,
    address: { ...address, found: { kind: 'stack', name, network, image: template.ContainerSpec?.Image ?? '' } },
  };
}

/** What is read of a task of a swarm. */
interface Task {
  readonly ServiceID?: string;
  readonly UpdatedAt?: string;
  readonly DesiredState?: string;
  readonly Status?: { readonly State?: string; readonly Err?: string; readonly Message?: string };
}

/** @throws Failure `attach` (exit 3) with the swarm's own words if no task of a service runs */
function mustRun({ ID, Spec }: Service, tasks: readonly Task[]): void {
  const candidates = tasks.filter(({ ServiceID }) => ServiceID === ID);
  if (candidates.some(({ Status, DesiredState }) => Status?.State === 'running' && DesiredState === 'running')) return;
  const newest = candidates.toSorted((a, b) => (b.UpdatedAt ?? '').localeCompare(a.UpdatedAt ?? ''));
  const { Status: status } = newest.find(({ DesiredState }) => DesiredState === 'running') ?? newest[0] ?? {};
  const unit = Spec?.Labels?.[LABELS.unit] ?? '';
  const state = status?.State ?? 'without a task';
  const reason = status?.Err ?? status?.Message;
  throw new Failure('attach', `the service of ${unit} is ${state}${reason === undefined ? '' : `: ${reason}`}`, {
    exit: EXIT.notReady,
    data: { reason: 'not-running', unit, state },
    hint: `\`docker service ps --no-trunc ${Spec?.Labels?.[STACK]}_${unit}\` shows its tasks; nothing was attached`,
  });
}
