import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { list } from 'tar';
import { expect, it } from 'vitest';
import { releasePorts, reservationsOf, reservePort } from '../../../../src/orchestrator/ports/reservations.ts';
import { type RunOptions, runScenario } from '../../../../src/orchestrator/scenario/perform/run-scenario.ts';
import { EXIT } from '../../../../src/system/failure.ts';
import { identify } from '../../../../src/system/process/identity.ts';
import { Tiny } from '../../cli/tiny.ts';

/** Writes a scenario whose network is one of tiny programs, on a clock that runs. */
function scenario(tiny: Tiny, name: string, ...commands: readonly string[]): string {
  const spec = readFileSync(tiny.spec(`${name}-spec`), 'utf8').replace(/^(version|name): .*\n/gm, '');
  const devnet = `time: { clock: wall }\n${spec}`.replace(/^(?=.)/gm, '  ');
  const steps = commands.map((command) => ({ exec: command }));
  const text = `name: ${name}\nseed: 5\ndevnet:\n${devnet}\nsteps: ${JSON.stringify(steps)}\n`;
  writeFileSync(join(tiny.folder, `${name}.yaml`), text);
  return text;
}

/** Runs a scenario of the folder, and returns what it wrote beside its outcome. `written` is called with each line. */
async function run(tiny: Tiny, name: string, more: Partial<RunOptions> = {}, written?: (line: string) => void) {
  const lines: string[] = [];
  const io = {
    ...{ stdout: () => expect.fail('a run prints no result'), env: tiny.env, cwd: tiny.folder, isTty: false },
    stderr(text: string) {
      lines.push(text);
      written?.(text);
    },
  };
  const options = { set: [], keep: false, budgetMs: 60_000, repro: undefined, version: '1.2.3', ...more };
  const outcome = await runScenario(io, { file: `./${name}.yaml`, ...options });
  return { ...outcome, lines };
}
const HEADS = Object.fromEntries(
  ['main/sequencer', 'main/verifier'].map((node) => [
    node,
    { number: expect.any(Number), hash: expect.stringMatching(/^0x/) },
  ]),
);

it('a run that fails keeps its folder with the result, until the next run of the scenario', async () => {
  await using tiny = new Tiny();
  const folder = join(tiny.home, 'again');
  const text = scenario(tiny, 'again', 'true', 'exit 3', 'true');
  const other = { home: tiny.home, name: 'other' };
  expect(reservePort(other, 1, identify(process.pid)!)).toBe(true);
  const failed = await run(tiny, 'again');
  expect(failed).toMatchObject({
    ...{ code: EXIT.failed, result: { name: 'again', passed: false, seed: 5, folder, heads: HEADS } },
    result: { steps: [{ status: 'passed' }, { evidence: { code: 3 } }, { status: 'skipped' }] },
  });
  expect(failed.result).not.toHaveProperty('teardown');
  const { seconds, steps } = failed.result;
  expect(seconds).toBeGreaterThanOrEqual(steps[0]!.seconds + steps[1]!.seconds);
  expect(failed.lines[0]).toMatch(/^passed {3}1\/3 {2}exec "?true"?/);
  expect(failed.lines).toContain(`  logs are kept in ${folder}\n`);
  expect(failed.lines.filter((line) => /^(wrote|devnet:)/.test(line))).toEqual([]);
  expect(reservationsOf({ home: tiny.home, name: 'again' })).toEqual([]);
  expect(reservationsOf(other)).toHaveLength(1);
  releasePorts(tiny.home, { name: 'other' });
  const kept = join(folder, 'result.json');
  expect(readFileSync(kept, 'utf8')).toBe(`${JSON.stringify(failed.result, null, 2)}\n`);
  expect(readFileSync(join(folder, 'scenario.yaml'), 'utf8')).toBe(text);
  expect(await tiny.json('status', 'again')).toMatchObject({ phase: 'stopped' });

  // Without its result the network is one that the user has stopped.
  renameSync(kept, join(tiny.folder, 'aside'));
  const unwritten = join(tiny.folder, 'refused.tgz');
  const refused = await run(tiny, 'again', { repro: unwritten });
  expect(refused).toMatchObject({ code: EXIT.alreadyUp, result: { passed: false } });
  expect([refused.result.heads, existsSync(unwritten)]).toEqual([{}, false]);
  expect(refused.result.steps.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'skipped']);
  expect(refused.lines.join('')).toContain('again is stopped; a new network would replace its chain');

  renameSync(join(tiny.folder, 'aside'), kept);
  scenario(tiny, 'again', 'true');
  const archive = join(tiny.folder, 'again.yaml', 'run.tgz');
  const passed = await run(tiny, 'again', { set: ['seed=6'], repro: archive });
  expect(passed).toMatchObject({ code: EXIT.done, result: { passed: true, seed: 6, heads: HEADS } });
  expect(passed.lines.join('')).toContain(`devnet: cannot write ${archive}`);
  for (const key of ['folder', 'teardown']) expect(passed.result).not.toHaveProperty(key);
  expect(existsSync(folder)).toBe(false);
});

it('a run that keeps its network packs it while it is up, and leaves no result in its folder', async () => {
  await using tiny = new Tiny();
  scenario(tiny, 'held', 'true');
  const archive = join(tiny.folder, 'held.tgz');
  const { code, result, lines } = await run(tiny, 'held', { keep: true, repro: archive });
  const folder = join(tiny.home, 'held');
  expect({ code, result }).toMatchObject({ code: EXIT.done, result: { passed: true, folder } });
  expect(lines).toContain('held is left running; `devnet down held` ends it\n');
  expect(lines).toContain(`wrote ${archive}; \`devnet run ${archive}\` runs it again\n`);
  expect(await tiny.json('status', 'held')).toMatchObject({ phase: 'ready' });
  expect(existsSync(join(folder, 'result.json'))).toBe(false);
  const reads: Promise<readonly [string, string]>[] = [];
  await list({
    file: archive,
    onReadEntry: (entry) => void reads.push(entry.concat().then((bytes) => [entry.path, bytes.toString()])),
  });
  const files = new Map(await Promise.all(reads));
  const { folder: _, ...packed } = result;
  expect(JSON.parse(files.get('held/result.json') ?? '')).toEqual(packed);
  expect(JSON.parse(files.get('held/versions.json') ?? '')).toMatchObject({ devnet: '1.2.3' });

  expect(await run(tiny, 'held')).toMatchObject({ code: EXIT.alreadyUp, result: { passed: false } });
  rmSync(archive);
  expect((await tiny.run('down', 'held')).code).toBe(0);
});

it.each([
  ['after its last step', 'passed', ['true'], ['passed']],
  ['after a step that fails', 'FAILED', ['exit 3'], ['failed']],
])(
  'a run that is interrupted %s takes its network down, one that was to be kept, too',
  async (_, at, commands, statuses) => {
    await using tiny = new Tiny();
    scenario(tiny, 'cut', ...commands);
    const interrupt = (line: string) => {
      if (line.startsWith(at)) process.emit('SIGINT');
    };
    const { code, result, lines } = await run(tiny, 'cut', { keep: true }, interrupt);
    expect(code).toBe(130);
    expect(result.steps.map(({ status }) => status)).toEqual(statuses);
    for (const key of ['folder', 'teardown']) expect(result).not.toHaveProperty(key);
    expect(lines.join('')).not.toContain('is left running');
    expect(existsSync(join(tiny.home, 'cut'))).toBe(false);
  },
);
