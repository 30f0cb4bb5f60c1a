import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Host } from '../../../../src/nodes/gossip/host/host.ts';
import { compressFrames } from '../../../../src/nodes/gossip/message/snappy.ts';
import { createApplicationScorer } from '../../../../src/nodes/gossip/requests/application-score.ts';
import { blockClient } from '../../../../src/nodes/gossip/requests/block-client.ts';
import { blockRequestProtocol, readStream } from '../../../../src/nodes/gossip/requests/block-protocol.ts';
import { concat } from '../../../../src/protocol/bytes.ts';
import { encodeGossipBody } from '../../../../src/protocol/codec/gossip.ts';
import type { ExecutionPayloadEnvelope } from '../../../../src/protocol/types.ts';
import { upTo } from '../../../protocol/genesis/inputs.ts';
import { blockOf, CHAIN_ID, rollupAt, silent } from '../blocks.ts';
import { rawHost, until } from '../support.ts';

const GENESIS_TIME = 1000;
const FIRST = 5;
/** A rollup whose genesis block is number 5. Ecotone begins with block 10. */
const plain = rollupAt(GENESIS_TIME, { ...upTo('canyon'), delta: 0, ecotone: GENESIS_TIME + 10 } as never);
const { genesis } = plain.config;
const rollup = {
  ...plain,
  config: { ...plain.config, genesis: { ...genesis, l2: { ...genesis.l2, number: FIRST } } },
};
const blockAt = (number: number, fields: object = {}) =>
  blockOf(rollup, GENESIS_TIME + (number - FIRST) * 2, { blockNumber: number, extraData: '0x', ...fields });
/** The answer of an honest peer. */
const answerOf = (block: ExecutionPayloadEnvelope, version: 2 | 3) =>
  concat(Uint8Array.of(0, version < 3 ? 0 : 1, 0, 0, 0), compressFrames(encodeGossipBody(block, version)));

const names = ['one', 'two', 'none'] as const;
const hosts = {} as Record<(typeof names)[number] | 'client', Host>;
let answers: Partial<Record<string, Uint8Array>>;
let asked: string[];
beforeAll(async () => {
  for (const name of [...names, 'client'] as const) hosts[name] = await rawHost(`block-${name}`);
  for (const name of ['one', 'two'] as const)
    await hosts[name].handle(blockRequestProtocol(CHAIN_ID), async (stream) => {
      const request = await readStream(stream, { most: 8 }, AbortSignal.timeout(15_000));
      asked.push(`${name} ${Buffer.from(request ?? []).readBigUInt64LE()}`);
      stream.send(answers[name] ?? Uint8Array.of(1));
      await stream.close();
    });
  for (const name of names) await hosts.client.dial(hosts[name].getMultiaddrs()[0]!);
  await until(async () => {
    const stored = await Promise.all(names.map((name) => hosts.client.peerStore.get(hosts[name].peerId)));
    return stored.every(({ protocols }) => protocols.length > 0);
  });
});
afterAll(async () => {
  for (const host of Object.values(hosts)) await host.stop();
});
beforeEach(() => {
  [answers, asked] = [{}, []];
});

/** A client that has its own scores. */
function opened({ isAskable = (_: string): boolean => true } = {}) {
  const scorer = createApplicationScorer();
  const requests: unknown[] = [];
  const meter = {
    ...{ gossip() {}, connection() {}, unban() {} },
    request: (...[role, code, seconds, number]: [string, number, number, number]) =>
      void requests.push([role, code, seconds >= 0 && seconds < 60, number]),
  };
  const request = blockClient({ host: hosts.client, rollup, log: silent, meter, scorer, isAskable });
  const scoreOf = (name: (typeof names)[number]) => scorer.of(hosts[name].peerId.toString());
  return { request, requests, scorer, scoreOf };
}
const hashOf = ({ executionPayload }: ExecutionPayloadEnvelope) => executionPayload.blockHash;
const NONE = { validResponses: 0, errorResponses: 0, rejectedPayloads: 0 };

