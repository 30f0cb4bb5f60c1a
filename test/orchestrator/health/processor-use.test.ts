import { spawn } from 'node:child_process';
import { expect, it, vi } from 'vitest';
import { ProcessorUse } from '../../../src/orchestrator/health/processor-use.ts';
import type { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';

it('the processor time of a task counts all its processes, whatever it runs in', async () => {
  const loops = [0, 1].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  try {
    const task = (id: string, pids: readonly number[]) =>
      ({ task: { id }, running: { processes: () => pids } }) as unknown as LiveTask;
    const pids = loops.map(({ pid = 0 }) => pid);
    const tasks = [task('both', pids), task('first', pids.slice(0, 1)), task('unknown', [])];
    const use = new ProcessorUse();
    use.since(tasks);
    const sums = { both: 0, first: 0 };
    await vi.waitFor(
      () => {
        const { ran, starved } = use.since(tasks);
        expect(starved).toBeGreaterThanOrEqual(0);
        expect(ran.has('unknown')).toBe(false);
        sums.both += ran.get('both') ?? 0;
        sums.first += ran.get('first') ?? 0;
        expect(sums.first).toBeGreaterThan(50);
        expect(sums.both - sums.first).toBeGreaterThan(50);
      },
      { timeout: 60_000, interval: 20 },
    );
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
});
