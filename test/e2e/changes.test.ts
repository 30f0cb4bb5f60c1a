import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { Home, type Outcome } from './devnet.ts';

interface Row {
  readonly fork: string;
  readonly time: number;
  readonly nodes: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, number | null>>;
}

describe('a running network', () => {
  let home: Home;
  const printed: string[] = [];
  beforeAll(async () => {
    home = new Home();
    const args = { 'log.level': 'debug' };
    const spec = home.spec('moved', {
      version: 1,
      name: 'moved',
      ports: 'auto',
      l1: { blockTime: 1 },
      chains: {
        main: {
          blockTime: 1,
          forks: { base: 'granite', holocene: '+6s', isthmus: '+900s' },
          nodes: {
            sequencer: { role: 'sequencer', el: 'execution-go', cl: { client: 'rollup-node', args } },
            go: { el: 'execution-go', cl: { client: 'rollup-node', args } },
            rust: { el: { client: 'execution-rust', args } },
          },
        },
      },
    });
    expect(await devnet('up', spec, '-d')).toMatchObject({ code: 0 });
  });
  afterAll(() => home[Symbol.asyncDispose]());

  async function devnet(...words: string[]): Promise<Outcome> {
    const outcome = await home.devnet(...words);
    printed.push(outcome.stdout, outcome.stderr);
    return outcome;
  }

  const row = async (fork: string) => (await home.json<Row[]>('forks')).find((each) => each.fork === fork)!;
  const agree = () => expect.poll(async () => (await devnet('check', '--json')).code, { interval: 500 }).toBe(0);
  const pass = async (block: number, node = '') =>
    expect(await devnet('wait', `block:${block}`, ...(node === '' ? [] : [node]), '--timeout', '300s')).toMatchObject({
      code: 0,
    });

  it.each(['go', 'rust'])('rewinds %s over a fork and back again', async (name) => {
    await devnet('wait', 'fork:holocene');
    await pass(9, `@${name}`);
    const refused = await devnet('node', 'restart', name, '--override', 'holocene=+600s');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('its head is block') });
    const [, rewind] = /(node restart .* --rewind)`/.exec(refused.stderr)!;
    expect(await devnet(...rewind!.split(' '))).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`main/${name} rewound to block 5;`),
    });
    expect(await row('holocene')).toMatchObject({ nodes: { [name]: 'pending' } });
    await pass(6, `@${name}`);
    // Under its own rules the node has another block 6, or rejects the chain's.
    const apart = await devnet('check', '--json');
    expect(apart.code).toBe(1);
    expect(JSON.parse(apart.stdout)).toMatchObject({ divergence: { block: 6, nodes: [name] } });
    const back = ['node', 'restart', name, '--override', 'holocene=+6s', '--rewind'];
    const undone = await devnet(...back);
    expect(undone.code, undone.stderr).toBe(0);
    expect((await row('holocene')).overrides).toEqual({});
    await agree();
  });

  it('moves a fork on the whole chain, the sequencer first, and the batcher follows', async () => {
    const { time } = await row('holocene');
    // Three restarts end before it, also on a slow machine: the clock stands. The warp passes the rest.
    expect(await devnet('pause')).toMatchObject({ code: 0 });
    const later = `isthmus=${Math.ceil(Date.now() / 1000) + 30}`;
    for (const name of ['sequencer', 'go', 'rust'])
      expect(await devnet('node', 'restart', `${name}.cl`, '--override', later)).toMatchObject({ code: 0 });
    expect(await devnet('warp', '--to', 'fork:isthmus', '--past')).toMatchObject({ code: 0 });
    expect(await devnet('resume')).toMatchObject({ code: 0 });
    const { overrides } = await row('isthmus');
    expect(new Set(Object.values(overrides)).size).toBe(1);
    const [at] = Object.values(overrides) as number[];
    const block = at! - time + 6;
    expect(await devnet('wait', `safe:${block + 3}`, '--timeout', '300s')).toMatchObject({ code: 0 });
    await agree();
    expect(await devnet('stop')).toMatchObject({ code: 0 });
    expect(await devnet('start')).toMatchObject({ code: 0 });
    expect((await row('isthmus')).overrides).toEqual(overrides);
    await agree();
  });

  it.each([
    ['go.el', /^main\/go\/el emptied; main\/go\/(el|cl), main\/go\/(el|cl) restarted$/m],
    ['rust.cl', /^main\/rust\/cl emptied; main\/rust\/cl restarted$/m],
    ['sequencer', /^(main\/sequencer\/(el|cl)(, |)){2} emptied; (main\/sequencer\/(el|cl)(, |)){2} restarted$/m],
  ])('empties %s, which then comes to the same chain again', async (word, message) => {
    const { number } = (await home.status()).chains[0]!.nodes[1]!.heads.safe!;
    expect(await devnet('node', 'reset', word)).toMatchObject({ code: 0, stderr: expect.stringMatching(message) });
    expect(await devnet('wait', `safe:${number}`, '--timeout', '300s')).toMatchObject({ code: 0 });
    await agree();
  });

  it('shows no key and no JWT secret in any output and any log', async () => {
    for (const words of [
      ['plan', '--name', 'moved', '--json'],
      ['plan', '--name', 'moved', '--shell'],
      ['plan', '--name', 'moved'],
      ['spec', '--name', 'moved'],
      ['status'],
      ['status', '--json'],
      ['accounts'],
      ['accounts', '--json'],
      ['env'],
      ['forks'],
      ['ls', '--json'],
      ['logs'],
      ['doctor', '--json'],
      // The report of a process that fails.
      ['node', 'restart', 'sequencer.cl', '--arg', 'rpc.port=1'],
      ['node', 'restart', 'batcher', '--arg', 'l1-eth-rpc=nonsense'],
    ])
      await devnet(...words);
    const folder = join(home.env['DEVNET_HOME']!, 'moved');
    const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')) as Plan;
    const secrets = plan.files.flatMap(({ secret, content }) =>
      secret && content.kind === 'text' ? [content.text.trim().replace(/^0x/, '').toLowerCase()] : [],
    );
    expect(new Set(secrets).size).toBe(secrets.length);
    // A JWT secret and a peer key for each node, and the keys of sequencer, batcher and proposer.
    expect(secrets.length).toBeGreaterThanOrEqual(9);
    const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.log'));
    expect(logs.length).toBeGreaterThanOrEqual(9);
    const texts = [...printed, ...logs.map((file) => readFileSync(join(folder, file), 'latin1'))];
    for (const secret of secrets)
      expect(
        texts.findIndex((text) => text.toLowerCase().includes(secret)),
        `secret ${secrets.indexOf(secret)}`,
      ).toBe(-1);
    // The keys of the funded accounts are public. Only two commands print them.
    const funded = plan.network.chains[0]!.accounts.filter(({ role }) => role === undefined)[0]!.privateKey!.slice(2);
    expect(printed.filter((text) => text.includes(funded)).length).toBe(3);
    expect(logs.filter((file) => readFileSync(join(folder, file), 'latin1').includes(funded))).toEqual([]);
  });

  it('keeps the folder of all devnets and its cache to their owner', () => {
    const root = home.env['DEVNET_HOME']!;
    const folders = ['', '.cache', ...readdirSync(join(root, '.cache')).map((name) => join('.cache', name)), 'moved'];
    const open = folders.filter((name) => (statSync(join(root, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  });
});
