import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { processIo } from '../../src/orchestrator/cli/io.ts';
import { writeFiles } from '../../src/orchestrator/folder/files.ts';
import { packageRender } from '../../src/orchestrator/folder/render.ts';
import { loadSpec } from '../../src/orchestrator/load/load-spec.ts';
import { planInputs } from '../../src/orchestrator/load/plan-inputs.ts';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { portRequests } from '../../src/orchestrator/plan/ports.ts';
import { planNetwork } from '../../src/orchestrator/plan/tasks/network.ts';
import { cacheFolder } from '../../src/orchestrator/state/paths.ts';
import { ask, until } from './poll.ts';

/** First port: below the range of outgoing connections, and apart from the devnet's own. */
const FIRST_PORT = 28_000;

const io = processIo();

/** Returns the default devnet's plan with its genesis now, on other ports, with secrets in the clear. */
export async function readPlan(env: NodeJS.ProcessEnv & { DEVNET_HOME: string }): Promise<Plan> {
  const ours = { ...io, env };
  const loaded = await loadSpec(ours, { spec: 'default', set: [], manual: [] });
  const place = { host: '127.0.0.1', port: FIRST_PORT };
  const ports = portRequests(loaded.spec, loaded.clients, place).map(({ key }, at) => [key, FIRST_PORT + at] as const);
  return planNetwork(
    loaded.spec,
    loaded.clients,
    planInputs(ours, loaded, env.DEVNET_HOME, { hiddenHost: place.host, ports: Object.fromEntries(ports) }),
  );
}

/**
 * Launches the plan's commands at once and returns the ms until the network is ready.
 * All files and prepare steps are done before. `whenReady` receives the numbers of the processes.
 */
export async function floorOnce(
  plan: Plan,
  whenReady: (pids: readonly number[]) => void = () => undefined,
): Promise<number> {
  const tasks = plan.tasks.filter(({ late }) => late !== true);
  for (const task of tasks) mkdirSync(task.command.cwd, { recursive: true });
  await writeFiles(plan.files, plan, packageRender());
  for (const { prepare } of tasks)
    for (const { argv, cwd, env } of prepare)
      execFileSync(argv[0]!, argv.slice(1), { cwd, env: { ...process.env, ...env }, stdio: 'ignore' });
  const began = performance.now();
  const children: ChildProcess[] = tasks.map(({ command: { argv, cwd, env } }) =>
    spawn(argv[0]!, argv.slice(1), {
      cwd,
      env: { ...process.env, NODE_COMPILE_CACHE: cacheFolder(dirname(plan.home), 'code'), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    }),
  );
  const early = new Promise<never>((_, reject) => {
    children.forEach((child, at) => {
      let last = '';
      child.stderr?.on('data', (part) => (last = String(part)));
      child.on('exit', (code) => reject(new Error(`${tasks[at]?.id} ended with ${code}: ${last}`)));
    });
  });
  early.catch(() => undefined);
  try {
    await Promise.race([ready(plan), early]);
    const ms = performance.now() - began;
    whenReady(children.flatMap(({ pid }) => pid ?? []));
    return ms;
  } finally {
    const exits = children.map(
      (child) => new Promise((done) => (child.exitCode !== null ? done(0) : child.on('exit', done))),
    );
    for (const { pid, exitCode } of children) if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL');
    await Promise.all(exits);
    rmSync(dirname(plan.files[0]!.path), { recursive: true, force: true });
    rmSync(plan.home, { recursive: true, force: true });
  }
}

/**
 * Waits for the ready condition of `up`: one block 1 on all nodes, all peers connected, L1 and beacon answering.
 */
export async function ready(plan: Plan): Promise<void> {
  const nodes = plan.network.chains.flatMap((chain) => chain.nodes);
  await until('block 1 everywhere, with one hash', async () => {
    const blocks = (await Promise.all(nodes.map(({ el }) => ask(el.http, 'eth_getBlockByNumber', '0x1', false)))) as ({
      hash: string;
    } | null)[];
    return new Set(blocks.map((block) => block?.hash)).size === 1 && blocks[0] !== null;
  });
  await until('every peer', async () => {
    const peers = (await Promise.all(nodes.map(({ cl }) => ask(cl.rpc, 'opp2p_peers', true)))) as {
      totalConnected: number;
    }[];
    return peers.every(({ totalConnected }) => totalConnected === nodes.length - 1);
  });
  await until(
    'every probe',
    async () =>
      (await ask(plan.network.l1.rpc, 'eth_chainId')) !== undefined &&
      (await fetch(`${plan.network.l1.beacon}/eth/v1/node/version`)).ok,
  );
}
