import { TopicValidatorResult } from '@libp2p/gossipsub';
import { GOSSIP_VERSIONS, gossipTopic } from '../../protocol/codec/gossip.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../protocol/types.ts';
import { reach } from '../../system/time/clock.ts';
import { pause } from '../../system/time/pause.ts';
import { type Host, messageData } from './host/host.ts';
import { createValidator, type Validator, type Verdict } from './message/validate.ts';
import type { PeerNetworkOptions } from './peer-network.ts';

type Validate = (...message: Parameters<Validator>) => Verdict;

/** Maximum time (ms) for which a message is held while the signer is unknown. */
const SIGNER_GRACE = 5_000;
/** Maximum time (ms) for which a block ahead of a standing clock is held until the clock moves. */
const CLOCK_GRACE = 5_000;

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

/** The subscriptions to the block topics of all versions (op-node: `blockTopic`). */
export interface BlockTopics {
  /** Drops every message until `resume`. */
  suspend(): void;
  /** Forgets which blocks were seen. */
  forget(): void;
  resume(): void;
}

/**
 * Subscribes to the block topics of all versions and validates messages (op-node: `JoinGossip`, `newBlockTopic`).
 * `remember` gets each accepted message. Counterpart in kona: `BlockHandler::handle`.
 */
export function subscribeToBlocks(
  host: Host,
  options: PeerNetworkOptions,
  remember: (message: { topic: string; data: Uint8Array }) => void,
): BlockTopics {
  const { rollup, log, signal, meter } = options;
  const { pubsub } = host.services;
  const chainId = rollup.config.l2_chain_id;
  let warnedOf: Hex | undefined;
  const validators: Validator[] = [];
  let isSuspended = false;
  /** Number of suspensions. A message that was held during one is dropped: its block is no longer of the chain. */
  let suspensions = 0;

  /** Tells whether to import a block. One of another topic version than this node's forks expect is only forwarded. */
  function isOurs({ executionPayload: block }: ExecutionPayloadEnvelope, version: number): boolean {
    const expected = rollup.rulesAt(block.timestamp).gossip.version;
    if (expected === version) return true;
    if (warnedOf !== block.blockHash)
      log.warn('a signed block follows other forks than this node: compare the fork times of the two', {
        number: block.blockNumber,
        hash: block.blockHash,
        timestamp: block.timestamp,
        version,
        expected,
      });
    warnedOf = block.blockHash;
    return false;
  }

  /**
   * Validates a block. One that is ahead of a standing clock is validated once more after the clock has moved.
   * The supervisor moves the clocks node by node: a block of the new time can arrive before this node's clock moves.
   */
  async function validated(validate: Validate, ...message: Parameters<Validate>): Promise<Verdict> {
    const first = validate(...message);
    if (first.verdict === 'accept' || first.validFrom === undefined) return first;
    if (options.clock.wallUntil(first.validFrom) !== Number.POSITIVE_INFINITY) return first;
    await reach(options.clock, first.validFrom, AbortSignal.any([signal, AbortSignal.timeout(CLOCK_GRACE)]));
    return validate(...message);
  }

  for (const version of GOSSIP_VERSIONS) {
    const topic = gossipTopic(chainId, version);
    const validate = createValidator({
      chainId,
      rulesAt: rollup.rulesAt,
      now: () => options.clock.now(),
      maxAgeMs: options.maxAgeMs,
      signer: options.unsafeBlockSigner,
    });
    validators.push(validate);
    pubsub.topicValidators.set(topic, async (peer, message) => {
      const before = suspensions;
      const isGone = () => isSuspended || before !== suspensions;
      const data = messageData(message.data);
      // A block that arrives during the start is held until the signer is known.
      if (data && options.unsafeBlockSigner() === undefined)
        await Promise.race([options.signerKnown, pause(SIGNER_GRACE, signal)]);
      const judged = data
        ? await validated((...parts) => (isGone() ? GONE : validate(...parts)), data, version)
        : { verdict: 'reject' as const, reason: 'no snappy block' };
      if (judged.verdict === 'accept') {
        if (isOurs(judged.envelope, version)) options.onBlock(judged.envelope, peer.toString());
        remember({ topic, data: message.data });
      } else log.debug('dropped a gossiped message', { peer: peer.toString(), topic, ...judged });
      const [result, event] = RESULTS[judged.verdict];
      meter.gossip(event);
      if (judged.verdict === 'accept' && message.data.length >= LARGE.bytes) await pause(LARGE.pauseMs, signal);
      return result;
    });
    pubsub.subscribe(topic);
  }
  return {
    suspend() {
      isSuspended = true;
      suspensions++;
    },
    forget() {
      for (const validator of validators) validator.forget();
    },
    resume() {
      isSuspended = false;
    },
  };
}

const GONE: Verdict = { verdict: 'ignore', reason: 'the network goes back to an earlier moment' };
