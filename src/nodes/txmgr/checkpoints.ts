import { type Checkpoints, createCheckpoints } from '../../system/channel/checkpoints.ts';
import type { TxManager } from './txmgr.ts';

/** A program that sends transactions, as its own RPC starts and stops it. */
export interface Startable {
  readonly running: boolean;
  start(): void;
  stop(): Promise<void>;
}

/**
 * Creates the checkpoints of a program that reads all its state from L1 and the rollup node.
 * It begins anew, as after a restart. Transactions that waited in L1's pool at that time are replaced at their nonces.
 */
export function startableCheckpoints(program: Startable, sender: Pick<TxManager, 'idle'>): Checkpoints {
  let isRunning = false;
  return createCheckpoints<boolean>({
    take: () => program.running,
    async suspend() {
      isRunning = program.running;
      if (isRunning) await program.stop();
      await sender.idle();
    },
    restore(wasRunning) {
      isRunning = wasRunning;
    },
    resume() {
      if (isRunning) program.start();
    },
  });
}
