import type { Json } from '../../inspect/inspector.ts';
import { logPlace, topicOf } from './bridge-logs.ts';

const FAILED = topicOf('FailedRelayedMessage(bytes32)');
const RELAYED = topicOf('RelayedMessage(bytes32)');

/** Events of a messenger, the L1CrossDomainMessenger or the L2CrossDomainMessenger. */
export const MESSAGE_EVENTS: readonly string[] = [FAILED, RELAYED];

/** What a deposit or a withdrawal lacks whose message failed. */
export const UNRELAYED = 'its message failed: the messenger can relay it again';

/** Returns the transactions whose message failed and was not relayed since. The logs are those of a messenger. */
export function failedMessages(logs: readonly Json[]): ReadonlySet<string> {
  const placed = logs.map((raw) => logPlace(raw));
  const relayed = new Set(placed.filter(({ log }) => log.topics[0] === RELAYED).map(({ log }) => log.topics[1]));
  return new Set(
    placed
      .filter(({ log }) => log.topics[0] === FAILED && !relayed.has(log.topics[1]))
      .map(({ transaction }) => transaction),
  );
}
