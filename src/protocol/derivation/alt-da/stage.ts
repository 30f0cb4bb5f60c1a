import { commitmentOfTransaction, type DaCommitment, isCommitment } from '../da-commitment.ts';
import type { AltDaInputs, DerivationLog } from '../ports.ts';
import type { DataProvider } from '../stages/frame-queue.ts';

/**
 * Replaces commitments by their data in a rollup with alternative DA (op-node: `AltDADataSource`).
 * The stage is between stages 2 and 3. Other data passes. Specification: alt-da, Derivation.
 */
export interface AltDaStage extends DataProvider {
  reset(): void;
}

/** Creates the stage above L1 retrieval. A commitment stays until its data is there. */
export function createAltDaStage(inputs: AltDaInputs, below: DataProvider, log?: DerivationLog): AltDaStage {
  let pending: DaCommitment | null = null;

  return {
    origin: () => below.origin(),
    async nextData() {
      await inputs.advance(below.origin());
      if (pending === null) {
        const data = await below.nextData();
        if (typeof data === 'string' || !isCommitment(data)) return data;
        try {
          pending = commitmentOfTransaction(data);
        } catch (error) {
          log?.('warn', 'dropped a commitment that cannot be read', { reason: String(error) });
          return 'more';
        }
      }
      const input = await inputs.input(pending, below.origin());
      if (input !== 'more') pending = null;
      return input === 'skip' ? 'more' : input;
    },
    reset() {
      pending = null;
    },
  };
}
