import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Home, root, type Status } from '../e2e/devnet.ts';
import { readHowTo, writeFilesOf } from '../e2e/support/how-to.ts';
import { SshServer } from './ssh-server.ts';
import { NO_DOCKER } from './support.ts';
import { type Machine, noSwarm, Swarm } from './swarm.ts';

const NONE = NO_DOCKER ?? (process.env['SWARM'] === undefined ? '`make test-swarm` runs it' : noSwarm());

const UNTIL = { timeout: 180_000, interval: 500 };

/** Names of the processes of the default network, as the stack has them. */
const SERVICES = 7;

/** Image of a stack, as machines have it that reach no registry. */
const IMAGE = '127.0.0.1:5000/devnet:1';

const WORDS = 'test test test test test test test test test test test junk';

/** A network whose verifier runs on any machine. `time`: of its next fork. */
const specOf = (time: string) => ({
  name: 'moved',
  place: { site: 'a' },
  chains: {
    main: {
      forks: { base: 'isthmus', jovian: time },
      accounts: { mnemonic: WORDS },
      nodes: { sequencer: { role: 'sequencer' }, verifier: { place: {} } },
    },
  },
});

/** Commands of a section of the page, a line each. */
function commandsOf(heading: string): readonly string[] {
  const page = readFileSync(join(root, 'docs', 'how-to', 'swarm.md'), 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const lines = [...section.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, text = '']) => text.trimEnd().split('\n'));
  if (lines.length === 0) throw new Error(`the page has no commands below "${heading}"`);
  return lines;
}

/** Where a line of the shell runs, and the daemon that its Docker has without a context. */
interface Place {
  readonly enter: readonly string[];
  readonly daemon: { readonly host: string };
}

