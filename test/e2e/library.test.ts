import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { Home, root } from './devnet.ts';

/** Returns the URL of a module of the built library. */
const built = (name: string) => new URL(`file://${join(root, 'dist', 'library', `${name}.mjs`)}`).href;

const SPEC = { chains: { main: { proposer: false } } };

it('an abort in the middle of a start leaves nothing', async () => {
  await using home = new Home();
  const { startDevnet }: typeof import('../../src/library/index.ts') = await import(built('index'));
  const stop = new AbortController();
  const reason = new Error('enough');
  const lines: string[] = [];
  const log = (line: string) => {
    lines.push(line);
    if (line.startsWith('ready')) stop.abort(reason);
  };
  const folder = home.env['DEVNET_HOME']!;
  const start = { spec: SPEC, ports: 'auto', name: 'aborted', home: folder, signal: stop.signal, log } as const;
  await expect(startDevnet(start)).rejects.toBe(reason);
  expect(lines.find((line) => line.startsWith('ready'))).toBeDefined();
  expect(lines.join('\n')).not.toContain('is ready after');
  expect(existsSync(join(folder, 'aborted'))).toBe(false);
  await vi.waitFor(() => expect(home.leftovers()).toEqual([]), { timeout: 120_000, interval: 20 });
  await expect(startDevnet(start)).rejects.toBe(reason);
});

it('a start past a budget of one stamp fails with the slowest process, and writes its report', async () => {
  await using home = new Home();
  const { startDevnet, StartError }: typeof import('../../src/library/index.ts') = await import(built('index'));
  const report = join(home.folder, 'start.json');
  const start = {
    spec: SPEC,
    ports: 'auto',
    home: home.env['DEVNET_HOME']!,
    budgets: { answering: 1 },
    report,
  } as const;
  const error = await startDevnet(start).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(StartError);
  const { ready, budgets, slowest, failure } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, unknown>;
  expect({ ready, budgets }).toEqual({ ready: false, budgets: { ready: 60, answering: 0.001 } });
  expect(failure).toEqual((error as InstanceType<typeof StartError>).report);
  expect(failure).toMatchObject({ task: slowest });
  const stray: object = { saved: 1 };
  await expect(startDevnet({ ...start, budgets: stray })).rejects.toMatchObject({ name: 'UsageError', code: 'usage' });
  await vi.waitFor(() => expect(home.leftovers()).toEqual([]), { timeout: 120_000, interval: 20 });
});

it('a wait for a network ends when the network ends, not with its own time', async () => {
  await using home = new Home();
  const { startDevnet }: typeof import('../../src/library/index.ts') = await import(built('index'));
  await using net = await startDevnet({ spec: SPEC, ports: 'auto', home: home.env['DEVNET_HOME']! });
  await net.pause();
  const [address, timeout] = ['0x1111111111111111111111111111111111111111', 24 * 3600 * 1000] as const;
  const waiting = [
    net.deposit({ to: address, value: 1n, timeout }),
    net.fund({ address, value: 1n, timeout }),
    net.withdraw({ to: address, value: 1n, timeout }),
    net.load({ count: 1, timeout }),
    net.waitFor('block:1000000', { timeout }),
    net.run({ steps: [{ wait: { for: 'block:1000000', timeout: '24h' } }] }),
  ];
  const ends = Promise.allSettled(waiting);
  const { address: sender } = net.l1.accounts[0]!;
  const isSent = () => net.l1.public.getTransactionCount({ address: sender, blockTag: 'pending' });
  await vi.waitFor(async () => expect(await isSent()).toBeGreaterThan(0), { timeout: 120_000, interval: 20 });
  await net.down();
  const codes = (await ends).map((end) => (end.status === 'rejected' ? String(end.reason.code) : end.value));
  expect(codes.slice(0, 5)).toEqual(Array(5).fill('ended'));
  expect(codes[5]).toMatchObject({ passed: false });
});

