import { describe, expect, it } from 'vitest';
import { readAlloc } from '../../../src/protocol/genesis/extra-alloc.ts';
import { l1Alloc, l2Alloc, l2Genesis } from '../../../src/protocol/genesis/index.ts';
import { chainInputs, contracts, GENESIS_TIME } from './inputs.ts';

const OWN = `0x${'ab'.repeat(20)}` as const;
const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';
const word = (digits: string) => `0x${digits.padStart(64, '0')}` as const;

const readOrThrow = (document: unknown) => {
  const read = readAlloc(document);
  if (!read.ok) throw new Error(read.problems.join('; '));
  return read.value;
};

describe('an alloc of the user', () => {
  const alloc = readOrThrow({
    alloc: {
      ['AB'.repeat(20)]: { balance: '1000', nonce: '0x2', code: '0x6001', storage: { '0x1': '0xFF', '02': '0x0' } },
      [MULTICALL3]: { balance: 7 },
    },
  });

  it.each([
    { layer: 'L2', state: () => l2Alloc(chainInputs({ alloc }), contracts) },
    {
      layer: 'L1',
      state: () =>
        l1Alloc(
          {
            chainId: 900,
            hardfork: 'prague',
            genesisTime: GENESIS_TIME,
            accounts: [],
            chains: [chainInputs({})],
            alloc,
          },
          contracts,
        ),
    },
  ])('is laid over the state of $layer', ({ state }) => {
    const laid = state();
    expect(laid.get(OWN)).toEqual({ balance: 1000n, nonce: 2, code: '0x6001', storage: { [word('1')]: word('ff') } });
    const multicall = laid.get(MULTICALL3)!;
    expect(multicall.balance).toBe(7n);
    expect(multicall.code.length).toBeGreaterThan(100);
  });

  it('has the fields that it states, and numbers as nonces', () => {
    expect(readAlloc({ [OWN]: { balance: '7' }, [MULTICALL3]: { nonce: '0x2' } })).toStrictEqual({
      ok: true,
      value: { [OWN]: { balance: '0x7' }, [MULTICALL3]: { nonce: 2 } },
    });
  });

  it('changes the genesis hash', () => {
    const without = l2Genesis(chainInputs(), contracts).hash;
    expect(l2Genesis(chainInputs({ alloc }), contracts).hash).not.toBe(without);
    expect(l2Genesis(chainInputs({ alloc: readOrThrow({ [OWN]: { balance: 1 } }) }), contracts).hash).not.toBe(
      l2Genesis(chainInputs({ alloc }), contracts).hash,
    );
  });

  it('is refused with every problem and its place', () => {
    const document = {
      '0x12': {},
      [OWN]: { balance: -1, nonce: '1e3', code: '0x123', storage: { key: '0x1' }, data: 1 },
      ['ab'.repeat(20)]: {},
      ['cd'.repeat(20)]: 5,
    };
    expect(readAlloc(document)).toEqual({
      ok: false,
      problems: [
        '"0x12": expected an address of 20 bytes',
        `${OWN}.data: expected balance, nonce, code or storage`,
        `${OWN}.balance: expected a number of at most 256 bits, found -1`,
        `${OWN}.nonce: expected a number of at most 53 bits, found "1e3"`,
        `${OWN}.code: expected 0x and whole bytes`,
        `${OWN}.storage.key: expected words of at most 32 bytes in hex`,
        `"${'ab'.repeat(20)}": the address stands twice`,
        `${'cd'.repeat(20)}: expected a map with balance, nonce, code and storage`,
      ],
    });
    expect(readAlloc([])).toEqual({ ok: false, problems: ['expected a map of accounts by address'] });
  });
});
