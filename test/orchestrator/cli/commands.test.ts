import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { reservationsOf } from '../../../src/orchestrator/ports/reservations.ts';
import type { ForkRow } from '../../../src/orchestrator/status/forks.ts';
import type { Status } from '../../../src/orchestrator/status/status.ts';
import { Tiny } from './tiny.ts';

describe('commands about a devnet that is up', () => {
  let tiny: Tiny;
  let status: Status;
  beforeAll(async () => {
    tiny = new Tiny();
    const { code, stdout, stderr } = await tiny.run(
      'up',
      tiny.spec('one', { chain: 'forks: { base: granite, holocene: +3s }' }),
      '-d',
      '--json',
    );
    expect(stderr).toContain('one is ready');
    expect(stderr).toContain('WARNING: these keys are public');
    expect(code).toBe(0);
    status = JSON.parse(stdout) as Status;
  });
  afterAll(() => tiny[Symbol.asyncDispose]());

  it('status lists the clients and addresses of every node', async () => {
    status = await tiny.ready<Status>();
    expect(status).toMatchObject({ name: 'one', l1: { chainId: 900, phase: 'ready' } });
    const [chain] = status.chains;
    expect(chain?.nodes.map(({ name, role, phase }) => [name, role, phase])).toEqual([
      ['sequencer', 'sequencer', 'ready'],
      ['verifier', 'verifier', 'ready'],
    ]);
    expect(chain?.nodes[0]?.el.pid).toBeGreaterThan(1);
    expect(chain?.nodes[0]?.heads.unsafe?.number).toBeGreaterThanOrEqual(1);
    expect((await tiny.run('status')).stdout).toContain('sequencer');
  });

  it('ls lists the devnet', async () => {
    await expect.poll(() => tiny.json('ls')).toMatchObject([{ name: 'one', phase: 'ready', l1: status.l1.rpc }]);
  });

  it.each([
    ['shell', /^export DEVNET_L1_RPC_URL='http:/m],
    ['dotenv', /^DEVNET_L2_RPC_URL="http:/m],
    ['github', /^L2_901_RPC_URL=http:/m],
    ['viem', /export const main = defineChain/],
    ['foundry', /^\[rpc_endpoints\]\nl1 = "http:/],
    ['hardhat', /"chainType": "op"/],
  ])('env --format %s', async (format, expected) => {
    expect((await tiny.run('env', '--format', format)).stdout).toMatch(expected);
  });

  it('env --format json prints addresses that answer, and no key of the environment stamp', async () => {
    const env = JSON.parse((await tiny.run('env', '--format', 'json')).stdout) as Record<string, string>;
    expect(env).toMatchObject({
      DEVNET_L1_CHAIN_ID: '900',
      L2_901_CHAIN_ID: '901',
      DEVNET_L2_RPC_URL: status.chains[0]?.nodes[0]?.el.http,
    });
    expect(env).not.toHaveProperty('DEVNET_PROCESS');
    expect(await tiny.run('env', '--format', 'xml')).toMatchObject({ code: 2, stdout: '' });
  });

  it('accounts lists the funded accounts and warns that their keys are public', async () => {
    const { stdout, stderr } = await tiny.run('accounts');
    // The index is that of `devnet tx` and `devnet deposit`.
    expect(stdout).toMatch(/^main {3}0 {2}0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 {2}0xac09/m);
    expect(stderr).toContain('public');
    expect(await tiny.json<unknown[]>('accounts')).not.toHaveLength(0);
  });

  it.each([
    [['0x12', '1ether'], /expected an address of 20 bytes in hex, found "0x12"/],
    [['0x00000000000000000000000000000000000cafe1', '0'], /expected an amount such as .*, found "0"/],
    [['0x00000000000000000000000000000000000cafe1', '1 eth'], /expected an amount such as .*, found "1 eth"/],
    [['0x00000000000000000000000000000000000cafe1', '1wei', '--chain', 'o'], /no chain o; expected one of main/],
  ])('fund %j is refused before anything is sent', async (words, message) => {
    expect(await tiny.run('fund', ...words)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });

  it('logs shows what each process wrote, and only what was asked for', async () => {
    expect((await tiny.run('logs')).stdout).toMatch(/^main\/sequencer\/el {2}listening on \d+$/m);
    expect((await tiny.run('logs', 'verifier.cl')).stdout).toMatch(/^listening on \d+\n$/);
    expect(await tiny.run('logs', 'nobody')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('main/verifier/cl'),
    });
    expect(await tiny.run('logs', '--grep', '(')).toMatchObject({ code: 2 });
  });

  it.each([
    [['verifier', '--grep', 'nothing'], 'no line of verifier matches /nothing/; searched:'],
    [['--grep', 'nothing'], 'no line of the processes of one matches /nothing/; searched:'],
    [['verifier.cl', '--since', '5m'], 'no line of verifier.cl of the last 5m was found (a line without a time counts'],
    [
      ['verifier', '--since', '5m', '--grep', 'listening'],
      'no line of verifier of the last 5m matches /listening/ (a line without a time counts',
    ],
  ])('logs %j says on stderr that it found nothing, and in which files', async (words, message) => {
    const { code, stdout, stderr } = await tiny.run('logs', ...words);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain(`devnet: logs: ${message}`);
    expect(stderr).toMatch(/^ {2}\/.*\/main\/verifier\/cl\.log$/m);
  });

  it('wait returns when the condition holds, and names what is missing on timeout (3)', async () => {
    expect(await tiny.run('wait', 'ready')).toMatchObject({ code: 0 });
    expect(await tiny.run('wait', 'block:2', '@verifier')).toMatchObject({ code: 0 });
    expect(await tiny.run('wait', 'fork:holocene', '--timeout', '300s')).toMatchObject({ code: 0 });
    const late = await tiny.run('wait', 'block:100000', '--timeout', '100ms');
    expect(late).toMatchObject({ code: 3, stderr: expect.stringMatching(/main\/sequencer: its unsafe block is \d+/) });
  });

  it.each([
    ['blocks:3'],
    ['fork:atlantis'],
    ['block:1', 'verifier'],
    ['block:1', '@nobody'],
    ['block:1', '--timeout', 'soon'],
  ])('wait %j %j %j is refused (2)', async (...words) => {
    expect(await tiny.run('wait', ...words)).toMatchObject({ code: 2 });
  });

  it('forks prints the activation table', async () => {
    // Blocks of the tiny programs are ahead of the network's clock.
    const newest = async () => (await tiny.json<ForkRow[]>('forks')).at(-1);
    await expect.poll(newest).toMatchObject({
      fork: 'holocene',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      secondsToGo: 0,
      nodes: { sequencer: 'active', verifier: 'active' },
    });
    expect((await tiny.run('forks')).stdout).toMatch(
      /^main {2}holocene +block 3 {2}\S+Z +sequencer active, verifier active$/m,
    );
  });

  it('check reports agreement', async () => {
    const answer = async () => {
      const { code, stdout } = await tiny.run('check', '--json');
      return { code, ...JSON.parse(stdout) };
    };
    await expect.poll(answer).toEqual({
      ...{ code: 0, agree: true, implementations: 1, divergence: null, divergences: [], problems: [] },
    });
    await expect
      .poll(() => tiny.run('check'))
      .toMatchObject({ code: 0, stderr: expect.stringContaining('all nodes agree') });
  });

  it('status and doctor print the version that a binary reports', async () => {
    const version = async () =>
      (await tiny.json<Status>('status')).chains[0]!.nodes.map(({ el, cl }) => [el.version, cl.version]);
    await expect.poll(version).toEqual([
      ['rpc-node version 1.2.3', null],
      ['rpc-node version 1.2.3', null],
    ]);
    expect((await tiny.run('status')).stdout).toMatch(/\.\/el\.yaml|el\.yaml .*\(rpc-node version 1\.2\.3\)/);
    const findings = await tiny.json<{ description: string }[]>('doctor', 'one.yaml');
    expect(findings.map(({ description }) => description)).toContainEqual(
      expect.stringMatching(/^main\/sequencer\/el .*rpc-node\.mjs is rpc-node version 1\.2\.3$/),
    );
  });

  it('doctor lists every missing binary of a spec with its place', async () => {
    const missing = tiny.spec('missing', { el: 'binary: ./nowhere' });
    const { code, stdout } = await tiny.run('doctor', missing);
    expect(code).toBe(4);
    expect(stdout).toMatch(/FAIL chains\.main\.nodes\.verifier\.el\.binary: the program .*\/nowhere does not exist/);
    expect(stdout).toMatch(/missing\.yaml:14:52/);
  });

  it('the report of a process that dies names the version of its binary', async () => {
    const dies = tiny.spec('dies', { el: 'args: { crash: "0" }' });
    const { code, stderr } = await tiny.run('up', dies);
    expect(code).toBe(1);
    expect(stderr).toMatch(/main\/verifier\/el .*ended with code[\s\S]*version: rpc-node version 1\.2\.3/);
    const { stdout } = await tiny.run('status', 'dies');
    expect(stdout).toMatch(/failed: main\/verifier\/el {2}\(rpc-node version 1\.2\.3\): ended with code/);
    expect(await tiny.run('down', 'dies')).toMatchObject({ code: 0 });
  });

  it('doctor finds every prerequisite', async () => {
    await tiny.ready();
    const findings = async () => (await tiny.json<{ description: string }[]>('doctor')).map((each) => each.description);
    await expect.poll(async () => (await findings()).join('\n')).toMatch(/Node \d+[\s\S]*one is ready/);
  });

  it('a node is stopped, started, restarted with another argument, and killed', async () => {
    const verifier = async () => (await tiny.json<Status>('status')).chains[0]!.nodes[1]!;
    expect(await tiny.run('node', 'stop', 'verifier')).toMatchObject({ code: 0 });
    expect(await verifier()).toMatchObject({ phase: 'stopped', el: { pid: null }, heads: { unsafe: null } });
    expect((await tiny.json<Status>('status')).phase).toBe('degraded');
    expect(await tiny.run('check')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^the nodes that answer agree; [\s\S]*main\/verifier/),
    });
    expect(await tiny.run('node', 'start', 'verifier')).toMatchObject({ code: 0 });
    await tiny.ready();
    const before = await verifier();
    expect(await tiny.run('node', 'restart', 'verifier.el', '--arg', 'peers=3')).toMatchObject({ code: 0 });
    const after = await verifier();
    expect(after.el.pid).not.toBe(before.el.pid);
    expect(after.cl.pid).toBe(before.cl.pid);
    expect(readFileSync(`/proc/${after.el.pid}/cmdline`, 'utf8')).toMatch(/peers[=\0]3/);
    expect(await tiny.run('node', 'kill', 'verifier.cl')).toMatchObject({ code: 0 });
    expect(await verifier()).toMatchObject({ phase: 'stopped', el: { phase: 'ready' } });
    expect(await tiny.run('node', 'start', 'verifier')).toMatchObject({
      code: 0,
      stderr: 'main/verifier/cl started\nalready running: main/verifier/el\n',
    });
    await tiny.ready();
    expect(await tiny.run('node', 'stop', 'nobody')).toMatchObject({ code: 2 });
  });

  it('a paused node explains the problems of others until it is resumed, and can be ended', async () => {
    const verifier = async () => (await tiny.json<Status>('status')).chains[0]!.nodes[1]!;
    const stateOf = async () => readFileSync(`/proc/${(await verifier()).el.pid}/stat`, 'utf8').split(') ')[1]?.[0];
    expect(await tiny.run('node', 'pause', 'verifier.el')).toMatchObject({
      code: 0,
      stderr: 'main/verifier/el paused\n',
    });
    expect(await verifier()).toMatchObject({ phase: 'paused', el: { phase: 'paused', pid: expect.any(Number) } });
    expect(await stateOf()).toBe('T');
    await expect
      .poll(() => tiny.json('status'))
      .toMatchObject({
        phase: 'degraded',
        problems: [
          {
            subject: 'main/verifier/el',
            what: 'is paused',
            because: '`devnet node resume main/verifier/el` lets it go on',
          },
        ],
      });
    expect(await tiny.run('wait', 'ready', '--timeout', '1s')).toMatchObject({ code: 3 });
    expect(await tiny.run('node', 'pause', 'verifier.el')).toMatchObject({ stderr: 'not running: main/verifier/el\n' });
    expect(await tiny.run('node', 'resume', 'verifier')).toMatchObject({
      code: 0,
      stderr: 'main/verifier/el resumed\nnot paused: main/verifier/cl\n',
    });
    expect(await stateOf()).not.toBe('T');
    await expect.poll(() => tiny.json('status')).toMatchObject({ phase: 'ready', problems: [] });
    expect(await tiny.run('node', 'pause', 'verifier')).toMatchObject({ code: 0 });
    expect(await tiny.run('node', 'stop', 'verifier')).toMatchObject({ code: 0 });
    expect(await verifier()).toMatchObject({ phase: 'stopped', el: { pid: null } });
    expect(await tiny.run('node', 'start', 'verifier')).toMatchObject({ code: 0 });
  });

  it('a second up of a name is refused with its supervisor (5), or uses the devnet with --reuse', async () => {
    const spec = join(tiny.folder, 'one.yaml');
    expect(await tiny.run('up', spec, '-d')).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/supervisor \d+, since \d{4}-[\s\S]*devnet down one/),
    });
    expect(await tiny.run('up', spec, '-d', '--reuse')).toMatchObject({ code: 0 });
  });

  it('stop keeps all data, and start goes on with the same ports and the clock set back', async () => {
    const before = await tiny.json<Status>('status');
    expect(await tiny.run('stop')).toMatchObject({ code: 0 });
    await tiny.nothingLeft();
    expect(await tiny.json<Status>('status')).toMatchObject({ phase: 'stopped', supervisor: null });
    expect(await tiny.run('up', join(tiny.folder, 'one.yaml'), '-d')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('devnet start one'),
    });
    expect(await tiny.run('wait', 'block:1')).toMatchObject({ code: 1 });
    expect(await tiny.run('check')).toMatchObject({ code: 1, stderr: expect.stringContaining('one: is not running') });
    expect(await tiny.run('start')).toMatchObject({ code: 0 });
    const after = await tiny.ready<Status>();
    expect(after.l1.rpc).toBe(before.l1.rpc);
    expect(after.offsetMs).toBeLessThan(0);
    expect(JSON.parse(readFileSync(join(tiny.home, 'one', 'clock.json'), 'utf8'))).toMatchObject(after.clock);
  });

  it('a command without a name is refused if there are several devnets (2)', async () => {
    expect(await tiny.run('up', tiny.spec('two'), '-d')).toMatchObject({ code: 0 });
    await expect
      .poll(() => tiny.run('status'))
      .toMatchObject({ code: 2, stderr: expect.stringMatching(/one \(ready\), two \(ready\)[\s\S]*--name NAME/) });
    expect(await tiny.run('down')).toMatchObject({ code: 2 });
    for (const words of [['status'], ['forks'], ['env'], ['accounts'], ['check'], ['logs'], ['wait', 'ready']])
      expect(await tiny.run(...words, '--name', 'two'), words.join(' ')).toMatchObject({ code: 0 });
    expect(await tiny.run('status', 'one', '--name', 'two')).toMatchObject({ code: 2 });
    expect((await tiny.json<Plan>('plan', '--name', 'two')).devnet).toBe('two');
    expect((await tiny.run('spec', '-n', 'two')).stdout).toMatch(/^name: two$/m);
    expect((await tiny.run('spec', 'two')).stdout).toMatch(/^name: two$/m);
    expect(await tiny.run('plan', '--name', 'three')).toMatchObject({ code: 2, stdout: '' });
    expect((await tiny.json<Plan>('plan', 'one.yaml', '--name', 'three')).devnet).toBe('three');
    expect(await tiny.run('status', 'two')).toMatchObject({ code: 0 });
    expect(await tiny.run('down', 'two')).toMatchObject({ code: 0 });
    expect(existsSync(join(tiny.home, 'two'))).toBe(false);
  });
});

