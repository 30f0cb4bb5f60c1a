import { sameHex } from '../../hex.ts';
import type { BlockId, Hex } from '../../types.ts';
import { type DaCommitment, isCommittedTo } from '../da-commitment.ts';
import { DerivationError } from '../error.ts';
import type { DerivationLog, L1Chain, Rollup } from '../ports.ts';
import { CHALLENGE_STATUS_TOPIC, challengeEventOf, resolvedData } from './challenge-log.ts';
import { type Challenges, createChallenges } from './challenges.ts';

/** Section `alt_da` of a rollup's configuration. */
export type AltDaConfig = NonNullable<Rollup['config']['alt_da']>;

/** L1 as challenges are read from it. */
export type ChallengeL1 = Pick<L1Chain, 'headerByNumber' | 'receipts' | 'transactions'>;

/** Follows the challenges of a rollup on L1, block by block (op-alt-da: `loadChallengeEvents`). */
export class ChallengeReader {
  readonly challenges: Challenges;
  readonly #config: AltDaConfig;
  readonly #l1: ChallengeL1;
  readonly #log: DerivationLog | undefined;
  #position: BlockId;

  /** `genesis`: the L1 block after which challenges are read. */
  constructor(config: AltDaConfig, genesis: BlockId, l1: ChallengeL1, log: DerivationLog | undefined) {
    this.challenges = createChallenges({ challenge: config.da_challenge_window, resolve: config.da_resolve_window });
    this.#config = config;
    this.#l1 = l1;
    this.#log = log;
    this.#position = genesis;
  }

  /** The L1 block up to which challenges were read. */
  get position(): BlockId {
    return this.#position;
  }

  /** Reads the challenges of an L1 block, unless it was read. @throws DerivationError (retry) */
  async read(block: BlockId): Promise<void> {
    if (block.number <= this.#position.number) return;
    const { da_challenge_contract_address: contract = '' } = this.#config;
    const hasChallenges = this.#config.da_commitment_type === 'KeccakCommitment' && contract !== '';
    const receipts = hasChallenges ? await this.#l1.receipts(block.hash) : [];
    if (receipts === null) throw goneBlock(block);
    const logs = receipts.filter(({ status }) => status).flatMap((receipt) => receipt.logs);
    for (const entry of logs) {
      if (!sameHex(entry.address, contract) || entry.topics[0] !== CHALLENGE_STATUS_TOPIC) continue;
      const event = challengeEventOf(entry);
      if (event === null) continue;
      const { commitment, blockNumber, status } = event;
      this.#log?.('info', `a commitment's challenge is ${status}`, {
        block: blockNumber,
        commitment: commitment.encoded,
      });
      if (status === 'active') this.challenges.open(commitment, blockNumber, block.number);
      else {
        const data = await this.#resolutionOf(block, entry.transactionHash, commitment);
        if (data !== null) this.challenges.resolve(commitment, blockNumber, data);
      }
    }
    this.challenges.expire(block.number);
    this.#position = block;
  }

  /**
   * Reads challenges of the next L1 block while the pipeline lacks data (op-alt-da: `LookAhead`).
   * @throws DerivationError (retry), (reset) if L1 was reorganised
   */
  async lookAhead(): Promise<void> {
    const next = await this.#l1.headerByNumber(this.#position.number + 1);
    if (next === null)
      throw new DerivationError('retry', 'the DA server lacks data; waiting for L1, where it may be challenged');
    if (next.parentHash !== this.#position.hash)
      throw new DerivationError('reset', `L1 was reorganised while challenges were read: block ${next.number}`);
    await this.read(next);
  }

  /** Continues after an L1 block. */
  moveTo(block: BlockId): void {
    this.#position = block;
  }

  async #resolutionOf(block: BlockId, transactionHash: Hex | undefined, commitment: DaCommitment) {
    const transactions = await this.#l1.transactions(block.hash);
    if (transactions === null) throw goneBlock(block);
    const call = transactions.find(({ hash }) => hash === transactionHash);
    const data = call ? resolvedData(call.input) : null;
    return data !== null && isCommittedTo(commitment, data) ? data : null;
  }
}

function goneBlock({ number, hash }: BlockId): DerivationError {
  return new DerivationError('retry', `L1 does not have block ${number} (${hash}), whose challenges are to be read`);
}
