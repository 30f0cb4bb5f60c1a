import type { BlockId } from '../../types.ts';
import type { DaCommitment } from '../da-commitment.ts';
import { DerivationError } from '../error.ts';
import type { AltDaInputs, DaStorage, DerivationLog, Rollup } from '../ports.ts';
import { type AltDaConfig, type ChallengeL1, ChallengeReader } from './challenge-reader.ts';

/**
 * Most bytes of data behind a keccak commitment (op-alt-da: `MaxInputSize`).
 * More could not be put on L1 to resolve a challenge.
 */
export const MAX_INPUT_SIZE = 130_672;

/** Creates the inputs of a rollup with `alt_da` (op-alt-da: `DA`). */
export function createAltDaInputs(
  rollup: Rollup,
  config: AltDaConfig,
  l1: ChallengeL1,
  storage: DaStorage,
  log?: DerivationLog,
): AltDaInputs {
  const kind = config.da_commitment_type === 'KeccakCommitment' ? 'keccak' : 'generic';
  const reader = new ChallengeReader(config, rollup.config.genesis.l1, l1, log);
  const { challenges } = reader;
  /** Number of the L1 block up to which commitments were read. */
  let commitmentsRead = reader.position.number;
  /** True if an expired challenge causes the next reset. The challenges that were read then survive it. */
  let isOwnReset = false;

  return {
    async advance(origin) {
      await reader.read(origin);
      if (origin.number <= commitmentsRead) return;
      if (challenges.settle(origin.number)) {
        isOwnReset = true;
        throw new DerivationError(
          'reset',
          `a challenge expired by L1 block ${origin.number}: the data that was derived from is not part of the chain`,
        );
      }
      commitmentsRead = origin.number;
    },
    async input(commitment, origin) {
      if (commitment.kind !== kind) {
        log?.('warn', 'dropped a commitment of another kind than the rollup has', { kind: commitment.kind });
        return 'skip';
      }
      const challenge = challenges.of(commitment, origin.number);
      if (challenge?.status === 'expired') {
        log?.('warn', 'skipped data whose challenge expired', { commitment: commitment.encoded });
        return 'skip';
      }
      const data = (await storage(commitment)) ?? challenge?.input;
      if (data === undefined) {
        const isPast = challenge === undefined && reader.position.number > origin.number + config.da_challenge_window;
        if (isPast) throw lostData(commitment, origin);
        await reader.lookAhead();
        return 'more';
      }
      if (kind === 'generic' || data.length <= MAX_INPUT_SIZE) {
        challenges.track(commitment, origin);
        return data;
      }
      log?.('warn', 'dropped data too long to be challenged', { bytes: data.length, most: MAX_INPUT_SIZE });
      return 'skip';
    },
    async finalizedBy(finalized) {
      const pruned = challenges.prune(finalized.number);
      if (!challenges.isEmpty()) return pruned ?? null;
      const number = finalized.number - config.da_challenge_window;
      return number < 0 ? (pruned ?? null) : l1.headerByNumber(number);
    },
    reset(base) {
      commitmentsRead = base.number;
      challenges.clear(!isOwnReset);
      if (!isOwnReset) reader.moveTo(base);
      isOwnReset = false;
    },
  };
}

function lostData({ encoded }: DaCommitment, origin: BlockId): DerivationError {
  return new DerivationError(
    'fatal',
    `the data of commitment ${encoded} in L1 block ${origin.number} is missing and can no longer be challenged: ` +
      'the chain cannot be derived without it',
  );
}