describe('what goes wrong', () => {
  it('check names the diverging node, the block and the fields (1)', async () => {
    await using tiny = new Tiny();
    expect(await tiny.run('up', tiny.spec('part', { el: 'args: { fork: 3 }' }), '-d')).toMatchObject({ code: 0 });
    expect(await tiny.run('wait', 'block:3')).toMatchObject({ code: 0 });
    const { code, stdout } = await tiny.run('check', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      agree: false,
      divergence: {
        chain: 'main',
        block: 3,
        nodes: ['verifier'],
        kind: 'hash',
        fields: expect.arrayContaining(['stateRoot']),
      },
    });
    expect(await tiny.run('check')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('stateRoot is 0x2 on main/verifier, 0x1 on main/sequencer'),
    });
  });

  it('check and status name the node that does not answer, and compare and show the others (1)', async () => {
    await using tiny = new Tiny();
    expect(await tiny.run('up', tiny.spec('frozen'), '-d')).toMatchObject({ code: 0 });
    expect(await tiny.run('wait', 'block:1')).toMatchObject({ code: 0 });
    const pid = (await tiny.json<Status>('status')).chains[0]!.nodes[1]!.el.pid!;
    process.kill(pid, 'SIGSTOP');
    try {
      const check = await tiny.run('check', '--json');
      expect(check.code).toBe(1);
      expect(JSON.parse(check.stdout)).toMatchObject({
        agree: true,
        implementations: 1,
        divergence: null,
        divergences: [],
        problems: [{ subject: 'main/verifier/el', what: 'does not answer' }],
      });
      const { stdout } = await tiny.run('status');
      expect(stdout).toMatch(/sequencer +sequencer +\S+ +unsafe \d+ safe \d+/);
      expect(stdout).toMatch(/verifier +verifier +\S+ +does not answer \(.*no answer within/);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  it('a damaged state file is put aside, and down works, twice', async () => {
    await using tiny = new Tiny();
    expect(await tiny.run('up', tiny.spec('cut'), '-d')).toMatchObject({ code: 0 });
    const plan = JSON.parse(readFileSync(join(tiny.home, 'cut', 'plan.json'), 'utf8')) as Plan;
    expect(plan.devnet).toBe('cut');
    process.kill((await tiny.json<Status>('status')).supervisor!, 'SIGKILL');
    await tiny.nothingLeft();
    const [folder, copy] = [join(tiny.home, 'cut'), join(tiny.folder, 'copy')];
    renameSync(folder, copy);
    for (const text of ['', '{"schema":1,"name":"cut","pha', 'null']) {
      cpSync(copy, folder, { recursive: true });
      writeFileSync(join(folder, 'state.json'), text);
      expect(await tiny.run('status'), text).toMatchObject({ code: 1, stderr: expect.stringContaining('.corrupt-') });
      expect(await tiny.run('down', 'cut'), text).toMatchObject({ code: 0 });
      expect(existsSync(folder)).toBe(false);
      expect(await tiny.run('down', 'cut'), text).toMatchObject({ code: 0 });
    }
  });

  it('a devnet whose supervisor was killed keeps its ports for its next start, over stop and gc, too', async () => {
    await using tiny = new Tiny();
    expect(await tiny.run('up', tiny.spec('killed'), '-d')).toMatchObject({ code: 0 });
    const reserved = () => reservationsOf({ home: tiny.home, name: 'killed' });
    const before = reserved();
    expect(before.length).toBeGreaterThan(0);
    process.kill((await tiny.json<Status>('status')).supervisor!, 'SIGKILL');
    await tiny.nothingLeft();
    // The guard removes the socket last.
    await expect.poll(() => existsSync(join(tiny.home, 'killed', 'control.sock'))).toBe(false);
    expect(await tiny.run('stop', 'killed')).toMatchObject({ code: 0 });
    expect(await tiny.run('gc')).toMatchObject({ code: 0 });
    expect(reserved()).toEqual(before);
    expect(await tiny.run('start', 'killed')).toMatchObject({ code: 0 });
    expect(await tiny.run('down', 'killed')).toMatchObject({ code: 0 });
    expect(reserved()).toEqual([]);
  });

  it('down succeeds without a devnet, and in a folder without state (0)', async () => {
    await using tiny = new Tiny();
    expect(await tiny.run('down')).toMatchObject({ code: 0 });
    expect(await tiny.run('down', '--all')).toMatchObject({ code: 0 });
    expect(await tiny.run('down', 'never')).toMatchObject({ code: 0 });
    expect(await tiny.run('down', '../etc')).toMatchObject({ code: 2 });
    expect(await tiny.run('status', 'never')).toMatchObject({ code: 2 });
  });

  it('up plans again, with a notice, if a port is taken between planning and listening', async () => {
    await using tiny = new Tiny();
    const up = tiny.start(['up', tiny.spec('robbed', { el: 'args: { delay: 1000 }' }), '-d']);
    const reserved = () => reservationsOf({ home: tiny.home, name: 'robbed' });
    await expect.poll(() => reserved().length, { interval: 1, timeout: 120_000 }).toBeGreaterThan(0);
    const thieves = reserved().map((file) =>
      createServer()
        .listen(Number(basename(file)), '127.0.0.1')
        .on('error', () => undefined),
    );
    try {
      expect((await up.closed).code).toBe(0);
      expect(up.stderr()).toContain('was taken by another process: planning again');
    } finally {
      for (const thief of thieves) thief.close();
    }
  });

  it.each([
    { el: 'args: { delay: 60000 }', code: 3, description: 'not ready after 8 s' },
    { el: 'args: { crash: 1 }', code: 1, description: 'ended with code 9' },
  ])(
    'up ends with $code and keeps the logs when a node does not start: $description',
    async ({ el, code, description }) => {
      await using tiny = new Tiny();
      const outcome = await tiny.run('up', tiny.spec('bad', { el }), '-d', '--ready-budget', code === 3 ? '8s' : '5m');
      expect(outcome).toMatchObject({ code, stderr: expect.stringContaining(description) });
      expect(outcome.stderr).toMatch(/main\/verifier\/el/);
      expect(outcome.stderr).toMatch(/kept in/);
      await tiny.nothingLeft();
      expect((await tiny.json<{ phase: string }[]>('ls'))[0]?.phase).toBe('failed');
      expect(await tiny.run('up', tiny.spec('bad'), '-d')).toMatchObject({ code: 0 });
    },
  );

  it('up ends with 4 before anything is started if a program cannot be executed, with its place', async () => {
    await using tiny = new Tiny();
    const outcome = await tiny.run('up', tiny.spec('bad', { el: "binary: '/nowhere/geth'" }), '-d');
    expect(outcome.code).toBe(4);
    expect(outcome.stderr).toMatch(/bad\.yaml:14:52: chains\.main\.nodes\.verifier\.el\.binary: .*\/nowhere\/geth/);
    expect(await tiny.json('ls')).toEqual([]);
  });

  it('a wrong spec or command line ends with 2 before anything is started or written', async () => {
    await using tiny = new Tiny();
    for (const argv of [
      ['up', 'no-such-spec'],
      ['up', '--frobnicate'],
      ['frobnicate'],
      ['node'],
      ['node', 'stop'],
      ['up', '--ttl', 'soon'],
      ['exec', tiny.spec('e')],
    ])
      expect(await tiny.run(...argv), argv.join(' ')).toMatchObject({ code: 2, stdout: '' });
    await tiny.nothingLeft();
    // What was computed once may be kept; of a devnet there is nothing.
    expect(existsSync(tiny.home) ? readdirSync(tiny.home).filter((name) => name !== '.cache') : []).toEqual([]);
  });

  it('a home that cannot be written is named (4)', async () => {
    await using tiny = new Tiny();
    rmSync(tiny.home, { recursive: true, force: true });
    writeFileSync(tiny.home, 'a file, not a folder');
    expect(await tiny.run('up', tiny.spec('nowhere'), '-d')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(tiny.home),
    });
    await tiny.nothingLeft();
    rmSync(tiny.home);
  });

  it('--help prints to stdout and ends with 0, for all commands and for one', async () => {
    const tiny = new Tiny();
    expect(await tiny.run('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('node restart') });
    expect(await tiny.run('wait', '--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('--timeout') });
    for (const words of [
      ['node', '--help'],
      ['node', '-h'],
      ['help', 'node'],
    ])
      expect(await tiny.run(...words), words.join(' ')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/node reset +\S[\s\S]*node restart/),
        stderr: '',
      });
    expect(await tiny.run('help', 'node', 'kill')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('devnet node kill'),
    });
    expect(await tiny.run('node')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/reset.*restart/),
    });
    expect(await tiny.run()).toMatchObject({ code: 2, stdout: '' });
    rmSync(tiny.folder, { recursive: true });
  });
});
