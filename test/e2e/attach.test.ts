import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { attach } from '../../src/library/index.ts';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { Home, type Status } from './devnet.ts';
import { readHowTo, runCommands } from './support/how-to.ts';

const elsewhere = new Home();
const home = new Home();
const UNTIL = { timeout: 120_000, interval: 200 };
const RECEIVER = '0x00000000000000000000000000000000000000bb';
let team: Record<string, unknown>;

/** Describes a running network as the user of another machine would. */
async function teamOf(name: string): Promise<Record<string, unknown>> {
  const { l1, chains } = JSON.parse((await elsewhere.devnet('status', name, '--json')).stdout) as Status;
  const accounts = JSON.parse((await elsewhere.devnet('accounts', '--json', '--name', name)).stdout) as {
    address: string;
    privateKey?: string;
  }[];
  const [chain] = chains;
  const keys = accounts.filter(({ privateKey }) => privateKey !== undefined).slice(0, 2);
  const nodes = chain?.nodes.map(({ name: node, role, el, cl }) => [
    node,
    { role, el: { http: el.http, ws: el.ws }, cl: { rpc: cl.rpc } },
  ]);
  const listed = keys.map(({ address, privateKey }) => ({ address, privateKey }));
  return {
    name: 'team',
    l1: { rpc: l1.rpc, ws: l1.ws, beacon: l1.beacon, chainId: l1.chainId },
    chains: { main: { nodes: Object.fromEntries(nodes ?? []), contracts: chain?.contracts.l1, accounts: listed } },
  };
}

beforeAll(async () => {
  const { code, stderr } = await elsewhere.devnet('up', '--name', 'far', '--set', 'ports=auto', '-d');
  expect(code, stderr).toBe(0);
  team = await teamOf('far');
  writeFileSync(join(home.folder, 'team.yaml'), stringify(team));
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
});