it('a handle puts faults on links, heals them, and skews clocks', async () => {
  await using home = new Home();
  const { startDevnet, UsageError }: typeof import('../../src/library/index.ts') = await import(built('index'));
  const spec = { ...SPEC, faults: true };
  await using net = await startDevnet({ spec, ports: 'auto', home: home.env['DEVNET_HOME']! });
  const nodes = (await net.status()).chains[0]!.nodes.map(({ name }) => name);
  const engine = `${nodes[0]}:engine`;
  expect(await net.faults.add({ shaping: { target: engine, delay: 5 } }, { forMs: 600_000 })).toBe('1');
  expect(await net.faults.partition(nodes, ['l1'])).toBe('2');
  expect((await net.status()).faults.partitions).toMatchObject([{ id: '2', groups: [nodes, ['l1']] }]);
  await expect(net.faults.heal('3')).rejects.toThrow(UsageError);
  expect(await net.faults.heal('2')).toEqual(['2']);
  const { shaping } = await net.faults.apply({ shaping: [{ target: engine, delay: '7ms', id: 'slow' }] });
  expect(shaping).toMatchObject([{ id: 'slow', delay: 7 }]);
  await expect(net.faults.apply({ shaping: [{ target: 'nowhere', cut: true }] })).rejects.toMatchObject({
    code: 'fault',
  });
  expect(await net.faults.heal()).toEqual(['slow']);
  expect(await net.faults.add({ pool: { action: 'hold', of: 'batcher', id: 'late' } })).toBe('late');
  await expect(net.faults.add({ pool: { action: 'hold', of: 'nobody' } })).rejects.toThrow(UsageError);
  expect(await net.faults.heal()).toEqual(['late']);
  expect(await net.faults.read()).toEqual({ partitions: [], shaping: [], rpc: [], pool: [] });
  const late = net.node(nodes[1]!);
  const skews = async () => (await net.status()).chains[0]!.nodes.map(({ el, cl }) => [el.skewMs, cl.skewMs]);
  expect(await late.skew(1500)).toEqual({ tasks: late.tasks, ms: 1500 });
  await expect(late.skew(0.5)).rejects.toThrow(UsageError);
  expect((await skews())[1]).toEqual([1500, 1500]);
  await late.skew(0);
  expect((await skews())[1]).toEqual([0, 0]);
});

it('an error after `await using` takes the network down', async () => {
  await using home = new Home();
  const { startDevnet }: typeof import('../../src/library/index.ts') = await import(built('index'));
  const use = async () => {
    await using net = await startDevnet({ spec: SPEC, ports: 'auto', home: home.env['DEVNET_HOME']! });
    expect(home.leftovers().length).toBeGreaterThan(4);
    throw new Error(`planted in ${net.name}`);
  };
  await expect(use()).rejects.toThrow(/^planted in devnet-/);
  expect(home.leftovers()).toEqual([]);
  expect(JSON.parse((await home.devnet('ls', '--json')).stdout)).toEqual([]);
});

it('the fixture of node:test reports the network of a failed test, which kill -9 ends', async () => {
  await using home = new Home();
  const program = join(root, 'test', 'fixtures', 'programs', 'hanging-node-test.mjs');
  const runner = spawn(process.execPath, ['--test-reporter=tap', program, built('node-test')], {
    env: { ...home.env, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await using _ = { [Symbol.asyncDispose]: async () => void runner.kill('SIGKILL') };
  let text = '';
  runner.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  // Its reporter and its tests write independently.
  await vi.waitFor(
    () => {
      expect(text).toContain('hanging in');
      expect(text).toContain('ok 1 - the network is up');
      expect(text).toContain('not ok 2 - this fails');
      expect(text).toMatch(
        /# failed: this fails\n# .*transaction 0x[0-9a-f]{64} on main\/sequencer\n# .*\n# +status +reverted/,
      );
      expect(text.match(/transaction 0x[0-9a-f]{64} on /g)).toHaveLength(1);
      expect(text).toMatch(/FAILED: execution reverted.*main\/sequencer {2}unsafe \d+ safe \d+ finalized \d+ {2}0x/s);
    },
    { timeout: 120_000, interval: 50 },
  );
  expect(home.leftovers().length).toBeGreaterThan(4);
  runner.kill('SIGKILL');
  await vi.waitFor(() => expect(home.leftovers()).toEqual([]), { timeout: 120_000, interval: 20 });
});
