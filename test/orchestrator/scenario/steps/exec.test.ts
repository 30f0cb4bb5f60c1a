import { realpathSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exec } from '../../../../src/orchestrator/scenario/steps/exec.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { type ServedDevnet, servedDevnet, standingTime } from '../served-devnet.ts';

let devnet: ServedDevnet;
beforeAll(async () => {
  devnet = await servedDevnet();
});
afterAll(() => devnet[Symbol.asyncDispose]());

const run = (value: Json, signal?: AbortSignal) =>
  exec.run(value, devnet.run({ time: standingTime(), ...(signal && { signal }) }));

describe('the step exec', () => {
  it('runs a line of a shell, or a program, and finds its output', async () => {
    expect(await run('echo "a  b"; echo c >&2')).toEqual({ code: 0, stdout: 'a  b', stderr: 'c' });
    expect(await run(['printf', '%s', '$HOME'])).toEqual({ code: 0, stdout: '$HOME', stderr: '' });
    expect(await run({ run: ['printf', 'x'] })).toEqual({ code: 0, stdout: 'x', stderr: '' });
  });

  it('runs it in the folder of the caller, with the variables of the network and its stamp', async () => {
    const { stdout } = await run('pwd; echo "$DEVNET_NAME $DEVNET_PROCESS $DEVNET_L2_RPC_URL"');
    const [folder, variables] = String(stdout).split('\n');
    expect(folder).toBe(realpathSync(devnet.home));
    expect(variables).toBe('one task http://127.0.0.1:1');
  });

  it('runs it while the network goes on', async () => {
    const events: string[] = [];
    const time = standingTime({
      async running(work) {
        events.push('running');
        return await work();
      },
    });
    await exec.run('true', devnet.run({ time }));
    expect(events).toEqual(['running']);
  });

  it.each<[Json, string, object]>([
    ['exit 3', 'it exited with 3, expected 0', { code: 3, stdout: '', stderr: '' }],
    [{ run: 'true', exits: 3 }, 'it exited with 0, expected 3', { code: 0 }],
    [{ run: 'echo b; exit 1' }, 'it exited with 1, expected 0', { stdout: 'b' }],
    [{ run: 'echo a; echo b >&2; exit 1' }, 'it exited with 1, expected 0: b', { stdout: 'a', stderr: 'b' }],
    [{ run: 'printf "1\\n2\\n" >&2; exit 1' }, 'it exited with 1, expected 0: 2', { stderr: '1\n2' }],
    [{ run: 'echo ab', stdout: '^b' }, 'its output does not match ^b', { code: 0, stdout: 'ab' }],
    // An earlier step may give a pattern that is none.
    [{ run: 'true', stdout: '(' }, 'its output does not match (', { code: 0 }],
    [{ run: 'sleep 60', timeout: '50ms' }, 'it did not end within 0.05 s', { stdout: '' }],
    [{ run: 'head -c 1048577 /dev/zero | tr "\\0" x; sleep 60' }, 'it printed more than 1 MiB', {}],
  ])('fails, with what it found: %j', async (value, message, data) => {
    await expect(run(value)).rejects.toMatchObject({ code: 'exec', exit: 1, message, data });
  });

  it.each<Json>([
    { run: 'sleep 0.01', timeout: '1000h' },
    { run: 'exit 3', exits: 3 },
    { run: 'echo "  ab  "', stdout: '^ab$' },
    { run: 'printf "a\\nb\\nc"', stdout: '^b$' },
  ])('passes: %j', async (value) => {
    expect(await run(value)).toMatchObject({ code: expect.any(Number) });
  });

  it('keeps the last 4000 characters of an output', async () => {
    const print = (count: number) => `printf 'a%0${count - 1}d' 7`;
    expect((await run(print(4000)))['stdout']).toBe(`a${'0'.repeat(3998)}7`);
    expect((await run(print(4001)))['stdout']).toBe(`…${'0'.repeat(3999)}7`);
    expect((await run(`${print(4001)} >&2`))['stderr']).toMatch(/^…0+7$/);
  });

  it('prints no control characters of an output', async () => {
    const outcome = run(`printf '\\033[31mred' >&2; exit 1`);
    await expect(outcome).rejects.toMatchObject({ message: expect.stringMatching(/expected 0: .*red/) });
    await expect(outcome).rejects.toMatchObject({ message: expect.not.stringContaining('\u001b') });
  });

  it('ends when the network ends', async () => {
    const signal = AbortSignal.abort(new Error('the network has ended'));
    await expect(run('sleep 60', signal)).rejects.toThrow('the network has ended');
  });

  it('needs a command', () => {
    for (const value of ['', [], {}, { run: '' }, { run: 'true', exits: 256 }, { run: 'true', exits: -1 }])
      expect(exec.schema.safeParse(value).success, JSON.stringify(value)).toBe(false);
  });
});
