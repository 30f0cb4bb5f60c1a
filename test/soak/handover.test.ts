import { expect, it } from 'vitest';
import { Home } from '../e2e/devnet.ts';
import { handOver } from '../e2e/support/handover.ts';

const HANDOVERS = Number(process.env['HANDOVERS'] ?? 50);

it(`the sequencer moves ${HANDOVERS} times under load, and no accepted transaction is lost`, async () => {
  await using home = new Home();
  const outcome = await handOver(home, HANDOVERS);
  console.log(outcome);
  expect(outcome.told).toBeGreaterThan(HANDOVERS);
});
