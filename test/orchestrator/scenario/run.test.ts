import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { passFor, receiptsOf, runOf, untilHolds, type Verdict } from '../../../src/orchestrator/scenario/run.ts';
import type { ScenarioTime } from '../../../src/orchestrator/scenario/time.ts';
import { chainAt } from '../../../src/orchestrator/traffic/transaction.ts';
import { EXIT, Failure } from '../../../src/system/failure.ts';
import { type Ledger, servedLedger } from './ledger.ts';
import { servedDevnet } from './served-devnet.ts';

/** Time that passes as it is told, and notes each passage. */
function timeOf(kind: ScenarioTime['kind'], pass: (ms: number, passed: number[]) => number | Promise<never>) {
  const passed: number[] = [];
  let now = 5000;
  const time = {
    kind,
    now: () => now,
    async pass(ms: number) {
      passed.push(ms);
      now += await pass(ms, passed);
    },
  } as unknown as ScenarioTime;
  return { time, passed, signal: new AbortController().signal };
}

const no = (because = 'it is not'): Verdict => ({ holds: false, because, evidence: { found: 3 } });
const yes: Verdict = { holds: true, evidence: { found: 4 } };
/** A check that holds at its n-th call. */
function holdsAt(n: number) {
  let calls = 0;
  const check = async () => (++calls >= n ? yes : no(`it is not at check ${calls}`));
  return { check, calls: () => calls };
}

describe('a condition that is checked', () => {
  it('is checked once when it has no time', async () => {
    const { passed, ...run } = timeOf('wall', (ms) => ms);
    expect(await untilHolds(run, undefined, holdsAt(1).check)).toEqual({ found: 4 });
    const { check, calls } = holdsAt(2);
    await expect(untilHolds(run, undefined, check)).rejects.toMatchObject({
      ...{ code: 'expectation', exit: EXIT.failed, message: 'it is not at check 1', data: { found: 3 } },
    });
    expect(calls()).toBe(1);
    expect(passed).toEqual([]);
  });

  it('is checked until it holds, up to the last moment of its time', async () => {
    const { passed, ...run } = timeOf('wall', (ms) => ms);
    const { check, calls } = holdsAt(3);
    expect(await untilHolds(run, 200, check)).toEqual({ found: 4 });
    expect([calls(), passed]).toEqual([3, [100, 100]]);
  });

  it('is late when its time is over on a network that follows the machine', async () => {
    const { passed, ...run } = timeOf('wall', (ms) => ms);
    await expect(untilHolds(run, 200, holdsAt(4).check)).rejects.toMatchObject({
      ...{ code: 'late', exit: EXIT.failed, message: 'not within 0.2 s: it is not at check 3', data: { found: 3 } },
    });
    expect(passed).toHaveLength(2);
  });

  it('is checked again without another slot when the time of a stepped network is over', async () => {
    const { passed, ...run } = timeOf('stepped', () => 2000);
    const { check, calls } = holdsAt(3);
    expect(await untilHolds(run, 2000, check)).toEqual({ found: 4 });
    expect([calls(), passed]).toEqual([3, [100]]);
    const short = holdsAt(4);
    await expect(untilHolds(run, 1, short.check)).rejects.toMatchObject({ code: 'late' });
    // One check before the slot, one after it, and one more if the processes had less than its time.
    expect(short.calls()).toBeGreaterThanOrEqual(2);
  });

  it('is checked again when the network does not move, and fails with the reason of that', async () => {
    const stuck = new Failure('clock', 'main/a/el does not end its slot');
    const { passed, ...run } = timeOf('stepped', () => Promise.reject(stuck));
    expect(await untilHolds(run, 60_000, holdsAt(3).check)).toEqual({ found: 4 });
    await expect(untilHolds(run, 1, holdsAt(4).check)).rejects.toBe(stuck);
    expect(passed).toHaveLength(2);
  });

  it('is not checked again without patience, when a stepped network is over its time or does not move', async () => {
    const over = timeOf('stepped', () => 2000);
    const late = holdsAt(3);
    await expect(untilHolds({ ...over, patience: 0 }, 2000, late.check)).rejects.toMatchObject({ code: 'late' });
    expect(late.calls()).toBe(2);
    const failure = new Failure('clock', 'main/a/el does not end its slot');
    const stuck = timeOf('stepped', () => Promise.reject(failure));
    const { check, calls } = holdsAt(3);
    await expect(untilHolds({ ...stuck, patience: 0 }, 2000, check)).rejects.toBe(failure);
    expect(calls()).toBe(2);
  });

  it('fails at once with an error that is no failure of the network', async () => {
    const { passed: _, ...run } = timeOf('stepped', () => Promise.reject(new TypeError('x')));
    const { check, calls } = holdsAt(9);
    await expect(untilHolds(run, 1000, check)).rejects.toThrow(TypeError);
    expect(calls()).toBe(1);
  });

  it('is given up when the network ends', async () => {
    const { time } = timeOf('wall', (ms) => ms);
    const signal = AbortSignal.abort(new Error('the network has ended'));
    await expect(untilHolds({ time, signal }, 1000, async () => no())).rejects.toThrow('the network has ended');
    expect(await untilHolds({ time, signal }, 1000, async () => yes)).toEqual({ found: 4 });
  });
});

