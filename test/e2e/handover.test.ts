import { expect, it } from 'vitest';
import { Home } from './devnet.ts';
import { handOver } from './support/handover.ts';

it('the sequencer moves from node to node under load, and no accepted transaction is lost', async () => {
  await using home = new Home();
  const { told } = await handOver(home, 3);
  expect(told).toBeGreaterThan(20);
});
