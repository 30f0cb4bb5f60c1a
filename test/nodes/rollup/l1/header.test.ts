import { describe, expect, it } from 'vitest';
import { headerHash, readHeader } from '../../../../src/nodes/rollup/l1/header.ts';
import { AMSTERDAM_HEADER, GETH_AMSTERDAM_HEADER, PRAGUE_HEADER } from './public-headers.ts';

describe('the hash of an L1 header', () => {
  it.each([
    ['of prague', PRAGUE_HEADER],
    ['of amsterdam by reth', AMSTERDAM_HEADER],
    ['of amsterdam by geth', GETH_AMSTERDAM_HEADER],
  ])('is the one that L1 states when the header is one %s', (_, header) => {
    expect(headerHash(header)).toBe(header.hash);
    expect(readHeader(header, false)).toMatchObject({ hash: header.hash, number: Number(header.number) });
  });

  it('covers blockAccessListHash and slotNumber', () => {
    for (const name of ['blockAccessListHash', 'slotNumber'] as const) {
      const { [name]: _, ...without } = AMSTERDAM_HEADER;
      expect(() =>
        readHeader({ ...AMSTERDAM_HEADER, [name]: `${AMSTERDAM_HEADER[name].slice(0, -1)}9` }, false),
      ).toThrow('L1 block 0xc0');
      expect(() => readHeader(without, false)).toThrow('L1 block 0xc0');
    }
  });

  it('encodes a field that is absent before a later one as empty, as geth does', () => {
    const { blockAccessListHash: _, ...slotOnly } = AMSTERDAM_HEADER;
    const hashes = [slotOnly, { ...slotOnly, blockAccessListHash: null }, PRAGUE_HEADER, AMSTERDAM_HEADER].map((json) =>
      headerHash({ ...json, number: '0x1' }),
    );
    expect(hashes[0]).toBe(hashes[1]);
    expect(new Set(hashes).size).toBe(3);
  });

  it('names the fields of a later fork and l1.trustrpc when they may be the reason for a difference', () => {
    const later = { ...AMSTERDAM_HEADER, gasUsed: '0x1', transactions: [], size: '0x2', fooRoot: '0x1', bar: null };
    expect(() => readHeader(later, false)).toThrow(
      'L1 block 0xc0 (0x86e1583ca604ce5de648b44c41fb309b8dfe72ab21b57ad9f12eb0d92ac991f8): its fields hash to ' +
        `${headerHash(later)}. The block has fields that are not known as header fields: fooRoot. ` +
        'A later fork of L1 may have added them to headers; ' +
        '--l1.trustrpc accepts headers without verifying their hashes',
    );
    expect(readHeader(later, true).hash).toBe(AMSTERDAM_HEADER.hash);
  });

  it('does not advise l1.trustrpc when a known field was changed', () => {
    const changed = { ...AMSTERDAM_HEADER, gasUsed: '0x1', uncles: [], totalDifficulty: '0x0', withdrawals: [] };
    expect(() => readHeader(changed, false)).toThrow(/: its fields hash to 0x[0-9a-f]{64}$/);
  });
});
