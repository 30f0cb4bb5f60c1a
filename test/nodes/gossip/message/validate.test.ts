import { describe, expect, it } from 'vitest';
import { keySigner } from '../../../../src/nodes/gossip/message/signature.ts';
import { createValidator } from '../../../../src/nodes/gossip/message/validate.ts';
import { concat } from '../../../../src/protocol/bytes.ts';
import { encodeGossipBody } from '../../../../src/protocol/codec/gossip.ts';
import type { ForkSchedule } from '../../../../src/protocol/forks/index.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../../../src/protocol/types.ts';
import { upTo } from '../../../protocol/genesis/inputs.ts';
import { blockOf, CHAIN_ID, keyNamed, rollupAt, signer } from '../blocks.ts';

const NOW = 1_800_000_000;
const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}` as Hex;

function judge(schedule: ForkSchedule, options: { signer?: Hex | null; now?: number } = {}) {
  const rollup = rollupAt(NOW - 1000, schedule);
  const validate = createValidator({
    chainId: CHAIN_ID,
    rulesAt: rollup.rulesAt,
    now: () => options.now ?? NOW * 1000,
    maxAgeMs: 60_000,
    signer: () => (options.signer === null ? undefined : (options.signer ?? signer.address)),
  });
  const message = (envelope: ExecutionPayloadEnvelope, version: 1 | 2 | 3 | 4, by = signer, chainId = CHAIN_ID) => {
    const body = encodeGossipBody(envelope, version);
    return concat(by.sign(body, chainId), body);
  };
  return { rollup, validate, message };
}

describe('validation of gossiped blocks', () => {
  it('accepts a block of a height again when its cache is cleared', () => {
    const { rollup, validate, message } = judge(upTo('jovian'));
    const blocks = Array.from({ length: 7 }, (_, nth) => blockOf(rollup, NOW, { gasUsed: BigInt(nth) }));
    const verdicts = () => blocks.map((block) => validate(message(block, 4), 4).verdict);
    expect(verdicts()).toEqual([...Array(6).fill('accept'), 'reject']);
    validate.forget();
    expect(verdicts()).toEqual([...Array(6).fill('accept'), 'reject']);
  });

  it.each([
    ['regolith', 1],
    ['canyon', 2],
    ['ecotone', 3],
    ['isthmus', 4],
    ['jovian', 4],
  ] as const)('accepts a block of %s on topic version %i and on no other', (fork, version) => {
    const { rollup, validate, message } = judge(upTo(fork));
    const envelope = blockOf(rollup, NOW, { extraData: '0x' });
    expect(validate(message(envelope, version), version)).toEqual({ verdict: 'accept', envelope });
    for (const other of [1, 2, 3, 4] as const)
      if (other !== version) expect(validate(message(envelope, version), other).verdict).toBe('reject');
  });

  it.each([
    ['5 s ahead', 5, 'accept'],
    ['6 s ahead', 6, 'reject'],
    ['60 s old', -60, 'accept'],
    ['61 s old', -61, 'reject'],
  ] as const)('judges the age of a block %s at any part of the second', (_, seconds, verdict) => {
    const { rollup, validate, message } = judge(upTo('jovian'), { now: NOW * 1000 + 900 });
    expect(validate(message(blockOf(rollup, NOW + seconds), 4), 4).verdict).toBe(verdict);
  });

  it.each([
    ['a wrong block hash', 'jovian', { blockHash: zeros(32) }, { kind: 'block hash', blockHash: zeros(32) }],
    ['excess blob gas', 'jovian', { excessBlobGas: 1n }, { kind: 'excess blob gas', excessBlobGas: 1n }],
    [
      'blob gas before there is a footprint',
      'isthmus',
      { blobGasUsed: 1n },
      { kind: 'blob gas used', blobGasUsed: 1n },
    ],
  ] as const)('rejects %s', (_, fork, changes, reason) => {
    const { rollup, validate, message } = judge(upTo(fork));
    expect(validate(message(blockOf(rollup, NOW, changes), 4), 4)).toMatchObject({
      verdict: 'reject',
      reason,
    });
  });

  it('says how far a block is ahead and when it becomes valid, how old it is, and how many are too many', () => {
    const { rollup, validate, message } = judge(upTo('jovian'), { now: NOW * 1000 + 900 });
    const reasonOf = (seconds: number) => validate(message(blockOf(rollup, NOW + seconds), 4), 4);
    expect(reasonOf(6)).toEqual({
      verdict: 'reject',
      reason: { kind: 'future', timestamp: BigInt(NOW + 6), lead: 6, validFrom: (NOW + 1) * 1000 },
    });
    expect(reasonOf(-61)).toEqual({
      verdict: 'reject',
      reason: { kind: 'past', timestamp: BigInt(NOW - 61), age: 61 },
    });
    const blocks = Array.from({ length: 7 }, (_, nth) => blockOf(rollup, NOW, { gasUsed: BigInt(nth) }));
    const height = blocks[0]?.executionPayload.blockNumber;
    expect(blocks.map((block) => validate(message(block, 4), 4)).at(-1)).toEqual({
      verdict: 'reject',
      reason: { kind: 'too many blocks', height, limit: 5 },
    });
  });

  it('rejects a message shorter than a signature and a byte by its size', () => {
    const { validate } = judge(upTo('jovian'));
    expect(validate(new Uint8Array(65), 4)).toEqual({ verdict: 'reject', reason: { kind: 'size', bytes: 65 } });
    expect(validate(new Uint8Array(66), 4)).toEqual({ verdict: 'reject', reason: { kind: 'signature' } });
  });

  it('accepts blobGasUsed when blocks have a DA footprint', () => {
    const { rollup, validate, message } = judge(upTo('jovian'));
    expect(validate(message(blockOf(rollup, NOW, { blobGasUsed: 7n }), 4), 4).verdict).toBe('accept');
  });

  it('rejects the signature of another key, one for another chain, and a malformed one', () => {
    const { rollup, validate, message } = judge(upTo('jovian'));
    const envelope = blockOf(rollup, NOW);
    expect(validate(message(envelope, 4, keySigner(keyNamed('stranger'))), 4)).toMatchObject({
      verdict: 'reject',
      reason: { kind: 'signer', expected: signer.address },
    });
    expect(validate(message(envelope, 4, signer, 902), 4)).toMatchObject({ verdict: 'reject' });
    const broken = message(envelope, 4);
    broken[64] = 27;
    expect(validate(broken, 4)).toEqual({ verdict: 'reject', reason: { kind: 'signature' } });
  });

  it('ignores blocks while the signer is not known', () => {
    const { rollup, validate, message } = judge(upTo('jovian'), { signer: null });
    expect(validate(message(blockOf(rollup, NOW), 4), 4).verdict).toBe('ignore');
  });

  it('ignores a seen block, and rejects all of a height once more than 5 of it were seen', () => {
    const { rollup, validate, message } = judge(upTo('jovian'));
    const block = (salt: number) => message(blockOf(rollup, NOW, { gasUsed: BigInt(salt) }), 4);
    for (let index = 0; index < 5; index++) expect(validate(block(index), 4).verdict).toBe('accept');
    expect(validate(block(0), 4)).toEqual({ verdict: 'ignore', reason: { kind: 'seen' } });
    expect(validate(block(5), 4).verdict).toBe('accept');
    expect(validate(block(6), 4).verdict).toBe('reject');
    expect(validate(block(0), 4).verdict).toBe('reject');
    expect(validate(message(blockOf(rollup, NOW + 2), 4), 4).verdict).toBe('accept');
  });

  it('knows the blocks of the last 1,000 heights', () => {
    const { rollup, validate, message } = judge(upTo('jovian'));
    const at = (blockNumber: number) => validate(message(blockOf(rollup, NOW, { blockNumber }), 4), 4);
    for (let height = 1; height <= 1000; height++) expect(at(height).verdict).toBe('accept');
    expect(at(1)).toEqual({ verdict: 'ignore', reason: { kind: 'seen' } });
    expect(at(1001).verdict).toBe('accept');
    expect([at(2).verdict, at(1).verdict, at(2).verdict]).toEqual(['ignore', 'accept', 'accept']);
  });

  it('validates a block by the version of its topic, so that differing fork times lower no score', () => {
    const early = judge(upTo('isthmus'));
    const late = judge(upTo('ecotone'));
    const envelope = blockOf(early.rollup, NOW, { extraData: '0x' });
    expect(late.validate(early.message(envelope, 4), 4).verdict).toBe('accept');
    const old = blockOf(late.rollup, NOW, { extraData: '0x' });
    expect(early.validate(late.message(old, 3), 3).verdict).toBe('accept');
  });

  it('rejects messages of any length that hold no block, without a throw', () => {
    const { validate } = judge(upTo('jovian'));
    for (const length of [0, 65, 66, 97, 98, 657, 658, 1000]) {
      expect(validate(new Uint8Array(length), 4).verdict, `${length} bytes`).toBe('reject');
      const body = new Uint8Array(length);
      expect(validate(concat(signer.sign(body, CHAIN_ID), body), 4).verdict, `${length} signed`).toBe('reject');
    }
  });
});
