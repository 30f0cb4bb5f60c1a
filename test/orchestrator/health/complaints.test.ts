import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { Complaints } from '../../../src/orchestrator/health/complaints.ts';
import { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';
import type { TaskPhase } from '../../../src/orchestrator/state/state.ts';
import { present } from '../../../src/protocol/present.ts';
import { makeFolders } from '../../../src/system/files/folder.ts';
import { fixturePlan, temporaryHome } from '../supervisor/fixture-plan.ts';

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
