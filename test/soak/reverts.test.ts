import { expect, it } from 'vitest';
import { Home } from '../e2e/devnet.ts';
import { gatherEvents, goBackAndOn, pids, startNetwork, takeMoment } from '../e2e/support/reverts.ts';
import { busy } from './busy.ts';

const REVERTS = Number(process.env['REVERTS'] ?? 200);
const LOAD = Number(process.env['LOAD'] ?? 0);

it(`the network goes back to one point ${REVERTS} times, with two other blocks each time`, async () => {
  using _ = busy(LOAD);
  await using home = new Home();
  await using net = await startNetwork(home.env['DEVNET_HOME'] ?? '', 'reverts');
  const moment = await takeMoment(net);
  const before = await pids(net);
  using events = gatherEvents(net);
  const hashes = new Set<string>();
  for (let nth = 1; nth <= REVERTS; nth++) {
    hashes.add(await goBackAndOn(net, moment, nth));
    if (nth % 20 === 0) console.log(`${nth} returns`);
  }
  expect(hashes.size).toBe(REVERTS);
  expect(await pids(net)).toEqual(before);
  await net.waitFor(`safe:${moment.number + 3n}`, { timeout: 300_000 });
  expect(await net.check()).toMatchObject({ agree: true, problems: [] });
  expect(events.all.filter(({ kind }) => ['reorg', 'divergence', 'stall'].includes(kind))).toEqual([]);
});