/** Runs a line of the shell on a machine, as a user of the page does. */
function shellOn(machine: Place, home: Home, line: string) {
  const programs = join(home.folder, 'bin');
  const devnet = join(programs, 'devnet');
  mkdirSync(programs, { recursive: true });
  writeFileSync(devnet, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist', 'devnet.js')}' "$@"\n`);
  chmodSync(devnet, 0o755);
  const env = { ...home.env, DOCKER_HOST: machine.daemon.host, PATH: [programs, home.env['PATH']].join(delimiter) };
  const [program = '', ...words] = [...machine.enter, 'sh', '-c', line];
  const options = { cwd: home.folder, env, encoding: 'utf8', timeout: 150_000 } as const;
  return spawnSync(program, words, options);
}

/** Runs a line that must succeed, and returns its output. @throws Error with its words */
function runOn(machine: Place, home: Home, line: string): string {
  const { status, stdout, stderr } = shellOn(machine, home, line);
  if (status !== 0) throw new Error(`${line}: ended with ${status}\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** Runs the commands of a section on a machine, and returns their output. */
function follow(machine: Machine, home: Home, heading: string): string {
  return commandsOf(heading)
    .map((line) => runOn(machine, home, line))
    .join('');
}

/** Safe head of a node, as the attached network has it. */
function safeHead(machine: Machine, home: Home, node: string): number {
  const { chains } = JSON.parse(shellOn(machine, home, 'devnet status --json').stdout) as Status;
  return chains[0]?.nodes.find(({ name }) => name === node)?.heads.safe?.number ?? 0;
}

/** Follows the page on a machine that reaches the manager by ssh alone. */
async function fromAfar(manager: Machine, worker: Machine): Promise<void> {
  await using home = new Home();
  using server = await SshServer.start(manager);
  home.env['DOCKER_CONFIG'] = join(home.folder, 'docker');
  const laptop = { daemon: { host: '' }, enter: [...worker.enter, ...server.enter] };
  const lines = commandsOf('Watch it from another machine');
  const printed = lines.map((line) => runOn(laptop, home, line.replace('manager.example', manager.address)));
  expect(printed.join('')).toContain('all nodes agree');
  const carriers = () => manager.lines('ps', '--all', '--quiet', '--filter', 'label=rollup-devnet.carrier');
  // That of the manager's own watch.
  await vi.waitUntil(() => carriers().length === 1, UNTIL);
}

/** Whether each process of the stack is healthy, as the manager has it. */
function isWhole({ manager }: Swarm): boolean {
  const replicas = manager.lines('service', 'ls', '--format', '{{.Replicas}}');
  return replicas.length === SERVICES && replicas.every((each) => each === '1/1');
}

/** Containers, volumes and networks of the stack on a machine. */
function leftOn(machine: Machine): string[] {
  const label = ['--filter', 'label=com.docker.stack.namespace=devnet-default'];
  return [
    ...machine.lines('ps', '--all', '--quiet'),
    ...machine.lines('volume', 'ls', '--quiet', ...label),
    ...machine.lines('network', 'ls', '--quiet', '--filter', 'name=devnet-default'),
  ];
}

describe.skipIf(NONE !== undefined)(`a network on a Docker Swarm${NONE ? ` (${NONE})` : ''}`, () => {
  it('the how-to runs it on two machines, one of which leaves and comes back', { timeout: 600_000 }, async () => {
    await using home = new Home();
    await using swarm = await Swarm.start();
    const { manager, worker } = swarm;
    const stackIs = async (test: (text: string) => boolean) =>
      await vi.waitUntil(() => test(runOn(manager, home, 'docker stack ps devnet-default --no-trunc')), UNTIL);
    writeFilesOf(home, readHowTo('swarm.md'));
    follow(manager, home, 'Write image and folder');
    for (const machine of [manager, worker]) follow(machine, home, 'Load the image on each machine');
    follow(manager, home, 'Start it');
    const lacksLabel = 'no suitable node (scheduling constraints not satisfied on 2 nodes)';
    await stackIs((text) => text.split(lacksLabel).length - 1 === SERVICES);
    expect(shellOn(manager, home, 'devnet attach --context default -d')).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/the service of \S+ is pending: no suitable node \(scheduling constraints/),
    });
    expect(shellOn(worker, home, 'devnet attach --context default -d')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the Docker context default is a worker of a swarm'),
    });
    follow(manager, home, 'Label the machines');
    await vi.waitUntil(() => isWhole(swarm), UNTIL);

    const printed = follow(manager, home, 'Watch it');
    expect(printed).toContain('all nodes agree');
    expect(printed).toMatch(/main\/verifier\/el .*execution client started/);
    expect(worker.lines('ps', '--format', '{{.Names}}').map((name) => name.split('.')[0])).toEqual(
      expect.arrayContaining(['devnet-default_main-verifier-cl', 'devnet-default_main-verifier-el']),
    );

    await fromAfar(manager, worker);

    await worker.daemon.stop();
    await vi.waitUntil(
      () => manager.lines('node', 'ls', '--format', '{{.Hostname}} {{.Status}}').includes('node-b Down'),
      UNTIL,
    );
    const head = (node: string) => safeHead(manager, home, node);
    const check = () => shellOn(manager, home, 'devnet check').stderr;
    const leftAt = head('sequencer');
    await vi.waitUntil(() => head('sequencer') > leftAt + 2, UNTIL);
    expect(check()).toContain('main/verifier/el: does not answer');
    await worker.daemon.start();
    await vi.waitUntil(() => isWhole(swarm), UNTIL);
    await vi.waitUntil(() => head('verifier') > leftAt + 2, UNTIL);
    await vi.waitUntil(() => check().includes('all nodes agree'), UNTIL);

    // A swarm removes a network when all tasks have left it, and the command fails before.
    for (const line of commandsOf('Remove it'))
      await vi.waitUntil(() => shellOn(manager, home, line).status === 0, UNTIL);
    for (const machine of [manager, worker]) {
      await vi.waitUntil(() => machine.lines('ps', '--all', '--quiet').length === 0, UNTIL);
      follow(machine, home, 'Remove the data on each machine');
      expect(leftOn(machine)).toEqual([]);
    }
    expect([...manager.lines('config', 'ls', '--quiet'), ...manager.lines('secret', 'ls', '--quiet')]).toEqual([]);
  });

  it('an exposed stack takes a new fork time, and a verifier without a place moves', { timeout: 600_000 }, async () => {
    await using home = new Home();
    await using swarm = await Swarm.start();
    const { manager, worker } = swarm;
    const exportAt = (time: string, out: string) =>
      runOn(
        manager,
        home,
        `devnet export compose ${home.spec('net', specOf(time))} --image ${IMAGE} --expose --out ${out}`,
      );
    const deploy = (folder: string) =>
      runOn(manager, home, `docker stack deploy --resolve-image never -c ${folder}/stack.yaml devnet-moved`);
    const updates = () => {
      const ids = manager.lines('service', 'ls', '--quiet');
      return manager.lines(
        'service',
        'inspect',
        '--format',
        '{{if .UpdateStatus}}{{.UpdateStatus.State}}{{end}}',
        ...ids,
      );
    };
    /** Asks at the address of a machine, from the manager. */
    const ask = <T>(machine: Machine, port: number, method: string, ...params: readonly unknown[]): T | undefined => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const url = `http://${machine.address}:${port}`;
      const curl = `curl --noproxy '*' -s -m 5 -H 'content-type: application/json' -d '${body}' ${url}`;
      const { stdout } = shellOn(manager, home, curl);
      return stdout === '' ? undefined : JSON.parse(stdout).result;
    };
    const hashOf = (machine: Machine, port: number) =>
      ask<{ hash: string } | null>(machine, port, 'eth_getBlockByNumber', '0x3', false)?.hash;

    runOn(manager, home, `devnet image save devnet.tar --tag ${IMAGE}`);
    for (const machine of [manager, worker]) runOn(machine, home, 'docker load -i devnet.tar');
    runOn(manager, home, 'docker node update --label-add site=a node-a');
    exportAt('+1h', 'first');
    deploy('first');
    await vi.waitUntil(() => isWhole(swarm), UNTIL);
    await vi.waitUntil(() => hashOf(worker, 9555) !== undefined, UNTIL);
    const third = hashOf(manager, 9545);
    expect(hashOf(worker, 9555)).toBe(third);

    exportAt('+2h', 'second');
    deploy('second');
    await vi.waitUntil(() => updates().filter((state) => state === 'completed').length === SERVICES, UNTIL);
    const head = () => Number(ask<string>(manager, 9545, 'eth_blockNumber') ?? 0);
    const changedAt = head();
    await vi.waitUntil(() => head() > changedAt + 2, UNTIL);
    expect(hashOf(manager, 9545)).toBe(third);

    await worker.daemon.stop();
    await vi.waitUntil(() => hashOf(manager, 9555) === third, UNTIL);
    expect(manager.lines('volume', 'ls', '--quiet')).toContain('devnet-moved_main-verifier-el');
  });
});
