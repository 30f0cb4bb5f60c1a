import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import type { ContainerCreateOptions } from 'dockerode';
import { processIo } from '../../src/orchestrator/cli/io.ts';
import { writeFiles } from '../../src/orchestrator/folder/files.ts';
import { packageRender } from '../../src/orchestrator/folder/render.ts';
import { loadSpec } from '../../src/orchestrator/load/load-spec.ts';
import { planInputs } from '../../src/orchestrator/load/plan-inputs.ts';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { portRequests } from '../../src/orchestrator/plan/ports.ts';
import { planNetwork } from '../../src/orchestrator/plan/tasks/network.ts';
import { connectDocker } from '../../src/orchestrator/runtimes/docker/connect.ts';
import { nameOf } from '../../src/orchestrator/runtimes/docker/labels.ts';
import { taskOptions } from '../../src/orchestrator/runtimes/docker/options.ts';
import { linkOptions } from '../../src/orchestrator/runtimes/docker/pod.ts';
import { pathsOf } from '../../src/orchestrator/state/paths.ts';
import { run } from '../docker/debian.ts';
import { freePort } from '../system/free-port.ts';
import { ready } from './floor.ts';

/** Plans the default network in containers of an image, with its genesis now. */
async function planInContainers(home: string, image: string): Promise<Plan> {
  const io = { ...processIo(), env: { ...process.env, DEVNET_HOME: home } };
  const loaded = await loadSpec(io, { spec: 'default', set: ['name="by-hand"', 'runtime="docker"'], manual: [] });
  const place = { host: '127.0.0.1', port: 0 };
  const requests = portRequests(loaded.spec, loaded.clients, place);
  const ports: Record<string, number> = {};
  for (const { key } of requests) ports[key] = await freePort();
  const plan = planNetwork(
    loaded.spec,
    loaded.clients,
    planInputs(io, loaded, home, { hiddenHost: place.host, ports }),
  );
  const tasks = plan.tasks.map((task) =>
    task.container === undefined ? task : { ...task, container: { ...task.container, image } },
  );
  return { ...plan, image, tasks };
}

/**
 * Starts the containers of the default network by `docker run`, and returns the ms until the network is ready.
 * They are those of `devnet up`, all at once, its preparing ones included. The files are written before.
 */
export async function byHandOnce(home: string, image: string): Promise<number> {
  const plan = await planInContainers(home, image);
  const paths = pathsOf(home, plan.devnet);
  const mark = { folder: paths.folder, supervisor: 'none' };
  const name = nameOf(paths);
  const { user, hasInit } = await connectDocker(process.env);
  const common = { paths, mark, user, hasInit };
  const tasks = plan.tasks.filter(({ late }) => late !== true);
  for (const task of tasks) mkdirSync(task.command.cwd, { recursive: true });
  await writeFiles(plan.files, plan, packageRender());
  const began = performance.now();
  const started = [`${name}-link`];
  try {
    await run('docker', ['network', 'create', name]);
    await start(`${name}-link`, linkOptions({ plan, ...common }));
    await Promise.all(
      tasks.map(async (task) => {
        const { container, id } = task;
        if (container === undefined) return;
        const containerName = `${name}-${id.replaceAll('/', '-')}`;
        const optionsOf = (command: typeof task.command) =>
          taskOptions({ task, container, command, network: `${name}-link`, ...common });
        for (const command of task.prepare) await run('docker', ['run', '--rm', ...flagsOf(optionsOf(command))]);
        started.push(containerName);
        await start(containerName, optionsOf(task.command));
      }),
    );
    await ready(plan);
    return performance.now() - began;
  } finally {
    spawnSync('docker', ['rm', '--force', '--volumes', ...started], { stdio: 'ignore' });
    spawnSync('docker', ['network', 'rm', name], { stdio: 'ignore' });
    rmSync(paths.folder, { recursive: true, force: true });
  }
}

async function start(name: string, options: ContainerCreateOptions): Promise<void> {
  await run('docker', ['run', '--detach', '--name', name, ...flagsOf(options)]);
}

/** Returns the words of `docker run` for a container's options. */
function flagsOf({ HostConfig = {}, ...options }: ContainerCreateOptions): string[] {
  const each = (flag: string, values: readonly string[] = []) => values.flatMap((value) => [flag, value]);
  const published = Object.entries(
    (HostConfig.PortBindings ?? {}) as Readonly<Record<string, readonly { HostIp: string; HostPort: string }[]>>,
  ).map(([inner, [outer]]) => `${outer?.HostIp}:${outer?.HostPort}:${inner}`);
  return [
    ...(HostConfig.Init === true ? ['--init'] : []),
    ...each('--network', [HostConfig.NetworkMode ?? 'none']),
    ...each('--volume', HostConfig.Binds),
    ...each('--cap-drop', [HostConfig.CapDrop].flat().map(String)),
    ...each('--security-opt', HostConfig.SecurityOpt),
    ...each(
      '--log-opt',
      Object.entries(HostConfig.LogConfig?.Config ?? {}).map((each) => each.join('=')),
    ),
    ...each('--publish', published),
    ...each('--user', [options.User ?? '']),
    ...(options.WorkingDir === undefined ? [] : ['--workdir', options.WorkingDir]),
    ...each('--env', options.Env),
    ...each('--entrypoint', [options.Entrypoint ?? []].flat()),
    options.Image ?? '',
    ...(options.Cmd ?? []),
  ];
}
