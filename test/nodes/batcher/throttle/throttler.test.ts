import { describe, expect, it, vi } from 'vitest';
import type { ThrottlePolicy } from '../../../../src/nodes/batcher/throttle/throttle-controller.ts';
import { type Throttler, throttler } from '../../../../src/nodes/batcher/throttle/throttler.ts';
import { RPC_CODE, RpcError } from '../../../../src/rpc/error.ts';
import { manualClock, memoryLog } from '../helpers.ts';

const POLICY: ThrottlePolicy = {
  controller: 'step',
  lowerThreshold: 1000,
  upperThreshold: 3000,
  txLower: 100,
  txUpper: 500,
  blockLower: 1000,
  blockUpper: 9000,
};
const NO_LIMITS = ['0x0', '0x2328'];
const LIMITS = ['0x64', '0x3e8'];
/** Lets all promises that can settle do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

type Answer = Error | undefined;

/** A throttler of execution clients that answer when the test says so. */
function throttlerOf(policy: ThrottlePolicy, ...urls: string[]) {
  const { log, lines } = memoryLog();
  const trace: string[] = [];
  const clients = urls.map((url) => {
    const received: (readonly [method: string, params: unknown])[] = [];
    const pending: ((answer: Answer) => void)[] = [];
    const rpc = {
      call: (method: string, params: readonly unknown[] = []) => {
        received.push([method, params]);
        return new Promise<never>((resolve, reject) => {
          pending.push((answer) => (answer === undefined ? resolve(true as never) : reject(answer)));
        });
      },
      batch: () => expect.fail(),
      close: () => {},
    };
    return {
      url,
      rpc,
      received,
      limits: () => received.map(([, params]) => params),
      answer(outcome?: Error) {
        pending.shift()!(outcome);
        return settled();
      },
    };
  });
  const clock = {
    ...manualClock(0),
    activity: () => ({ busy: () => void trace.push('busy'), idle: () => void trace.push('idle') }),
  };
  const warnings = () => lines.splice(0).map((line) => /lvl=(\w+) .* url=(\S+)/.exec(line)?.slice(1).join(' '));
  return { subject: throttler(policy, clients, log, clock), clients, warnings, lines, trace };
}
/** The same with one client. */
function single(policy = POLICY) {
  const { clients, ...rest } = throttlerOf(policy, 'http://127.0.0.1:1');
  return { ...rest, client: clients[0]! };
}
const URL_SHOWN = 'http://127.0.0.1:1';