describe('an attached network', () => {
  it('is watched and used as the how-to shows, and runs on when it is detached', async () => {
    const printed = await runCommands(home, readHowTo('attach.md'));
    expect(printed.get('check')).toContain('all nodes agree; 1 independent implementation took part');
    expect(printed.get('load')).toMatch(/5 .*included/);
    expect(printed.get('withdraw')).toContain(RECEIVER.slice(0, 10));
    const balance = await elsewhere.devnet('status', 'far', '--json');
    expect(JSON.parse(balance.stdout)).toMatchObject({ phase: 'ready' });
    expect((await home.devnet('ls')).stdout).not.toContain('team');
  });

  it('refuses what belongs to where it runs, and says so', async () => {
    expect(await home.devnet('attach', 'team.yaml', '-d')).toMatchObject({ code: 0 });
    for (const [words, message] of [
      [['logs'], /team is attached: it runs elsewhere, and there is no log here/],
      [['spec', '--name', 'team'], /team is attached: it runs elsewhere, and there is no spec here/],
      [['node', 'stop', 'verifier'], /main\/verifier\/el is not started by devnet: stop it where it runs/],
      [['node', 'restart', 'verifier.el'], /is not started by devnet: restart it where it runs/],
      [
        ['fault', 'delay', 'l1', '--ms', '200'],
        /team is attached: it runs elsewhere, without a supervisor whose links/,
      ],
      [['warp', '10s'], /read the machine's clock/],
      [['snapshot', 'save', 'x'], /read the machine's clock/],
      [['attach', 'team.yaml'], /a devnet of the name team exists, and was not changed/],
    ] as const) {
      const { code, stderr } = await home.devnet(...words);
      expect([words, code !== 0, stderr]).toEqual([words, true, expect.stringMatching(message)]);
    }
    // Without a number `load` sends twenty.
    expect((await home.devnet('load')).stdout).toMatch(/20 .*included/);
    expect(await home.devnet('down')).toMatchObject({ code: 0 });
    await elsewhere.agrees('far');
  });

  it('takes the steps of a scenario, and steps for processes and clock are named before the first one', async () => {
    const steps = [
      'load: { count: 3 }',
      'deposit: { to: "0x00000000000000000000000000000000000000cc", value: 1 gwei }',
    ];
    const scenario = (list: readonly string[]) => `steps:\n${list.map((step) => `  - ${step}\n`).join('')}`;
    writeFileSync(
      join(home.folder, 'good.yaml'),
      scenario([...steps, 'warp: +2s', 'expect: { agree: true, within: 120s }']),
    );
    const refused = ['node: { stop: verifier }', 'pause: 1s', 'fork: { move: { karst: +10s } }'];
    writeFileSync(join(home.folder, 'bad.yaml'), scenario([...steps, ...refused]));
    expect(await home.devnet('attach', 'team.yaml', '-d')).toMatchObject({ code: 0 });

    const { code, stderr } = await home.devnet('run', 'bad.yaml', '--on', 'team');
    expect(code).toBe(2);
    expect(stderr).toContain('there are 3 problems');
    expect(stderr).toMatch(/bad\.yaml:4:\d+.*verifier is not started by devnet: it runs elsewhere/);
    expect(stderr).toMatch(/bad\.yaml:6:\d+.*this network runs elsewhere, and its forks are moved there/);
    expect(await home.devnet('run', 'good.yaml', '--on', 'team', '--keep')).toMatchObject({ code: 2 });

    const run = await home.devnet('run', 'good.yaml', '--on', 'team', '--json');
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('good passed: 4 of 4 steps passed')]);
    expect(JSON.parse(run.stdout)).toMatchObject({ passed: true, steps: [{}, {}, {}, {}] });
    expect((await home.devnet('ls')).stdout).toContain('team');
    expect(await home.devnet('down', 'team')).toMatchObject({ code: 0 });
  });

  it('is joined by a node of this machine, by gossip and by derivation alone, and all agree', async () => {
    const { chains } = JSON.parse((await elsewhere.devnet('plan', 'far', '--json')).stdout).network as Plan['network'];
    const [chain] = chains;
    const joint = JSON.parse(JSON.stringify(team));
    joint.name = 'joint';
    joint.chains.main.genesis = chain?.genesisFile;
    joint.chains.main.nodes.sequencer.cl.p2p = chain?.nodes.find(({ role }) => role === 'sequencer')?.cl.p2p;
    joint.chains.main.nodes.mine = { join: { el: 'execution-rust' } };
    writeFileSync(join(home.folder, 'joint.yaml'), stringify(joint));
    const { code, stderr } = await home.devnet('attach', 'joint.yaml', '-d');
    expect(code, stderr).toBe(0);
    const mine = async () => {
      const { chains: all } = JSON.parse((await home.devnet('status', 'joint', '--json')).stdout) as Status;
      return all[0]?.nodes.find(({ name }) => name === 'mine');
    };
    // It has blocks that no L1 block holds yet.
    await vi.waitUntil(async () => {
      const heads = (await mine())?.heads;
      return (heads?.safe?.number ?? 0) > 0 && (heads?.unsafe?.number ?? 0) > (heads?.safe?.number ?? 0);
    }, UNTIL);
    await home.agrees('joint');
    expect((await home.devnet('logs', 'mine.cl', '--name', 'joint')).stdout).toContain('connected with a peer');
    expect(await home.devnet('node', 'stop', 'mine', '--name', 'joint')).toMatchObject({ code: 0 });
    expect(await home.devnet('down', 'joint')).toMatchObject({ code: 0 });

    joint.chains.main.nodes.sequencer.cl.p2p = undefined;
    joint.chains.main.nodes.mine = { join: null };
    writeFileSync(join(home.folder, 'joint.yaml'), stringify(joint));
    expect(await home.devnet('attach', 'joint.yaml', '-d')).toMatchObject({ code: 0 });
    await vi.waitUntil(async () => ((await mine())?.heads.safe?.number ?? 0) > 1, UNTIL);
    await home.agrees('joint');
    expect(await home.devnet('down', 'joint')).toMatchObject({ code: 0 });
    await elsewhere.agrees('far');
  });

  it('refuses a node that joins with the genesis of another chain, and leaves nothing', async () => {
    const joint = JSON.parse(JSON.stringify(team));
    joint.chains.main.genesis = 'other.json';
    joint.chains.main.nodes.mine = { join: null };
    writeFileSync(join(home.folder, 'other.yaml'), stringify(joint));
    const attach = () => home.devnet('attach', 'other.yaml', '-d');
    expect(await attach()).toMatchObject({ code: 2, stderr: expect.stringContaining('it does not exist') });
    writeFileSync(join(home.folder, 'other.json'), '{}');
    expect(await attach()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/other\.json is not the genesis file of chain main: /),
    });
    joint.chains.main.nodes.mine = { join: { el: 'execution-gol' } };
    writeFileSync(join(home.folder, 'other.yaml'), stringify(joint));
    expect(await attach()).toMatchObject({ code: 2, stderr: expect.stringContaining('execution-go') });
    expect((await home.devnet('ls')).stdout).not.toContain('team');
  });

  it('has a handle in the library, which leaves it running', async () => {
    const options = { name: 'handle', home: home.env['DEVNET_HOME']! };
    await using net = await attach(join(home.folder, 'team.yaml'), options);
    expect((await net.status()).phase).toBe('ready');
    await net.down();
    await elsewhere.agrees('far');
  });

  it('is refused when a node lies about its genesis, and nothing is left', async () => {
    const lying = JSON.parse(JSON.stringify(team));
    lying.name = 'liar';
    lying.chains.main.genesisHash = `0x${'11'.repeat(32)}`;
    writeFileSync(join(home.folder, 'liar.yaml'), stringify(lying));
    const { code, stderr } = await home.devnet('attach', 'liar.yaml', '-d');
    expect(code).toBe(1);
    expect(stderr).toMatch(/has the hash of block 0 0x.*, and the file says 0x1111/);
    expect((await home.devnet('ls')).stdout).not.toContain('liar');
  });
});
