import { type GossipSub, TopicValidatorResult } from '@libp2p/gossipsub';
import type { PeerId } from '@libp2p/interface';
import { concat } from '../../protocol/bytes.ts';
import { encodeGossipBody, GOSSIP_VERSIONS, gossipTopic } from '../../protocol/codec/gossip.ts';
import type { PayloadVersion } from '../../protocol/codec/ssz/layout.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../protocol/types.ts';
import { reach } from '../../system/time/clock.ts';
import { pause } from '../../system/time/pause.ts';
import { messageData } from './host/host.ts';
import { dropReasonMessage } from './message/drop-reason.ts';
import type { BlockSigner } from './message/signature.ts';
import { compressBlock } from './message/snappy.ts';
import { createValidator, type Validator, type Verdict } from './message/validate.ts';
import type { PeerNetworkOptions } from './peer-network.ts';
import { type RecentBlockReplay, replayRecentBlocks } from './recent-block-replay.ts';
import { clearSeenMessages } from './seen-messages.ts';

/** Maximum time (ms) for which a message is held while the signer is unknown. */
const SIGNER_GRACE_MS = 5_000;
/** Maximum time (ms) for which a block ahead of a standing clock is held until the clock moves. */
const CLOCK_GRACE_MS = 5_000;

/**
 * Delay before a large message is forwarded, so that IDONTWANT of peers that have it arrives first.
 * Without it each of 8 nodes of one machine gets 5 copies of each block and spends more time on them than on the block.
 */
const LARGE = { bytes: 16_384, pauseMs: 10 } as const;

const RESULTS = {
  accept: [TopicValidatorResult.Accept, 'DELIVER_MESSAGE'],
  ignore: [TopicValidatorResult.Ignore, 'DUPLICATE_MESSAGE'],
  reject: [TopicValidatorResult.Reject, 'REJECT_MESSAGE'],
} as const;

const GONE: Verdict = { verdict: 'ignore', reason: { kind: 'suspended' } };

/** Returns the log's fields of a verdict. */
function logFields({ verdict, reason }: Exclude<Verdict, { verdict: 'accept' }>) {
  const validFrom = reason.kind === 'future' && { validFrom: reason.validFrom };
  return { verdict, reason: dropReasonMessage(reason), ...validFrom };
}

/** A message of a block topic. */
interface BlockMessage {
  readonly version: PayloadVersion;
  readonly topic: string;
  readonly data: Uint8Array;
}

/**
 * The block topics of all versions: subscriptions, validation and publishing.
 * Counterparts: `JoinGossip`, `blockTopic`, `publisher` (op-node), `BlockHandler` (kona).
 */
export class BlockTopics {
  readonly #options: PeerNetworkOptions;
  readonly #chainId: number;
  readonly #pubsub: GossipSub;
  readonly #replay: RecentBlockReplay;
  readonly #validators: ReadonlyMap<PayloadVersion, Validator>;
  /** The block for which the warning about fork times was logged last. */
  #forkWarning: Hex | undefined;
  #isSuspended = false;
  /** Number of suspensions. A message that was held during one is dropped: its block is no longer of the chain. */
  #suspensions = 0;