describe('limits of an execution client', () => {
  it('are sent with each load that changes them, one request at a time', async () => {
    const { subject, client, trace, warnings } = single();
    subject.load(0);
    expect(client.received).toEqual([['miner_setMaxDASize', NO_LIMITS]]);
    expect(trace).toEqual(['busy']);
    subject.load(1001);
    expect(client.limits()).toEqual([NO_LIMITS]);
    await client.answer();
    expect(trace).toEqual(['busy', 'idle']);
    expect(warnings()).toEqual([]);
    subject.load(1001);
    await client.answer();
    expect(client.limits()).toEqual([NO_LIMITS, LIMITS]);
    expect(warnings()).toEqual([`info ${URL_SHOWN}`]);
  });

  it('are not sent again at once when they stay', async () => {
    const { subject, client } = single();
    for (const load of [0, 5, 1000]) {
      subject.load(load);
      if (load === 0) await client.answer();
    }
    expect(client.limits()).toEqual([NO_LIMITS]);
  });

  it('are sent again after five seconds, for a client that restarted', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { subject, client, warnings } = single();
      subject.load(0);
      await client.answer();
      for (const count of [1, 2, 3]) {
        subject.load(0);
        expect(client.received).toHaveLength(count);
        if (count > 1) await client.answer();
        vi.advanceTimersByTime(4999);
        subject.load(0);
        expect(client.received).toHaveLength(count);
        vi.advanceTimersByTime(1);
      }
      expect(warnings()).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['of transactions', { txLower: 0 }, ['0x0', '0x3e8']],
    ['of blocks', { blockLower: 0 }, ['0x64', '0x2328']],
  ])('are sent when the limit %s alone changes', async (_, changes, limits) => {
    const { subject, client } = single({ ...POLICY, ...changes });
    subject.load(0);
    await client.answer();
    subject.load(1001);
    expect(client.limits()).toEqual([NO_LIMITS, limits]);
  });

  it('are those of the controller in force', async () => {
    const { subject, client } = single({ ...POLICY, controller: 'linear' });
    subject.load(2000);
    await client.answer();
    subject.use('step');
    expect(client.limits()).toEqual([['0x12c', '0x1388'], LIMITS]);
  });

  it('are sent again after a failure, which is logged once', async () => {
    const { subject, client, warnings } = single();
    for (const _attempt of [1, 2]) {
      subject.load(0);
      await client.answer(new Error('refused'));
    }
    expect(warnings()).toEqual([`warn ${URL_SHOWN}`]);
    subject.load(0);
    await client.answer();
    subject.load(1001);
    await client.answer(new Error('refused'));
    expect(client.limits()).toEqual([NO_LIMITS, NO_LIMITS, NO_LIMITS, LIMITS]);
    expect(warnings()).toEqual([`warn ${URL_SHOWN}`]);
  });

  it('are sent again at a reset', async () => {
    const { subject, client, warnings } = single();
    subject.load(1001);
    await client.answer();
    subject.reset();
    await client.answer();
    expect(client.limits()).toEqual([LIMITS, LIMITS]);
    expect(warnings()).toEqual([]);
  });

  it('are sent to each client, whatever the others answer', async () => {
    const { subject, clients } = throttlerOf(POLICY, 'http://a.test', 'http://b.test');
    subject.load(0);
    await clients[0]!.answer(new Error('refused'));
    await clients[1]!.answer();
    subject.load(0);
    expect(clients.map(({ received }) => received.length)).toEqual([2, 1]);
  });
});

describe('an execution client that does not serve the method', () => {
  const unknown = new RpcError(RPC_CODE.methodNotFound, 'the method does not exist');

  it('receives it once, and is named once when blocks should be limited', async () => {
    const { subject, client, warnings } = single();
    subject.load(0);
    await client.answer(unknown);
    subject.load(0);
    expect(warnings()).toEqual([]);
    for (const load of [1001, 1002]) subject.load(load);
    expect(warnings()).toEqual([`warn ${URL_SHOWN}`]);
    expect(client.limits()).toEqual([NO_LIMITS]);
  });

  it('receives it again at a reset, and is named again', async () => {
    const { subject, client, warnings } = single();
    subject.load(1001);
    await client.answer(unknown);
    subject.load(1001);
    expect(warnings()).toHaveLength(1);
    subject.reset();
    expect(client.limits()).toEqual([LIMITS, LIMITS]);
    await client.answer(unknown);
    subject.load(1001);
    expect(warnings()).toHaveLength(1);
  });

  it('is not taken for one that fails with another error', async () => {
    const { subject, client, warnings } = single();
    subject.load(1001);
    await client.answer(new RpcError(RPC_CODE.internal, 'refused'));
    subject.load(1001);
    expect(client.limits()).toEqual([LIMITS, LIMITS]);
    expect(warnings()).toEqual([`warn ${URL_SHOWN}`]);
  });
});

describe('state of throttling', () => {
  const states: [string, (subject: Throttler) => void, object][] = [
    ['at first', () => {}, { current_load: 0, intensity: 0, max_tx_size: 0, max_block_size: 9000 }],
    [
      'at a load',
      (subject) => subject.load(2000),
      { current_load: 2000, intensity: 0.5, max_tx_size: 300, max_block_size: 5000 },
    ],
    [
      'by another controller',
      (subject) => {
        subject.load(2000);
        subject.use('quadratic');
      },
      { type: 'quadratic', current_load: 2000, intensity: 0.25, max_tx_size: 400, max_block_size: 7000 },
    ],
  ];
  it.each(states)('has the fields of op-batcher %s', (_, change, fields) => {
    const { subject } = throttlerOf({ ...POLICY, controller: 'linear' });
    change(subject);
    expect(subject.state).toStrictEqual({ type: 'linear', threshold: 1000, ...fields });
  });
});
