import { sameHex } from '../../hex.ts';
import type { BlockId, Hex } from '../../types.ts';
import { type DaCommitment, isCommittedTo } from '../da-commitment.ts';
import { DerivationError } from '../error.ts';
import type { AltDaInputs, DaStorage, DerivationLog, L1Chain, Rollup } from '../ports.ts';
import { CHALLENGE_STATUS_TOPIC, challengeEventOf, resolvedData } from './challenge-log.ts';
import { createChallenges } from './challenges.ts';

/**
 * Most bytes of data behind a keccak commitment (op-alt-da: `MaxInputSize`).
 * More could not be put on L1 to resolve a challenge.
 */
export const MAX_INPUT_SIZE = 130_672;

/** Creates the inputs of a rollup with `alt_da` (op-alt-da: `DA`). */
export function createAltDaInputs(
  rollup: Rollup,
  config: NonNullable<Rollup['config']['alt_da']>,
  l1: Pick<L1Chain, 'headerByNumber' | 'receipts' | 'transactions'>,
  storage: DaStorage,
  log?: DerivationLog,
): AltDaInputs {
  const kind = config.da_commitment_type === 'KeccakCommitment' ? 'keccak' : 'generic';
  const contract = config.da_challenge_contract_address;
  const challenges = createChallenges({ challenge: config.da_challenge_window, resolve: config.da_resolve_window });
  let challengesRead: BlockId = rollup.config.genesis.l1;
  let commitmentsRead = challengesRead.number;
  /** True where an expired challenge causes the next reset. The known challenges then survive it. */
  let isOwnReset = false;

  async function resolutionOf(block: BlockId, transactionHash: Hex | undefined, commitment: DaCommitment) {
    const transactions = await l1.transactions(block.hash);
    if (transactions === null) throw gone(block);
    const call = transactions.find(({ hash }) => hash === transactionHash);
    const data = call ? resolvedData(call.input) : null;
    return data !== null && isCommittedTo(commitment, data) ? data : null;
  }

  async function readChallenges(block: BlockId): Promise<void> {
    if (block.number <= challengesRead.number) return;
    const receipts = kind === 'keccak' && contract !== undefined ? await l1.receipts(block.hash) : [];
    if (receipts === null) throw gone(block);
    const logs = receipts.filter(({ status }) => status).flatMap((receipt) => receipt.logs);
    for (const entry of logs) {
      if (!sameHex(entry.address, contract ?? '') || entry.topics[0] !== CHALLENGE_STATUS_TOPIC) continue;
      const event = challengeEventOf(entry);
      if (event === null) continue;
      const { commitment, blockNumber, status } = event;
      log?.('info', `a commitment's challenge is ${status}`, { block: blockNumber, commitment: commitment.encoded });
      if (status === 'active') challenges.open(commitment, blockNumber, block.number);
      else {
        const data = await resolutionOf(block, entry.transactionHash, commitment);
        if (data !== null) challenges.resolve(commitment, blockNumber, data);
      }
    }
    challenges.expire(block.number);
    challengesRead = block;
  }

  /** Reads challenges of the next L1 block while the pipeline lacks data (op-alt-da: `LookAhead`). */
  async function lookAhead(): Promise<void> {
    const next = await l1.headerByNumber(challengesRead.number + 1);
    if (next === null)
      throw new DerivationError('retry', 'the DA server lacks data; waiting for L1, where it may be challenged');
    if (next.parentHash !== challengesRead.hash)
      throw new DerivationError('reset', `L1 was reorganised while challenges were read: block ${next.number}`);
    await readChallenges(next);
  }

  return {
    async advance(origin) {
      await readChallenges(origin);
      if (origin.number <= commitmentsRead) return;
      if (challenges.settle(origin.number)) {
        isOwnReset = true;
        throw new DerivationError(
          'reset',
          `a challenge expired by L1 block ${origin.number}: the data that was derived from is no part of the chain`,
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
        const isPast = challenge === undefined && challengesRead.number > origin.number + config.da_challenge_window;
        if (isPast || challenge?.status === 'resolved') throw lost(commitment, origin);
        await lookAhead();
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
      if (!isOwnReset) challengesRead = base;
      isOwnReset = false;
    },
  };
}

function gone({ number, hash }: BlockId): DerivationError {
  return new DerivationError('retry', `L1 does not have block ${number} (${hash}), whose challenges are to be read`);
}

function lost({ encoded }: DaCommitment, origin: BlockId): DerivationError {
  return new DerivationError(
    'fatal',
    `the data of commitment ${encoded} in L1 block ${origin.number} is missing and can no longer be challenged: ` +
      'the chain cannot be derived without it',
  );
}
