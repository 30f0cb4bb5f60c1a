import { describe, expect, it } from 'vitest';
import { ADMIN_METHODS, type BatcherControl, HEALTH_METHODS } from '../../../src/nodes/batcher/methods.ts';
import type { DataAvailabilityType } from '../../../src/nodes/batcher/options/da-type.ts';
import { RpcError } from '../../../src/rpc/error.ts';
import { dispatch } from '../../../src/rpc/server/dispatch.ts';
import { createLogger } from '../../../src/system/program/log.ts';

const STATE = { type: 'step', threshold: 1, current_load: 2, intensity: 3, max_tx_size: 4, max_block_size: 5 } as const;

/** A batcher that records what is asked of it. `refusal`: why it takes no other carrier. */
function batcher({ running = true, throttled = true, refusal }: Options = {}) {
  const done: unknown[] = [];
  const log = createLogger({ level: 'info', format: 'text', color: false, pid: false, write: () => undefined });
  const control: BatcherControl = {
    version: '1.2.3',
    running,
    start: () => void done.push('start'),
    stop: async () => void done.push('stop'),
    flush: () => void done.push('flush'),
    dataAvailability: 'auto',
    setDataAvailability(kind: DataAvailabilityType) {
      if (refusal !== undefined) throw refusal;
      done.push(kind);
    },
    throttling: throttled
      ? {
          load: () => undefined,
          use: (type) => void done.push(type),
          reset: () => void done.push('reset'),
          state: STATE,
        }
      : undefined,
    log,
  };
  const call = async (method: string, ...params: readonly unknown[]) => {
    const options = { methods: { ...HEALTH_METHODS, ...ADMIN_METHODS }, context: control };
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await dispatch(options, request, { transport: 'http', closed: new AbortController().signal });
    const { result, error } = JSON.parse(String(answer)) as { result?: unknown; error?: object };
    return error ?? { result };
  };
  return { call, done, log };
}
interface Options {
  readonly running?: boolean;
  readonly throttled?: boolean;
  readonly refusal?: Error;
}

describe('a method of a batcher', () => {
  it.each<[string, readonly unknown[], unknown, unknown[]]>([
    ['health_status', [], '1.2.3', []],
    ['admin_stopBatcher', [], null, ['stop']],
    ['admin_flushBatcher', [], null, ['flush']],
    ['admin_dataAvailabilityType', [], 'auto', []],
    ['admin_setDataAvailabilityType', ['blobs'], null, ['blobs']],
    ['admin_getThrottleController', [], STATE, []],
    ['admin_setThrottleController', ['linear'], null, ['linear']],
    ['admin_setThrottleController', ['step', { kp: 1 }], null, ['step']],
    ['admin_resetThrottleController', [], null, ['reset']],
  ])('%s with %j does what op-batcher does', async (method, params, result, does) => {
    const { call, done } = batcher();
    expect([await call(method, ...params), done]).toEqual([{ result }, does]);
  });

  it('starts one that is stopped, and no other', async () => {
    const stopped = batcher({ running: false });
    expect([await stopped.call('admin_startBatcher'), stopped.done]).toEqual([{ result: null }, ['start']]);
    const running = batcher();
    expect(await running.call('admin_startBatcher')).toEqual({ code: -32_000, message: 'batcher is already running' });
    expect(running.done).toEqual([]);
  });

  it.each(['admin_stopBatcher', 'admin_flushBatcher'])('%s is refused by one that is stopped', async (method) => {
    const { call, done } = batcher({ running: false });
    expect([await call(method), done]).toEqual([{ code: -32_000, message: 'batcher is not running' }, []]);
  });

  it.each([
    ['admin_getThrottleController', []],
    ['admin_setThrottleController', ['step']],
    ['admin_resetThrottleController', []],
  ])('%s is refused without throttling', async (method, params) => {
    expect(await batcher({ throttled: false }).call(method, ...params)).toMatchObject({
      code: -32_000,
      message: expect.stringContaining('throttle.unsafe-da-bytes-lower-threshold'),
    });
  });

  it.each([
    ['admin_setDataAvailabilityType', 'blob', 'expected one of calldata, blobs, auto, found "blob"'],
    ['admin_setThrottleController', 'pid', 'expected one of step, linear, quadratic, found "pid"'],
  ])('%s names the values that it takes', async (method, value, message) => {
    const { call, done } = batcher();
    expect([await call(method, value), done]).toEqual([{ code: -32_602, message }, []]);
  });

  it('gives the reason why another carrier is refused', async () => {
    const refused = async (refusal: Error) => batcher({ refusal }).call('admin_setDataAvailabilityType', 'blobs');
    expect(await refused(new Error('too many frames'))).toEqual({ code: -32_000, message: 'too many frames' });
    expect(await refused(new RpcError(-7, 'own'))).toEqual({ code: -7, message: 'own' });
  });

  it('sets the level of the log', async () => {
    const { call, log } = batcher();
    expect([await call('admin_setLogLevel', 'dbug'), log.level]).toEqual([{ result: null }, 'debug']);
  });
});
