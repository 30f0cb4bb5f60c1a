import { expect, it } from 'vitest';
import { startableCheckpoints } from '../../../src/nodes/txmgr/checkpoints.ts';

/** A program that is stopped and started, and its checkpoints. */
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
  const checkpoints = startableCheckpoints(program, { idle: async () => void calls.push('sent') });
  return { calls, program, checkpoints };
}

it('a sender restarts after a restore, once no transaction is in flight', async () => {
  const { calls, checkpoints } = setup();
  await checkpoints.take(1);
  await checkpoints.suspend(1);
  expect(calls).toEqual(['stopped', 'sent']);
  await checkpoints.restore(1);
  await checkpoints.resume(1);
  expect(calls).toEqual(['stopped', 'sent', 'started']);
});

it('a sender is started or stopped after a restore as it was in the checkpoint', async () => {
  const { program, checkpoints } = setup();
  await checkpoints.take(1);
  await program.stop();
  await checkpoints.take(2);
  program.start();
  await checkpoints.suspend(2);
  await checkpoints.restore(2);
  await checkpoints.resume(2);
  expect(program.running).toBe(false);
  await checkpoints.suspend(1);
  await checkpoints.restore(1);
  await checkpoints.resume(1);
  expect(program.running).toBe(true);
  await checkpoints.suspend(1);
  await checkpoints.resume(1);
  expect(program.running).toBe(true);
});
