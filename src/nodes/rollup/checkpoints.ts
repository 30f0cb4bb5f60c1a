import { type Checkpoints, createCheckpoints } from '../../system/channel/checkpoints.ts';
import type { Driver } from './driver/driver.ts';
import type { L1Watch } from './l1/watch.ts';
import type { NodeP2P } from './p2p/p2p.ts';
import type { RuntimeConfig } from './p2p/runtime-config.ts';

/** The parts of the node that a checkpoint restores. */
export interface RollupCheckpointParts {
  readonly driver: Driver;
  readonly peers: Pick<NodeP2P, 'network'>;
  readonly watch: L1Watch;
  readonly runtime: Pick<RuntimeConfig, 'reload'>;
}

/**
 * Creates the checkpoints of a rollup node.
 * Between two steps of its driver it has no request to the engine under way.
 */
export function rollupCheckpoints({ driver, peers, watch, runtime }: RollupCheckpointParts): Checkpoints {
  let goOn = () => {};
  let isBack = false;
  return createCheckpoints<() => Promise<void>>({
    take: () => driver.remember(),
    async suspend() {
      isBack = false;
      watch.suspend();
      peers.network()?.suspend();
      goOn = await driver.loop.hold();
      // A pipeline that runs beside the loop reads L1 and the engine.
      driver.derivation.suspend();
      await driver.derivation.idle();
    },
    async restore(restoreDriver) {
      await restoreDriver();
      peers.network()?.forget();
      isBack = true;
    },
    resume() {
      watch.resume();
      peers.network()?.resume();
      // The signer of unsafe blocks may have been another one.
      void runtime.reload().catch(() => {});
      if (!isBack) driver.start.request('a return to an earlier moment has failed');
      goOn();
    },
  });
}
