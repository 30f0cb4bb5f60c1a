import snappy from 'snappyjs';
import { describe, expect, test } from 'vitest';
import {
  decodeGossipBody,
  encodeGossipBody,
  GOSSIP_HEADERS,
  GOSSIP_VERSIONS,
  gossipMessageId,
  gossipSigningHash,
  gossipTopic,
  SIGNATURE_SIZE,
} from '../../../src/protocol/codec/gossip.ts';
import { payloadBlockHash } from '../../../src/protocol/codec/payload-header.ts';
import { rulesAt } from '../../../src/protocol/forks/index.ts';
import { sha256 } from '../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/protocol/hex.ts';

/** Gossiped messages of test networks, one of each version. */
const MESSAGES = [
  [
    1,
    1_725_271_882,
    '0xbd04f043128457c6ccf35128497167442bcc0f8cce78cda8b366e6a12e526d938d1e4c1046acffffbfc542a7e212bb7d80d3a4b2f84f7b196d935398a24eb84c519789b401000000fe0300fe0300fe0300fe0300fe0300fe0300a203000c4a8fd56621ad04fc0101067601008ce60be0005b220117c32c0f3b394b346c2aa42cfa8157cd41f891aa0bec485a62fc010000',
  ],
  [
    2,
    1_708_427_627,
    '0xc104f0433805080eb36c0b130a7cc1dc74c3f721af4e249aa6f61bb89d1557143e971bb738a3f3b98df7c457e74048e9d2d7e5cd82bb45e3760467e2270e9db86d1271a700000000fe0300fe0300fe0300fe0300fe0300fe0300a203000c6b89d46525ad000205067201009cda69cb5b9b73fc4eb2458b37d37f04ff507fe6c9cd2ab704a05ea9dae3cd61760002000000020000',
  ],
  [
    3,
    1_708_427_461,
    '0xf104f0434442b9eb38b259f5b23826e6b623e829d2fb878dac70187a1aecf42a3f9bedfd29793d1fcb5822324be0d3e12340a95855553a65d64b83e5579dffb31470df5d010000006a03000412346a1d00fe0100fe0100fe0100fe0100fe0100fe01004201000cc588d465219504100201067601007cfece77b89685f60e3663b6e0faf2de0734674eb91339700c4858c773a8ff921e014401043e0100',
  ],
  [
    4,
    1_741_842_007,
    '0x9105f043cee25401b6853202950d1d8a082f31a80c4fef5782c049a731f5d104b1b9b9aa7618605b420438ae98b44c8aaaebd482854473c2ae57c079286bb634bece5210000000006a03000412346a1d00fe0100fe0100fe0100fe0100fe0100fe01004201000c5766d26721950430020106f6010001440104b60100049876',
  ],
] as const;

const rules = {
  1: rulesAt({}, 0),
  2: rulesAt({ canyon: 0 }, 0),
  3: rulesAt({ canyon: 0, ecotone: 0 }, 0),
};
const bodyOf = (message: string) => Uint8Array.from(snappy.uncompress(hexToBytes(message))).subarray(SIGNATURE_SIZE);

/** The message of version 4 comes from a test and has no real block hash. */
const [v1, v2, v3] = MESSAGES;
test.each([v1, v2, v3])('block hash of the message of version %i', (version, _, message) => {
  const envelope = decodeGossipBody(bodyOf(message), version);
  expect(payloadBlockHash(envelope, rules[version])).toBe(envelope.executionPayload.blockHash);
});

describe.each(MESSAGES)('gossiped block of version %i', (version, timestamp, message) => {
  const body = bodyOf(message);

  test('round trips to the last byte', () => {
    const envelope = decodeGossipBody(body, version);
    expect(envelope.executionPayload.timestamp).toBe(BigInt(timestamp));
    expect(bytesToHex(encodeGossipBody(envelope, version))).toBe(bytesToHex(body));
  });

  test('is no block of another version', () => {
    const other = version === 4 ? 3 : 4;
    expect(() => decodeGossipBody(body, other)).toThrow(expect.objectContaining({ handling: 'drop' }));
  });

  test('is rejected wherever it is cut off', () => {
    for (let length = 0; length < body.length; length += 37) {
      expect(() => decodeGossipBody(body.subarray(0, length), version)).toThrow();
    }
  });
});

test('signing hash over domain, chain id and body hash', () => {
  const body = new Uint8Array(32).fill(0x99);
  expect(bytesToHex(gossipSigningHash(body, 10))).toBe(
    '0x44a0e2b1aba1aae1771eddae1dcd2ad18a8cdac8891517153f03253e49d3f206',
  );
});

test('topics and message ids', () => {
  expect(gossipTopic(901, 1)).toBe('/optimism/901/0/blocks');
  expect(gossipTopic(901, 4)).toBe('/optimism/901/3/blocks');
  const data = Uint8Array.of(1, 2, 3);
  const preimage = `01000000${'0400000000000000'}${Buffer.from('/a/b').toString('hex')}010203`;
  expect(gossipMessageId('/a/b', data, true)).toEqual(sha256(hexToBytes(`0x${preimage}`)).subarray(0, 20));
  expect(gossipMessageId('/a/b', data, false)).not.toEqual(gossipMessageId('/a/b', data, true));
});

test('the version of a topic says which fields a block has, whatever the forks of the receiver', () => {
  const fields = GOSSIP_VERSIONS.map((version) => {
    const { withdrawalsRoot, beaconRoot, requestsHash } = GOSSIP_HEADERS[version];
    return [withdrawalsRoot, beaconRoot, requestsHash];
  });
  expect(fields).toEqual([
    ['absent', false, false],
    ['empty', false, false],
    ['empty', true, false],
    ['message-passer', true, true],
  ]);
});

test.each([3, 4] as const)('a block of version %i needs the beacon root of its parent', (version) => {
  const [, , , message] = MESSAGES.map(([, , hex]) => hex);
  const { executionPayload } = decodeGossipBody(bodyOf(version === 4 ? (message ?? '') : v3[2]), version);
  expect(() => encodeGossipBody({ executionPayload }, version)).toThrow(
    expect.objectContaining({
      code: 'payload-invalid',
      handling: 'drop',
      data: { field: 'parentBeaconBlockRoot' },
    }),
  );
  expect(() => decodeGossipBody(new Uint8Array(31), version)).toThrow(
    expect.objectContaining({ code: 'ssz-malformed', handling: 'drop', data: { version } }),
  );
});
