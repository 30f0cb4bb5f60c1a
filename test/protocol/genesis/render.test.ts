import { describe, expect, it } from 'vitest';
import type { GenesisAccount, GenesisAlloc } from '../../../src/protocol/genesis/file/account.ts';
import { allocJson, renderAlloc } from '../../../src/protocol/genesis/render.ts';
import type { Hex } from '../../../src/protocol/types.ts';

describe('alloc of a genesis file', () => {
  const [A, B, C]: readonly Hex[] = ['0xaa', '0xbb', '0xcc'];
  const none = { balance: 0n, nonce: 0, code: '0x', storage: {} } as const;
  const whole = { balance: 255n, nonce: 10, code: '0x6001', storage: { '0x01': '0x02' } } as const;
  const alloc: GenesisAlloc = new Map<Hex, GenesisAccount>([
    [A!, none],
    [B!, whole],
    [C!, none],
  ]);
  const json = {
    [A!]: { balance: '0x0' },
    [B!]: { balance: '0xff', nonce: '0xa', code: '0x6001', storage: { '0x01': '0x02' } },
    [C!]: { balance: '0x0' },
  };

  it('has quantities, and no field without content', () => {
    expect(allocJson(alloc)).toStrictEqual(json);
  });

  it('is rendered as JSON, in order', () => {
    expect(renderAlloc(alloc)).toBe(JSON.stringify(json));
    expect(renderAlloc(new Map())).toBe('{}');
  });
});
