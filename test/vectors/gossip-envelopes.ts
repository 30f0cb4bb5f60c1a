import snappy from 'snappyjs';
import { decodeGossipBody, encodeGossipBody, SIGNATURE_SIZE } from '../../src/protocol/codec/gossip.ts';
import { payloadBlockHash } from '../../src/protocol/codec/payload-header.ts';
import { type ForkName, rulesAt } from '../../src/protocol/forks/index.ts';
import { bytesToHex, hexToBytes } from '../../src/protocol/hex.ts';
import type { Hex } from '../../src/protocol/types.ts';
import { upTo } from '../nodes/execution/support/genesis.ts';
import { same, type VectorKind } from './kind.ts';

const FORK_OF: Readonly<Record<number, ForkName>> = { 1: 'regolith', 2: 'canyon', 3: 'ecotone', 4: 'isthmus' };

/**
 * Gossiped payload messages in Rust tests: the bytes before `decode_v1` … `decode_v4`.
 * The hash of a sample without parent is not compared, because that block is made up.
 */
export const gossipEnvelopes: VectorKind = {
  name: 'gossiped payload envelopes',
  files: /envelope\.rs$/,
  cases(path, text) {
    return [
      ...text.matchAll(
        /hex(?:!|::decode)\(\s*"(?:0x)?([0-9a-f]{200,})"\s*\)(?:\.unwrap\(\))?;\s*let[^=]+=\s*\w+::decode_v([1-4])\(/g,
      ),
    ].map(([, digits, version]) => ({
      name: `${path} version ${version}`,
      check() {
        const of = Number(version) as 1 | 2 | 3 | 4;
        const body = Uint8Array.from(snappy.uncompress(hexToBytes(`0x${digits!}` as Hex))).subarray(SIGNATURE_SIZE);
        const envelope = decodeGossipBody(body, of);
        same('body', bytesToHex(encodeGossipBody(envelope, of)), bytesToHex(body));
        // The sample of version 4 was edited after it was hashed.
        if (of < 4)
          same(
            'block hash',
            payloadBlockHash(envelope, rulesAt(upTo(FORK_OF[of]!), 1)),
            envelope.executionPayload.blockHash,
          );
      },
    }));
  },
};