describe('a request for a block', () => {
  it.each([
    [9, 2],
    [10, 3],
  ] as const)('of height %i has the block of a peer in the form of its fork', async (number, version) => {
    const block = blockAt(number);
    answers = { one: answerOf(block, version) };
    const { request, requests, scoreOf } = opened({ isAskable: (id) => id === hosts.one.peerId.toString() });
    expect(await request(number, hashOf(block))).toEqual(block);
    expect(scoreOf('one')).toEqual({ ...NONE, validResponses: 1 });
    expect([requests, asked]).toEqual([[['client', 0, true, number]], [`one ${number}`]]);
  });

  it('goes to the peers that serve blocks, the best score first, until one has it', async () => {
    const block = blockAt(9);
    const { request, requests, scorer, scoreOf } = opened();
    scorer.count(hosts.two.peerId.toString(), 'validResponses');
    answers = { one: answerOf(block, 2) };
    expect(await request(9, hashOf(block))).toEqual(block);
    expect(asked).toEqual(['two 9', 'one 9']);
    expect(requests).toEqual([
      ['client', 1, true, 9],
      ['client', 0, true, 9],
    ]);
    expect([scoreOf('one').validResponses, scoreOf('two')]).toEqual([1, { ...NONE, validResponses: 1 }]);
    for (let again = 0; again < 2; again++) scorer.count(hosts.one.peerId.toString(), 'validResponses');
    asked = [];
    expect(await request(9, hashOf(block))).toEqual(block);
    expect(asked).toEqual(['one 9']);
  });

  it('has no answer when no peer has the block, or none may be asked', async () => {
    const { request } = opened();
    expect(await request(9, hashOf(blockAt(9)))).toBeNull();
    expect(asked.toSorted()).toEqual(['one 9', 'two 9']);
    asked = [];
    expect(await opened({ isAskable: () => false }).request(9, hashOf(blockAt(9)))).toBeNull();
    expect(asked).toEqual([]);
  });

  it('rejects the block of another chain', async () => {
    answers = { one: answerOf(blockAt(9, { gasUsed: 1n }), 2) };
    const { request, requests, scoreOf } = opened({ isAskable: (id) => id === hosts.one.peerId.toString() });
    expect(await request(9, hashOf(blockAt(9)))).toBeNull();
    expect([scoreOf('one'), requests]).toEqual([{ ...NONE, rejectedPayloads: 1 }, [['client', 0, true, 9]]]);
  });

  const wrong = blockAt(9, { blockHash: `0x${'11'.repeat(32)}` });
  it.each<[string, Uint8Array, number]>([
    ['an error', Uint8Array.of(3), 3],
    ['a refusal', Uint8Array.of(2), 2],
    ['nothing', new Uint8Array(), 3],
    ['no more than a success', Uint8Array.of(0), 0],
    ['a success without all bytes of its version', Uint8Array.of(0, 0, 0, 0), 0],
    ['a success without frames', Uint8Array.of(0, 0, 0, 0, 0), 1],
    ['the version of another fork', answerOf(blockAt(10), 3), 1],
    ['a version of more bytes', concat(Uint8Array.of(0, 0, 0, 0, 1), answerOf(blockAt(9), 2).subarray(5)), 1],
    ['a block of another height', answerOf(blockAt(8), 2), 1],
    ['a block with the hash of another', answerOf(wrong, 2), 1],
    ['frames of no block', concat(Uint8Array.of(0, 0, 0, 0, 0), compressFrames(new Uint8Array(700))), 1],
  ])('counts %s as an error of its peer', async (_, answer, code) => {
    answers = { one: answer };
    const { request, requests, scoreOf } = opened({ isAskable: (id) => id === hosts.one.peerId.toString() });
    expect(await request(9, hashOf(wrong))).toBeNull();
    expect([scoreOf('one'), requests]).toEqual([{ ...NONE, errorResponses: 1 }, [['client', code, true, 9]]]);
  });
});
