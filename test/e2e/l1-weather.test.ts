import { expect, it } from 'vitest';
import type { FaultDocument, L1PoolFault } from '../../src/orchestrator/state/faults.ts';
import { Home, rpc, type Status } from './devnet.ts';

interface Block {
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
}

const LONG = { timeout: 120_000 };

const block = ({ l1 }: Status, which: string) => rpc<Block>(l1.rpc, 'eth_getBlockByNumber', which, false);
const problemsOf = async (home: Home) =>
  (await home.json<Status & { problems: readonly { subject: string; what: string }[] }>('status')).problems;

it('L1 is stalled and reorganised by commands, which name what they refuse', async () => {
  await using home = new Home();
  const chain = { blockTime: 1, proposer: false, nodes: { sequencer: { role: 'sequencer' } } };
  const spec = { version: 1, name: 'weather', ports: 'auto', l1: { blockTime: 1 }, chains: { main: chain } };
  const status = await home.up(home.spec('weather', spec));
  expect((await home.devnet('wait', 'safe:4')).code).toBe(0);

  // Two blocks are not final, with one a slot.
  const before = await block(status, 'latest');
  const reorg = await home.json<{ from: Block; to: Block; common: Block }>('l1', 'reorg', '2');
  expect(Number(reorg.from.number)).toBeGreaterThanOrEqual(Number(before.number));
  expect(Number(reorg.common.number)).toBe(Number(reorg.from.number) - 2);
  expect(reorg.to.hash).not.toBe(reorg.from.hash);
  const at = `0x${Number(reorg.to.number).toString(16)}`;
  expect((await block(status, at)).hash).toBe(reorg.to.hash);
  const final = await home.devnet('l1', 'reorg', '4');
  expect(final).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is final .*at most 2 blocks\n.*finality: real/s),
  });
  const deep = await home.devnet('l1', 'reorg', '128');
  expect(deep).toMatchObject({ code: 1, stderr: expect.stringContaining('and genesis stays') });
  const absent = `0x${'ab'.repeat(32)}`;
  expect(await home.devnet('l1', 'reorg', '1', '--drop', absent)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`no transaction ${absent}`),
  });
  expect((await home.devnet('l1', 'reorg', '0')).code).toBe(2);
  expect((await home.devnet('l1', 'reorg', '1', '--drop', '0x12')).code).toBe(2);

  // A stall without a duration lasts until it is ended. `status` shows it when the command has ended.
  expect(await home.devnet('l1', 'stall')).toMatchObject({ code: 0 });
  const head = await block(status, 'latest');
  expect(await problemsOf(home)).toContainEqual(expect.objectContaining({ subject: 'l1', what: 'is stalled' }));
  expect((await home.devnet('l1', 'stall', '3s')).stderr).toContain('stalled already');
  expect((await home.devnet('wait', `block:${Number(head.number) + 4}`)).code).toBe(0);
  expect(await block(status, 'latest')).toEqual(head);
  // An l1-beacon that is started again goes on with the stall.
  expect((await home.devnet('node', 'restart', 'l1-beacon')).code).toBe(0);
  expect(await block(status, 'latest')).toEqual(head);
  expect(await home.devnet('l1', 'resume')).toMatchObject({ code: 0 });
  expect((await home.devnet('l1', 'resume')).code).toBe(1);
  const first = `0x${(Number(head.number) + 1).toString(16)}`;
  await expect.poll(() => block(status, first)).not.toBeNull();
  // Its slots stay empty.
  expect(Number((await block(status, first)).timestamp)).toBeGreaterThanOrEqual(Number(head.timestamp) + 4);

  // A transaction that is held is a fault like the others, and an l1-beacon that is started again goes on with it.
  expect(await home.devnet('fault', 'l1-pool', 'hold', 'batcher')).toMatchObject({ code: 0 });
  const held = async () => (await home.json<FaultDocument>('fault', 'ls')).pool;
  await expect.poll(held, LONG).toMatchObject([{ id: '1', action: 'hold', nonce: expect.any(Number) }]);
  const [{ nonce, from }] = (await held()) as readonly [L1PoolFault];
  const used = () => rpc<string>(status.l1.rpc, 'eth_getTransactionCount', from, 'latest').then(Number);
  expect((await home.devnet('node', 'restart', 'l1-beacon')).code).toBe(0);
  const next = Number((await block(status, 'latest')).number) + 3;
  await expect.poll(async () => Number((await block(status, 'latest')).number), LONG).toBeGreaterThan(next);
  expect(await used()).toBe(nonce);
  expect((await home.devnet('status')).stdout).toContain(`FAULT    1: hold transaction ${nonce} of batcher`);
  expect(await home.devnet('fault', 'heal', '--all')).toMatchObject({
    ...{ code: 0, stderr: expect.stringContaining('fault 1 is healed: hold transaction') },
  });
  await expect.poll(used, LONG).toBeGreaterThan(Number(nonce));
  const absentHold = await home.devnet('fault', 'l1-pool', 'hold', absent);
  expect(absentHold).toMatchObject({ code: 1, stderr: expect.stringContaining(`no transaction ${absent} waits`) });
  expect((await home.devnet('fault', 'ls')).stdout).toBe('no fault stands\n');

  // A stall of some time is waited for, and Ctrl-C ends it.
  expect(await home.devnet('l1', 'stall', '2s')).toMatchObject({ code: 0, stderr: expect.stringContaining('goes on') });
  const long = home.start('l1', 'stall', '1h');
  const exit = new Promise<number | null>((done) => long.on('close', done));
  await new Promise((done) => long.stderr?.once('data', done));
  long.kill('SIGINT');
  expect(await exit).toBe(130);
  expect((await home.devnet('l1', 'resume')).code).toBe(1);
  await expect.poll(() => problemsOf(home), LONG).toEqual([]);
  await home.agrees();
});
