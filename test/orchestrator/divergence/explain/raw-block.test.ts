import { afterEach, describe, expect, it } from 'vitest';
import { rawBlock } from '../../../../src/orchestrator/divergence/explain/raw-block.ts';
import { encodeHeader, headerHash } from '../../../../src/protocol/codec/header.ts';
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

  it('is refused when a part of it is missing', async () => {
    node = await answeringNode(() => '0xc0');
    await expect(rawBlock(node.url, 1)).rejects.toThrow('header');
  });
});
