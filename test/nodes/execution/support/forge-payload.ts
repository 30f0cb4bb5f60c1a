import { headerHash } from '../../../../src/protocol/codec/header.ts';
import { payloadHeader } from '../../../../src/protocol/codec/payload-header.ts';
import { envelopeFromJson } from '../../../../src/protocol/codec/payload-json.ts';
import { type ForkSchedule, rulesAt } from '../../../../src/protocol/forks/index.ts';
import type { Payload } from './driver.ts';

/** Returns the payload with changed fields and its correct hash. */
export function forgePayload(schedule: ForkSchedule, payload: Payload, fields: Record<string, unknown>): Payload {
  const executionPayload = { ...payload.envelope.executionPayload, ...fields };
  const envelope = { ...payload.envelope, executionPayload };
  const rules = rulesAt(schedule, Number(executionPayload['timestamp'] ?? payload.timestamp));
  const hash = headerHash(payloadHeader(envelopeFromJson(envelope), rules));
  return { ...payload, hash, envelope: { ...envelope, executionPayload: { ...executionPayload, blockHash: hash } } };
}
