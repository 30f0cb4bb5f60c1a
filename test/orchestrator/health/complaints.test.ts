import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it, vi } from 'vitest';
import { Complaints } from '../../../src/orchestrator/health/complaints.ts';
import { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';
import type { Running } from '../../../src/orchestrator/runtimes/interface/runtime.ts';
import type { TaskPhase } from '../../../src/orchestrator/state/state.ts';
import { present } from '../../../src/protocol/present.ts';
import { makeFolders } from '../../../src/system/files/folder.ts';
import type { Exit } from '../../../src/system/process/process.ts';
import { fixturePlan, type TaskOptions, temporaryHome } from '../supervisor/fixture-plan.ts';

const BATCHER = 'main/batcher';

it('a program that did not answer is a reason until the network, or the task itself, is ready', () => {
  using home = temporaryHome();
  const plan = fixturePlan(home.home, 'drill', [], { [BATCHER]: {} });
  const live = new LiveTask(
    present(
      plan.tasks.find(({ id }) => id === BATCHER),
      'batcher',
    ),
  );
  const enter = (...phases: readonly TaskPhase[]) => {
    for (const phase of phases) live.enter(phase);
  };
  enter('starting');
  const { log } = live.task;
  makeFolders(dirname(log));
  const at = Date.now() - 1000;
  writeFileSync(log, `t=${new Date(at).toISOString()} lvl=warn msg="L1 does not answer"\n`);
  const reason = (readyAt: number) => new Complaints(new Map([[BATCHER, live]]), readyAt).of(BATCHER, at);

  expect(reason(at - 1)).toBe('L1 does not answer');
  expect(reason(at + 1)).toBeUndefined();

  const complaints = new Complaints(new Map([[BATCHER, live]]), at - 1);
  expect(complaints.of(BATCHER, at)).toBe('L1 does not answer');
  enter('ready');
  expect(complaints.of(BATCHER, at)).toBeUndefined();

  // A problem is no start: the task answers or not as before.
  const ready = present(live.readyAt, 'time');
  writeFileSync(log, `t=${new Date(ready).toISOString()} lvl=warn msg="L1 does not answer"\n`);
  expect(complaints.of(BATCHER, at)).toBe('L1 does not answer');
  while (Date.now() === ready);
  enter('unhealthy', 'ready', 'paused', 'ready');
  expect(complaints.of(BATCHER, at)).toBe('L1 does not answer');
});

/** The complaints of one task with these lines in its log. */
function complaintsOf(home: string, options: TaskOptions, lines: readonly string[]) {
  const plan = fixturePlan(home, 'drill', [], { [BATCHER]: options });
  const live = new LiveTask(present(plan.tasks[0], 'batcher'));
  const { log } = live.task;
  makeFolders(dirname(log));
  const write = (texts: readonly string[]) => writeFileSync(log, texts.map((text) => `${text}\n`).join(''));
  write(lines);
  return { live, write, complaints: new Complaints(new Map([[BATCHER, live]]), 0) };
}

it('a complaint stays the reason of a problem until another follows, or the problem or the start is another', () => {
  using home = temporaryHome();
  const { live, write, complaints } = complaintsOf(home.home, {}, ['WARN slow']);
  expect(complaints.of(BATCHER, 5)).toBe('slow');
  write(['INFO fine']);
  expect(complaints.of(BATCHER, 5)).toBe('slow');
  expect(complaints.of(BATCHER, 6)).toBeUndefined();
  expect(complaints.of(BATCHER, 5)).toBe('slow');
  write(['WARN slower', 'INFO fine']);
  expect(complaints.of(BATCHER, 5)).toBe('slower');
  write([]);
  for (const phase of ['starting', 'ready'] as const) live.enter(phase);
  expect(complaints.of(BATCHER, 5)).toBeUndefined();
});

it('a complaint is no harmless line, and none from before the start or the last 400 lines', () => {
  using home = temporaryHome();
  const lines = ['WARN before', 'WARN is due', 'WARN no peers yet'];
  const { live, write, complaints } = complaintsOf(home.home, { harmless: ['no peers'] }, lines);
  expect(complaints.of(BATCHER, 5)).toBe('is due');
  live.use(live.command, 'WARN before\nWARN is due\n'.length);
  expect(complaints.of(BATCHER, 6)).toBeUndefined();
  live.use(live.command, 0);
  write(['WARN long ago', ...Array<string>(400).fill('INFO fine')]);
  expect(complaints.of(BATCHER, 7)).toBeUndefined();
  write(['WARN lately', ...Array<string>(399).fill('INFO fine')]);
  expect(complaints.of(BATCHER, 7)).toBe('lately');
});

it('a complaint has no secret of its task, and a task that is unknown has none', () => {
  using home = temporaryHome();
  const secret = `0x${'5e'.repeat(32)}`;
  const { complaints } = complaintsOf(home.home, { secrets: [secret] }, [`WARN bad key ${secret}`]);
  expect(complaints.of(BATCHER, 5)).toMatch(/^bad key (?!.*5e5e)/);
  expect(complaints.of('absent', 5)).toBeUndefined();
});

it('a process that a signal has stopped is the reason itself, while it exists', async () => {
  using home = temporaryHome();
  const { live, complaints } = complaintsOf(home.home, {}, ['WARN slow']);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  try {
    const pid = present(child.pid, 'pid');
    const ended = Promise.withResolvers<Exit>();
    live.run({ process: { pid, started: '', boot: '' }, exited: ended.promise } as unknown as Running);
    expect(complaints.of(BATCHER, 5)).toBe('slow');
    child.kill('SIGSTOP');
    const says = `process ${pid} is stopped by a signal or a debugger; kill -CONT ${pid} lets it go on`;
    await vi.waitFor(() => expect(complaints.of(BATCHER, 5)).toBe(says), { timeout: 20_000, interval: 5 });
    ended.resolve({ code: 0, signal: null });
    await live.exited;
    expect(complaints.of(BATCHER, 5)).toBe('slow');
  } finally {
    child.kill('SIGKILL');
  }
});
