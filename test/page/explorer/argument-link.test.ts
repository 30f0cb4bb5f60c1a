import { describe, expect, it } from 'vitest';
import { argumentLink, isListed } from '../../../src/page/explorer/argument-link.ts';

describe('an argument', () => {
  const link = { to: '#/blocks/main/5', name: null };

  it('leads to the block of its number only under the name that is a block number', () => {
    const links = { 'l2BlockNumber 5': link };
    expect(argumentLink(links, 'l2BlockNumber', '5')).toBe(link);
    expect(argumentLink(links, 'amount', '5')).toBeUndefined();
  });

  it('leads to a page by its address or hash, whatever its name and case', () => {
    expect(argumentLink({ '0xab': link }, 'to', '0xAB')).toBe(link);
  });

  it('leads to the other layer under the name of a call whose argument is an address there', () => {
    const far = { to: '#/blocks/two/address/0xab', name: null };
    const links = { '0xab': link, 'depositTransaction._to 0xab': far };
    expect(argumentLink(links, '_to', '0xAB', 'depositTransaction._to')).toBe(far);
    expect(argumentLink(links, '_to', '0xAB', 'transfer._to')).toBe(link);
  });

  it('leads nowhere when its name is a key of every object', () => {
    expect(argumentLink({}, 'constructor', '0x')).toBeUndefined();
    expect(argumentLink(undefined, 'to', '0xab')).toBeUndefined();
  });

  it('is shown entry by entry when it is a struct or a list of few entries', () => {
    expect([{ a: 1 }, ['x'], Array(50).fill(1)].map(isListed)).toEqual([true, true, true]);
    expect(['text', 5, null, [], {}, Array(51).fill(1)].map(isListed)).toEqual(Array(6).fill(false));
  });
});
