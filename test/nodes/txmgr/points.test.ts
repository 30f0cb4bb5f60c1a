import { expect, it } from 'vitest';
import { startablePoints } from '../../../src/nodes/txmgr/points.ts';

/** A program that is stopped and started, and its points. */
function setup() {
  const calls: string[] = [];
  const program = {
    running: true,
    start() {
      program.running = true;
      calls.push('started');
    },
    async stop() {
      program.running = false;
      calls.push('stopped');
    },
  };
  const points = startablePoints(program, { ended: async () => void calls.push('sent') });
  return { calls, program, points };
}

it('begins anew after a return, once nothing is sent any more', async () => {
  const { calls, points } = setup();
  await points.remember(1);
  await points.suspend(1);
  expect(calls).toEqual(['stopped', 'sent']);
  await points.goBack(1);
  await points.resume(1);
  expect(calls).toEqual(['stopped', 'sent', 'started']);
});

it('runs after a return as it ran at the moment, and as before where there is none', async () => {
  const { program, points } = setup();
  await points.remember(1);
  await program.stop();
  await points.remember(2);
  program.start();
  await points.suspend(2);
  await points.goBack(2);
  await points.resume(2);
  expect(program.running).toBe(false);
  await points.suspend(1);
  await points.goBack(1);
  await points.resume(1);
  expect(program.running).toBe(true);
  await points.suspend(1);
  await points.resume(1);
  expect(program.running).toBe(true);
});
