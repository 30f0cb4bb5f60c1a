import { expect, it } from 'vitest';
import { whileUp } from '../../../src/orchestrator/devnet/network-end.ts';
import { devnetAt, phaseOf } from '../../../src/orchestrator/devnet/select.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { freePort } from '../../system/free-port.ts';
import { fixturePlan, temporaryHome } from '../supervisor/fixture-plan.ts';
import { Supervised } from '../supervisor/supervised.ts';

/** Waits without letting any event of the process happen. */
function untilSync(isTrue: () => boolean): void {
  const limit = performance.now() + 60_000;
  while (!isTrue()) if (performance.now() > limit) throw new Error('it did not come true');
}

it('work that fails since the network ends fails with the end, also if it notices before the event', async () => {
  using folder = temporaryHome();
  const paths = pathsOf(folder.home, 'ends');
  const plan = fixturePlan(folder.home, 'ends', [{ port: await freePort() }]);
  await using supervised = new Supervised(folder.home);
  await supervised.up(plan).phase('ready');
  const run = whileUp(() => devnetAt(paths));
  const own = new Error('refused by the node');
  await expect(run(() => Promise.reject(own))).rejects.toBe(own);
  const cut = run(async () => {
    supervised.order({ kind: 'interrupt' });
    untilSync(() => phaseOf(devnetAt(paths)) !== 'ready');
    throw new Error('connection refused');
  });
  await expect(cut).rejects.toMatchObject({ code: 'ended', message: 'ends ended while this waited for it' });
  await supervised.end();
});
