import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { identify } from '../../../src/system/process/identity.ts';
import { BUNDLE, Tiny } from './tiny.ts';

const LAUNCHER = resolve(import.meta.dirname, '..', '..', '..', 'src', 'launch', 'newer-node.ts');

/** Starts the command as the launcher does on an old Node: as a child of it, on a recent one. Its input never ends. */
function onOldNode(tiny: Tiny, argv: readonly string[]) {
  const words = [BUNDLE, ...argv].map((word) => JSON.stringify(word)).join();
  const code = `import { continueOn } from ${JSON.stringify(LAUNCHER)};
continueOn(${JSON.stringify(process.execPath)}, [${words}]);`;
  return tiny.startProgram([
    ...['sh', '-c', 'exec "$0" "$@" </dev/null'],
    ...[process.execPath, '--input-type=module', '-e', code],
  ]);
}

it.each([
  ['up', ['up'], 'is ready'],
  ['exec', ['exec'], 'the command runs'],
  ['pool', ['pool', '--port', '0'], '/WORKER/start'],
])('%s on an old Node ends with the launcher that is killed', async (_, [word = '', ...options], ready) => {
  await using tiny = new Tiny();
  const command = word === 'exec' ? ['--', 'sh', '-c', 'echo the command runs >&2; sleep 300'] : [];
  const launcher = onOldNode(tiny, [word, tiny.spec('held'), ...options, ...command]);
  await expect.poll(launcher.stderr, { interval: 10 }).toContain(ready);
  launcher.child.kill('SIGKILL');
  await launcher.closed;
  await tiny.nothingLeft();
});

it('exec that is killed leaves neither its network nor its command', async () => {
  await using tiny = new Tiny();
  const exec = tiny.start([
    'exec',
    tiny.spec('ran'),
    '--',
    'sh',
    '-c',
    'echo the command runs; sleep 300 & setsid sleep 300',
  ]);
  await expect.poll(exec.stdout, { interval: 10 }).toContain('the command runs');
  exec.child.kill('SIGKILL');
  await exec.closed;
  await tiny.nothingLeft();
});

it.each(['exec', 'pool'])(
  '%s ends what its command leaves running, and with it every wait for its output',
  async (word) => {
    await using tiny = new Tiny();
    const options = word === 'pool' ? ['--port', '0'] : [];
    const left = 'setsid sleep 300 & echo $!; exit 3';
    const run = tiny.start([word, tiny.spec('ran'), ...options, '--', 'sh', '-c', left]);
    // Its output has ended too, which the process that is left held open.
    expect({ ...(await run.closed), stderr: run.stderr() }).toMatchObject({ code: 3 });
    expect(run.stderr()).toContain('ended 1 process that the command left running');
    expect(identify(Number(run.stdout()))).toBeUndefined();
  },
);

it('a pool names in its hints the network of the worker that asked', async () => {
  await using tiny = new Tiny();
  const el = "args: { crash: 1, says: 'the genesis mismatches' }";
  const pool = tiny.start(['pool', tiny.spec('bad', { el }), '--port', '0']);
  await expect.poll(pool.stdout, { interval: 10 }).toMatch(/http:\S+\n/);
  const hintFor = async (worker: string): Promise<string> => {
    const answer = await fetch(`${pool.stdout().trim()}/${worker}/start`);
    return ((await answer.json()) as { error: { hint: string } }).error.hint;
  };
  const hints = await Promise.all(['one', 'two'].map(hintFor));
  expect(hints).toEqual([
    expect.stringMatching(/^`\S.* down --name bad-one-\w+` removes the data/),
    expect.stringMatching(/^`\S.* down --name bad-two-\w+` removes the data/),
  ]);
  expect(pool.stderr()).toMatch(/`\S.* down --name bad-one-\w+` removes/);
  expect(pool.stderr()).toMatch(/`\S.* down --name bad-two-\w+` removes/);
});
