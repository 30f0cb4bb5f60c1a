import { afterEach, describe, expect, it } from 'vitest';
import { rawBlock } from '../../../../src/orchestrator/divergence/explain/raw-block.ts';
import { encodeHeader, headerHash } from '../../../../src/protocol/codec/header.ts';
import { rlpDecode, rlpEncode } from '../../../../src/protocol/codec/rlp.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { type AnsweringNode, answeringNode } from '../../dashboard/rpc-answers.ts';
import { blockHeader, rawOf } from './blocks.ts';

let node: AnsweringNode | undefined;
afterEach(() => node?.close());

describe('a raw block', () => {
  const header = blockHeader();
  const transactions = ['0x7e01', '0xc20102', '0x02c0'] as const;

  it.each<[number | string, string]>([
    [26, '0x1a'],
    [`0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(32)}`],
  ])('%s has its header, its hash and the encodings of its transactions', async (block, id) => {
    const requests: unknown[] = [];
    node = await answeringNode((method, params) => {
      requests.push([method, params]);
      return rawOf(header, transactions);
    });
    expect(await rawBlock(node.url, block)).toEqual({
      ...{ hash: headerHash(header), header, encodedHeader: bytesToHex(encodeHeader(header)), transactions },
    });
    expect(requests).toEqual([['debug_getRawBlock', [id]]]);
  });

  it.each([
    ['block', '0x80'],
    ['header', '0xc0'],
    ['transactions', bytesToHex(rlpEncode([rlpDecode(encodeHeader(header)), Uint8Array.of(1)]))],
  ])('is refused when its %s is no list', async (part, raw) => {
    node = await answeringNode(() => raw);
    await expect(rawBlock(node.url, 1)).rejects.toThrow(part);
  });
});