  /** Subscribes to the topics. */
  constructor(pubsub: GossipSub, options: PeerNetworkOptions) {
    const { rollup, clock, signal } = options;
    this.#options = options;
    this.#chainId = rollup.config.l2_chain_id;
    this.#pubsub = pubsub;
    this.#replay = replayRecentBlocks(pubsub, signal);
    const validation = {
      chainId: this.#chainId,
      rulesAt: rollup.rulesAt,
      now: () => clock.now(),
      maxAgeMs: options.maxAgeMs,
      signer: options.unsafeBlockSigner,
    };
    this.#validators = new Map(GOSSIP_VERSIONS.map((version) => [version, createValidator(validation)]));
    for (const [version, validate] of this.#validators) {
      const topic = gossipTopic(this.#chainId, version);
      pubsub.topicValidators.set(topic, (peer, { data }) => this.#receive(peer, { version, topic, data }, validate));
      pubsub.subscribe(topic);
    }
  }

  /** Counts the peers that subscribe to the topic of a version. */
  subscribers(version: PayloadVersion): number {
    return this.#pubsub.getSubscribers(gossipTopic(this.#chainId, version)).length;
  }

  /** Signs and gossips a block (op-node: `SignAndPublishL2Payload`). Returns the number of recipients. */
  async publish(envelope: ExecutionPayloadEnvelope, signer: BlockSigner): Promise<number> {
    const { version } = this.#options.rollup.rulesAt(envelope.executionPayload.timestamp).gossip;
    const body = encodeGossipBody(envelope, version);
    const data = compressBlock(concat(await signer.sign(body, this.#chainId), body));
    const topic = gossipTopic(this.#chainId, version);
    if (this.#isSuspended) return 0;
    const { recipients } = await this.#pubsub.publish(topic, data);
    this.#options.meter.gossip('PUBLISH_MESSAGE');
    this.#replay.record({ topic, data, recipients });
    return recipients.length;
  }

  /** Publishes nothing and drops every message until `resume`. */
  suspend(): void {
    this.#isSuspended = true;
    this.#suspensions++;
  }

  /** Forgets which messages and blocks were seen. */
  forget(): void {
    clearSeenMessages(this.#pubsub);
    for (const validator of this.#validators.values()) validator.forget();
    this.#replay.forget();
  }

  resume(): void {
    this.#isSuspended = false;
  }

  /** Validates a message and delivers its block (op-node: `BlocksHandler`, kona: `BlockHandler::handle`). */
  async #receive(peer: PeerId, message: BlockMessage, validate: Validator): Promise<TopicValidatorResult> {
    const { log, signal, meter } = this.#options;
    const { version, topic, data } = message;
    const verdict = await this.#judge(message, validate);
    if (verdict.verdict === 'accept') {
      if (this.#isOurs(verdict.envelope, version)) this.#options.onBlock(verdict.envelope, peer.toString());
      this.#replay.record({ topic, data });
    } else log.debug('dropped a gossiped message', { peer: peer.toString(), topic, ...logFields(verdict) });
    const [result, event] = RESULTS[verdict.verdict];
    meter.gossip(event);
    if (verdict.verdict === 'accept' && data.length >= LARGE.bytes) await pause(LARGE.pauseMs, signal);
    return result;
  }

  /** A block that arrives during the start is held until the signer is known. */
  async #judge({ version, data: raw }: BlockMessage, validate: Validator): Promise<Verdict> {
    const { unsafeBlockSigner, signerKnown, signal } = this.#options;
    const before = this.#suspensions;
    const isGone = () => this.#isSuspended || before !== this.#suspensions;
    const data = messageData(raw);
    if (data === undefined) return { verdict: 'reject', reason: { kind: 'snappy' } };
    if (unsafeBlockSigner() === undefined) await Promise.race([signerKnown, pause(SIGNER_GRACE_MS, signal)]);
    return this.#validateTwice(() => (isGone() ? GONE : validate(data, version)));
  }

  /**
   * Validates a block. One that is ahead of a standing clock is validated once more after the clock has moved.
   * The supervisor moves the clocks node by node: a block of the new time can arrive before this node's clock moves.
   */
  async #validateTwice(validate: () => Verdict): Promise<Verdict> {
    const { clock, signal } = this.#options;
    const first = validate();
    if (first.verdict === 'accept' || first.reason.kind !== 'future') return first;
    const { validFrom } = first.reason;
    if (clock.wallUntil(validFrom) !== Number.POSITIVE_INFINITY) return first;
    await reach(clock, validFrom, AbortSignal.any([signal, AbortSignal.timeout(CLOCK_GRACE_MS)]));
    return validate();
  }

  /** Tells whether to import a block. One of another topic version than this node's forks expect is only forwarded. */
  #isOurs({ executionPayload: block }: ExecutionPayloadEnvelope, version: PayloadVersion): boolean {
    const { rollup, log } = this.#options;
    const expected = rollup.rulesAt(block.timestamp).gossip.version;
    if (expected === version) return true;
    if (this.#forkWarning !== block.blockHash)
      log.warn('a signed block follows other forks than this node: compare the fork times of the two', {
        number: block.blockNumber,
        hash: block.blockHash,
        timestamp: block.timestamp,
        version,
        expected,
      });
    this.#forkWarning = block.blockHash;
    return false;
  }
}
