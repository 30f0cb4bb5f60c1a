import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '../../../src/orchestrator/status/status.ts';
import { Tiny } from './tiny.ts';

describe('batcher and proposer of a chain', () => {
  let tiny: Tiny;
  beforeAll(async () => {
    tiny = new Tiny();
    const senders = 'batcher: ./batcher.yaml\n    proposer: false';
    expect(await tiny.run('up', tiny.spec('posters', { senders }), '-d')).toMatchObject({ code: 0 });
  });
  afterAll(() => tiny[Symbol.asyncDispose]());

  it('the batcher stops and starts by a command, and health names the command', async () => {
    const stopped = { code: 0, stderr: 'main/batcher stopped\n' };
    expect(await tiny.run('batcher', 'stop')).toMatchObject(stopped);
    await expect
      .poll(async () => (await tiny.json<Status>('status')).problems.find(({ subject }) => subject === 'main/batcher'))
      .toMatchObject({ what: 'is stopped', because: 'on request' });
    expect(await tiny.run('batcher', 'stop', 'main')).toMatchObject({ code: 0, stderr: 'not running: main/batcher\n' });
    const started = { code: 0, stderr: 'main/batcher started\n' };
    expect(await tiny.run('batcher', 'start', 'main')).toMatchObject(started);
  });

  it('a chain that is not there, or has no such process, is refused', async () => {
    const absent = { code: 2, stderr: expect.stringContaining('posters has no chain man; expected one of main') };
    expect(await tiny.run('batcher', 'stop', 'man')).toMatchObject(absent);
    const none = { code: 2, stderr: expect.stringContaining('the chain main has no proposer') };
    expect(await tiny.run('proposer', 'stop')).toMatchObject(none);
  });
});