describe('the receipt of a transaction', () => {
  const HASH: Hex = `0x${'ab'.repeat(32)}`;
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await servedLedger();
  });
  beforeEach(() => {
    Object.assign(ledger, { includes: false, knowsAll: true });
  });
  afterAll(() => {
    ledger[Symbol.dispose]();
  });

  it('is waited for while time passes, with a check before each request', async () => {
    const { passed, ...run } = timeOf('wall', (ms, all) => {
      ledger.includes = all.length === 2;
      return ms;
    });
    let checks = 0;
    const check = async () => void checks++;
    expect(await receiptsOf(run)(chainAt(ledger.url), HASH, 1000, check)).toMatchObject({ transactionHash: HASH });
    expect([passed.length, checks]).toEqual([2, 3]);
    expect(await receiptsOf(run)(chainAt(ledger.url), HASH, 1000)).toMatchObject({ transactionHash: HASH });
    expect(passed).toHaveLength(2);
  });

  it('is late when no block has the transaction in time', async () => {
    const { passed: _, ...run } = timeOf('wall', (ms) => ms);
    await expect(receiptsOf(run)(chainAt(ledger.url), HASH, 200)).rejects.toMatchObject({
      ...{ code: 'late', message: `not within 0.2 s: transaction ${HASH} is not in a block` },
    });
  });

  it('is given up when the check fails', async () => {
    const { passed, ...run } = timeOf('wall', (ms) => ms);
    const check = () => Promise.reject(new Error('it was replaced'));
    await expect(receiptsOf(run)(chainAt(ledger.url), HASH, 200, check)).rejects.toThrow('it was replaced');
    expect(passed).toEqual([]);
  });
});

it('time passes on the network until as much as was asked for is over', async () => {
  const { passed, time } = timeOf('stepped', (ms) => Math.min(ms, 400));
  await passFor({ time }, 1000);
  expect([passed, time.now()]).toEqual([[1000, 600, 200], 6000]);
  await passFor({ time }, 0);
  expect(passed).toHaveLength(3);
});

it('the context of steps has the devnet of its name, and the patience of a machine', async () => {
  await using devnet = await servedDevnet();
  const { signal } = new AbortController();
  const context = { name: 'one', seed: 3, folder: '/far', signal, time: timeOf('wall', (ms) => ms).time };
  const contextOf = (env: Readonly<Record<string, string>>) => {
    const io = { stdout: () => undefined, stderr: () => undefined, env, cwd: '/', isTty: false };
    return runOf(io, context, () => Promise.reject(new Error('no step')));
  };
  const run = contextOf({ DEVNET_HOME: devnet.home, DEVNET_TIMEOUT_FACTOR: '3' });
  expect(run).toMatchObject({ ...context, patience: 3, io: { cwd: '/' } });
  expect(run.devnet().paths).toMatchObject({ home: devnet.home, name: 'one' });
  expect(run.plan().devnet).toBe('one');
  expect(contextOf({ DEVNET_HOME: devnet.home }).patience).toBe(1);
});
