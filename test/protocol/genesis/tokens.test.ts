import { describe, expect, it } from 'vitest';
import { genesisFunds, l2Funds } from '../../../src/protocol/genesis/funds.ts';
import { tokensOf } from '../../../src/protocol/genesis/tokens.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { small } from './small-contracts.ts';

const [A, B, C] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`, `0x${'ef'.repeat(20)}`] as const;
const ERC20 = '0x6370a0823114';
const IMPLEMENTATION = '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const SLOT = { '0x01': '0x02' };
const cloneOf = (target: string, rest = '5af4') => `0x363d3d373d3d3d363d73${target.slice(2)}${rest}`;
const proxyOf = (target: string) => ({ [`0x${IMPLEMENTATION}`]: `0x${target.slice(2).padStart(64, '0')}` });

describe('tokens of a genesis state', () => {
  it.each<[string, Parameters<typeof tokensOf>[0], string[]]>([
    ['an ERC-20 with balances', { [A]: { code: ERC20, storage: SLOT } }, [A]],
    ['an ERC-1155 in capitals', { [A]: { code: '0x6300FDD58E', storage: SLOT } }, [A]],
    ['a token without storage', { [A]: { code: ERC20, storage: {} }, [B]: { code: ERC20 } }, []],
    ['another contract, and no code', { [A]: { code: '0x6370a08232', storage: SLOT }, [B]: { storage: SLOT } }, []],
    ['a predeploy', { [`0x42${'0'.repeat(36)}42`]: { code: ERC20, storage: SLOT } }, []],
    ['code of a predeploy', { [`0x${'c0d3'.repeat(9)}0042`]: { code: ERC20, storage: SLOT } }, []],
    [
      'addresses that are near those of predeploys',
      {
        [`0x42${'0'.repeat(34)}1042`]: { code: ERC20, storage: SLOT },
        [`0x${'c0d3'.repeat(8)}c0d40042`]: { code: ERC20, storage: SLOT },
        [`00x42${'0'.repeat(36)}42`]: { code: ERC20, storage: SLOT },
        [`0x42${'0'.repeat(36)}42f`]: { code: ERC20, storage: SLOT },
      },
      [
        `0x42${'0'.repeat(34)}1042`,
        `0x${'c0d3'.repeat(8)}c0d40042`,
        `00x42${'0'.repeat(36)}42`,
        `0x42${'0'.repeat(36)}42f`,
      ],
    ],
    ['a clone of a token', { [A]: { code: cloneOf(B), storage: SLOT }, [B]: { code: ERC20 } }, [A]],
    [
      'a clone in capitals',
      { [A]: { code: cloneOf(B).replace('cd', 'CD'), storage: SLOT }, [B]: { code: ERC20 } },
      [A],
    ],
    ['a clone of another contract', { [A]: { code: cloneOf(B), storage: SLOT }, [B]: { code: '0x60' } }, []],
    ['a clone of nothing', { [A]: { code: cloneOf(B), storage: SLOT } }, []],
    ['a clone of an account without code', { [A]: { code: cloneOf(B), storage: SLOT }, [B]: {} }, []],
    [
      'code with a clone inside',
      { [A]: { code: `0x60${cloneOf(B).slice(2)}`, storage: SLOT }, [B]: { code: ERC20 } },
      [],
    ],
    ['a clone of other code behind', { [A]: { code: cloneOf(B, '5af5'), storage: SLOT }, [B]: { code: ERC20 } }, []],
    [
      'a proxy of a token',
      { [A]: { code: '0x60', storage: proxyOf(B) }, [B.toUpperCase().replace('X', 'x')]: { code: ERC20 } },
      [A],
    ],
    [
      'a proxy in capitals',
      { [A]: { storage: { [IMPLEMENTATION.toUpperCase()]: B.toUpperCase() } }, [B]: { code: ERC20 } },
      [A],
    ],
    [
      'a proxy with other slots',
      { [A]: { storage: { '0x01': C, ...proxyOf(B), '0x02': C } }, [B]: { code: ERC20 }, [C]: { code: '0x60' } },
      [A],
    ],
    ['a proxy of another contract', { [A]: { code: '0x60', storage: proxyOf(B) }, [B]: { code: '0x60' } }, []],
  ])('are those of %s', (_, accounts, tokens) => {
    expect(tokensOf(accounts)).toEqual(tokens);
  });
});

describe('funds of a genesis state', () => {
  it('of a planned chain are its accounts, precompiles and the user’s accounts, each address once', () => {
    const accounts = [
      { address: A, balance: '7' },
      { address: `0x${'1'.padStart(40, '0')}` as Hex, balance: '3' },
    ];
    // Two precompiles of 1 wei, one of which is funded.
    expect(l2Funds({ accounts: [] }, small).ether).toBe('2');
    expect(l2Funds({ accounts }, small)).toEqual({ ether: '11', tokens: [], canWithdraw: true });
    const alloc = {
      [A.toUpperCase().replace('X', 'x')]: { balance: '0x10', code: ERC20, storage: SLOT },
      [B]: { code: ERC20 },
    } as never;
    expect(l2Funds({ accounts, alloc }, small)).toEqual({
      ether: '20',
      tokens: [A.toUpperCase().replace('X', 'x')],
      canWithdraw: true,
    });
  });

  const PASSER = '4200000000000000000000000000000000000016';
  it.each<[string, Record<string, unknown>, object]>([
    ['nothing', {}, { ether: '0', tokens: [], canWithdraw: false }],
    [
      'numbers of any form, and bare addresses',
      { [A.slice(2)]: { balance: 5, code: ERC20, storage: SLOT }, [B]: { balance: '0x10' }, x: { balance: '7' } },
      { ether: '28', tokens: [A], canWithdraw: false },
    ],
    [
      'values that are none',
      { [A]: { balance: 'x', code: 5, storage: [] }, [B]: 5, c: null },
      { ether: '0', tokens: [] },
    ],
    ['a message passer', { [PASSER]: { code: '0x60' } }, { canWithdraw: true }],
    ['a message passer in capitals', { [`0x${PASSER}`]: { code: '0x6' } }, { canWithdraw: true }],
    ['a message passer without code', { [PASSER]: { code: '0x' } }, { canWithdraw: false }],
    ['a message passer of balance alone', { [PASSER]: { balance: 1 } }, { ether: '1', canWithdraw: false }],
  ])('of a genesis file are those of %s', (_, alloc, funds) => {
    expect(genesisFunds(alloc)).toMatchObject(funds);
  });
});
