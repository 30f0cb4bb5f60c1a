import type { L1Header, SystemConfig } from '../../types.ts';
import { applyConfigUpdates } from '../attributes/config-updates.ts';
import { DerivationError } from '../error.ts';
import type { DerivationLog, L1Chain, Rollup } from '../ports.ts';
import type { HasOrigin } from './stage.ts';

/**
 * Stage 1: walks L1 block by block (op-node: `L1Traversal`, kona: `PollingTraversal`).
 * It keeps the system config up to date with L1 (specification: L1 Traversal).
 */
export interface L1Traversal extends HasOrigin {
  /** The system config in force at the origin. */
  systemConfig(): SystemConfig;
  /** Returns the origin once, then `eof` until the origin advances (op-node: `NextL1Block`). */
  nextL1Block(): L1Header | 'eof';
  /**
   * Moves to the next L1 block (op-node: `AdvanceL1Block`); `eof` if there is none yet.
   * @throws DerivationError (reset) if it does not follow the origin, because L1 was reorganised
   */
  advance(): Promise<L1Header | 'eof'>;
  reset(origin: L1Header, systemConfig: SystemConfig): void;
}

/**
 * Creates L1 traversal over a chain; `reset` it first.
 * `tell` receives the system config updates that could not be read.
 */
export function createL1Traversal(
  rollup: Rollup,
  l1: Pick<L1Chain, 'headerByNumber' | 'receipts'>,
  tell?: DerivationLog,
): L1Traversal {
  let current: { origin: L1Header; systemConfig: SystemConfig } | undefined;
  let isRead = false;

  const position = () => {
    if (current === undefined) throw new Error('the derivation pipeline was not reset to an L1 block yet');
    return current;
  };

  return {
    origin: () => position().origin,
    systemConfig: () => position().systemConfig,
    nextL1Block() {
      if (isRead) return 'eof';
      isRead = true;
      return position().origin;
    },
    async advance() {
      const { origin, systemConfig } = position();
      const next = await l1.headerByNumber(origin.number + 1);
      if (next === null) return 'eof';
      if (next.parentHash !== origin.hash) {
        throw new DerivationError(
          'reset',
          `L1 was reorganised: block ${next.number} (${next.hash}) has parent ${next.parentHash}, ` +
            `derivation stands at ${origin.hash}`,
        );
      }
      const receipts = await l1.receipts(next.hash);
      if (receipts === null) throw new DerivationError('retry', `L1 does not have the receipts of block ${next.hash}`);
      current = { origin: next, systemConfig: applyConfigUpdates(rollup, systemConfig, receipts, next, tell) };
      isRead = false;
      return next;
    },
    reset(origin, systemConfig) {
      current = { origin, systemConfig };
      isRead = false;
    },
  };
}
