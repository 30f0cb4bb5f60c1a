import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import type { Problem } from '../../src/orchestrator/state/problem.ts';
import type { State } from '../../src/orchestrator/state/state.ts';
import { mountsDisks, SmallDisk } from '../orchestrator/cli/small-disk.ts';
import { Home, rpc } from './devnet.ts';

/** The network. Its verifier reads blobs from another beacon. */
const spec = (beacon: string) => ({
  version: 1,
  name: 'ill',
  ports: 'auto',
  l1: { blockTime: 1, onExit: 'ignore' },
  chains: {
    main: {
      blockTime: 1,
      onExit: 'ignore',
      proposer: false,
      nodes: {
        sequencer: { role: 'sequencer', el: 'execution-rust' },
        verifier: { el: 'execution-go', cl: { args: { 'l1.beacon': beacon } } },
      },
    },
  },
});

/** A beacon that passes on another one's answers, and has no blobs while `isLost`. `isAsked`: for one of them. */
async function losingBlobs(original: () => string) {
  const state = { isLost: true, isAsked: false };
  const server = createServer(async ({ url = '' }, response) => {
    const isLost = state.isLost && url.includes('blob');
    state.isAsked ||= isLost;
    if (isLost) return void response.writeHead(500).end('{"code":500,"message":"the blobs are lost"}');
    const answer = await fetch(`${original()}${url}`).catch(() => undefined);
    response.writeHead(answer?.status ?? 503, { 'content-type': 'application/json' }).end(await answer?.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  });
}

const LONG = { timeout: 150_000, interval: 200 };

/** Bytes of the disk that holds the devnet, if one can be mounted. */
const DISK = 120_000_000;

/** Seconds by which L1 is ahead: more than a busy machine needs to see the problem. */
const MOVED = 120;

/** One network for all cases. Each case breaks one thing, waits for its problem, repairs it, and waits for `ready`. */
describe('a late process is reported with its cause, and the network becomes ready again:', () => {
  const home = new Home();
  const devnets = home.env['DEVNET_HOME']!;
  const folder = join(devnets, 'ill');
  const disk = mountsDisks ? new SmallDisk(devnets, DISK) : undefined;
  const read = <T>(name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;
  const state = () => read<State>('state.json');
  const network = () => read<Plan>('plan.json').network;
  const batcher = () => network().chains[0]!.batcher!.rpc!;
  const l1 = (method: string, ...params: unknown[]) => rpc(network().l1.rpc, method, ...params);
  const signal = (task: string, name: NodeJS.Signals) => process.kill(state().tasks[task]!.process!.pid, name);
  let beacon: Awaited<ReturnType<typeof losingBlobs>>;
  let output = '';

  beforeAll(async () => {
    beacon = await losingBlobs(() => network().l1.beacon);
    const up = home.start('up', home.spec('ill', spec(beacon.url)), '--ready-budget', '300s');
    up.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
    await vi.waitFor(() => expect(output).toContain('ill is ready'), { timeout: 120_000, interval: 100 });
  }, 400_000);

  afterAll(async () => {
    beacon?.close();
    // The home can be removed once it has no mount points.
    await home.devnet('down', '--all');
    disk?.[Symbol.dispose]();
    await home[Symbol.asyncDispose]();
  });

  type Expected = Partial<Record<keyof Problem, unknown>>;
  /** Waits for a problem that matches, and for its phase. */
  const ill = (expected: Expected) =>
    expect.poll(state, LONG).toMatchObject({
      phase: 'degraded',
      problems: expect.arrayContaining([expect.objectContaining(expected)]),
    });
  /**
   * Waits until a problem is the first, and the cause of all others. On a busy machine a process can be late by itself,
   * but for a moment.
   */
  const illBy = (expected: Expected, isCause: (because: string | null) => boolean) =>
    expect
      .poll(
        () => ({
          first: state().problems[0],
          causes: state()
            .problems.slice(1)
            .map(({ because }) => because),
        }),
        LONG,
      )
      .toEqual({
        first: expect.objectContaining(expected),
        causes: expect.toSatisfy((causes: readonly (string | null)[]) => causes.every(isCause)),
      });
  const well = () => expect.poll(state, LONG).toMatchObject({ phase: 'ready', problems: [] });

  /** A second try finds the batcher as the first one left it. */
  const alreadyDone = () => undefined;

  it('a batcher that was stopped: by status, wait, check and the attached up', async () => {
    await rpc(batcher(), 'admin_stopBatcher').catch(alreadyDone);
    await ill({
      subject: 'main/batcher',
      what: expect.stringContaining('sends no transaction'),
      // Its last line says `Batcher stopped`, and is neither a warning nor an error.
      because: null,
    });
    const waited = await home.devnet('wait', 'ready', '--timeout', '1s');
    expect(waited).toMatchObject({ code: 3, stderr: expect.stringContaining('main/batcher: sends no transaction') });
    await expect
      .poll(() => home.devnet('check'))
      .toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/all nodes agree.*main\/batcher: sends no transaction/s),
      });
    expect((await home.devnet('status')).stdout).toMatch(/PROBLEM {2}main\/batcher: [^\n]+, since \d\d:\d\d:\d\d UTC/);
    expect(await home.json('status')).toMatchObject({
      phase: 'degraded',
      problems: expect.arrayContaining([expect.objectContaining({ subject: 'main/batcher' })]),
    });
    expect(output).toMatch(/unhealthy main\/batcher: sends no transaction to L1[^\n]* stays at \d+$/m);
    expect(output).toMatch(/^degraded$/m);
    await rpc(batcher(), 'admin_startBatcher');
    await well();
    expect((await home.devnet('wait', 'ready')).code).toBe(0);
    await expect.poll(() => output).toMatch(/^degraded$[\s\S]*^ready again$/m);
  }, 400_000);

  it('a batcher out of money', async () => {
    const { address } = network().chains[0]!.accounts.find(({ role }) => role === 'batcher')!;
    await l1('anvil_setBalance', address, '0x0');
    await ill({
      subject: 'main/batcher',
      because: expect.stringMatching(/^its account 0x\w{40} has \d+ wei left on L1$/),
    });
    await l1('anvil_setBalance', address, '0x3635c9adc5dea00000');
    await well();
  }, 400_000);

  it('a batcher that was killed and stays down', async () => {
    signal('main/batcher', 'SIGKILL');
    const killed = 'was ended by SIGKILL while the network ran';
    await ill({ subject: 'main/batcher', what: killed });
    await ill({ what: expect.stringContaining('safe head has stopped') });
    await illBy({ subject: 'main/batcher', what: killed }, (because) => because === `main/batcher: ${killed}`);
    expect((await home.devnet('node', 'start', 'batcher')).code).toBe(0);
    await well();
  }, 400_000);

  it.each(['main/sequencer/cl', 'main/verifier/el'])(
    '%s frozen by a signal',
    async (task) => {
      signal(task, 'SIGSTOP');
      try {
        const stopped = expect.stringContaining('stopped by a signal');
        await illBy({ subject: task, what: 'does not answer', because: stopped }, () => true);
      } finally {
        signal(task, 'SIGCONT');
      }
      await well();
    },
    400_000,
  );

  it('a beacon that is frozen, and L1 with it', async () => {
    signal('l1-beacon', 'SIGSTOP');
    await ill({
      subject: 'l1',
      what: expect.stringContaining('produces no block'),
      because: 'l1-beacon: does not answer',
    });
    await illBy({ subject: 'l1-beacon', because: expect.stringContaining('kill -CONT') }, () => true);
    signal('l1-beacon', 'SIGCONT');
    await well();
  }, 400_000);

  it("L1's time, moved away from the network's until that reaches it", async () => {
    // At the gate this would move the whole network.
    await rpc(network().l1.direct.rpc, 'evm_mine', { timestamp: Math.ceil(Date.now() / 1000) + MOVED });
    const moved = expect.stringMatching(/^its time was moved \d[\d a-z]* ahead of the network's clock/);
    // Whether others are late in these seconds is a matter of their pace.
    await illBy({ subject: 'l1', what: moved }, (because) => because?.includes('l1: its time was moved') === true);
    expect((await home.devnet('warp', `+${MOVED}s`)).code).toBe(0);
    await well();
  }, 400_000);

  it('a verifier that cannot go on deriving: with its own last complaint', async () => {
    await rpc(batcher(), 'admin_setDataAvailabilityType', 'blobs');
    await expect.poll(() => beacon.isAsked, { timeout: 150_000 }).toBe(true);
    // A blob costs a second of processor time in each of several programs. One of them is enough.
    await rpc(batcher(), 'admin_setDataAvailabilityType', 'calldata');
    await ill({
      subject: 'main/verifier/cl',
      what: expect.stringContaining('derivation has stopped at L1 block'),
      because: expect.stringContaining('the blobs are lost'),
    });
    beacon.isLost = false;
    await well();
  }, 400_000);

  it('a beacon that was killed and stays down, and all that waits for L1', async () => {
    signal('l1-beacon', 'SIGKILL');
    const killed = 'was ended by SIGKILL while the network ran';
    await ill({ subject: 'l1', what: expect.stringContaining('produces no block') });
    await illBy({ subject: 'l1-beacon', what: killed }, (because) => because === `l1-beacon: ${killed}`);
    expect(await home.devnet('wait', 'ready', '--timeout', '1s')).toMatchObject({ code: 3 });
    expect((await home.devnet('node', 'start', 'l1-beacon')).code).toBe(0);
    await well();
  }, 400_000);

  it.skipIf(!mountsDisks)(
    'a disk that is nearly full, and one that is full',
    async () => {
      disk?.fill(1_600_000);
      await ill({ subject: 'disk', what: expect.stringMatching(/^is full: \d+ kB are left for /) });
      for (const name of readdirSync(devnets)) if (name.startsWith('filling')) rmSync(join(devnets, name));
      await well();
      disk?.fill();
      // The state file cannot be written. The supervisor reports it.
      const problem = { subject: 'disk', what: expect.stringMatching(/^is full: \d+ kB are left for /) };
      await expect
        .poll(() => home.json('status'), { interval: 500 })
        .toMatchObject({ phase: 'degraded', problems: expect.arrayContaining([expect.objectContaining(problem)]) });
      expect(existsSync(folder)).toBe(true);
    },
    400_000,
  );
});
