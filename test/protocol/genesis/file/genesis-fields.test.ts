import { describe, expect, it } from 'vitest';
import { genesisFields, parseGenesis, unknownKeys } from '../../../../src/protocol/genesis/file/genesis-fields.ts';

const ZERO = `0x${'00'.repeat(32)}`;
const hash = (byte: string) => `0x${byte.repeat(32)}`;
const DEFAULTS = {
  parentHash: ZERO,
  coinbase: `0x${'00'.repeat(20)}`,
  nonce: 0n,
  timestamp: 0n,
  gasLimit: 5n,
  gasUsed: 0n,
  extraData: '0x',
  mixHash: ZERO,
  baseFeePerGas: 1_000_000_000n,
  blobGasUsed: 0n,
  excessBlobGas: 0n,
  parentBeaconBlockRoot: ZERO,
};

describe('header fields of genesis.json', () => {
  it('are zero when they are absent or null, but for the gas limit and the base fee', () => {
    expect(genesisFields({ gasLimit: 5 })).toEqual({ ok: true, value: DEFAULTS });
    const none = Object.fromEntries(Object.keys(DEFAULTS).map((key) => [key, null]));
    expect(genesisFields({ ...none, gasLimit: 5, difficulty: null, number: null, stateHash: null })).toEqual({
      ok: true,
      value: DEFAULTS,
    });
  });

  it('are read each from its key, as numbers or as decimal or hex text', () => {
    const value = {
      parentHash: hash('01'),
      coinbase: `0x${'02'.repeat(20)}`,
      nonce: 3n,
      timestamp: 4n,
      gasLimit: 5n,
      gasUsed: 6n,
      extraData: '0x07ab',
      mixHash: hash('08'),
      baseFeePerGas: 9n,
      blobGasUsed: 10n,
      excessBlobGas: 11n,
      parentBeaconBlockRoot: hash('0c'),
    };
    for (const write of [Number, String, (one: bigint) => `0x${one.toString(16)}`])
      expect(
        genesisFields(
          Object.fromEntries(
            Object.entries(value).map(([key, one]) => [key, typeof one === 'bigint' ? write(one) : one]),
          ),
        ),
      ).toEqual({ ok: true, value });
    expect(genesisFields({ gasLimit: 5, extraData: '0xAB' })).toMatchObject({ value: { extraData: '0xab' } });
  });

  it.each([
    ['nonce', 64],
    ['timestamp', 64],
    ['gasLimit', 64],
    ['gasUsed', 64],
    ['blobGasUsed', 64],
    ['excessBlobGas', 64],
    ['baseFeePerGas', 256],
  ])('have %s below 2^%i', (key, bits) => {
    const most = 2n ** BigInt(bits) - 1n;
    expect(genesisFields({ gasLimit: 5, [key]: String(most) })).toMatchObject({ ok: true, value: { [key]: most } });
    const over = String(most + 1n);
    const expected = `an integer below 2^${bits}, as a number or as decimal or 0x text`;
    expect(genesisFields({ gasLimit: 5, [key]: over })).toEqual({
      ok: false,
      problems: [`${key} is "${over}": expected ${expected}`],
    });
  });

  it.each([-1, 1.5, '', '0x', 'x1', '1x', '0xg', ' 1', true])('are refused with the timestamp %j', (timestamp) => {
    expect(genesisFields({ gasLimit: 5, timestamp })).toEqual({
      ok: false,
      problems: [expect.stringContaining(`timestamp is ${JSON.stringify(timestamp)}: expected an integer below 2^64`)],
    });
  });

  it.each([
    ['parentHash', '32 bytes of'],
    ['coinbase', '20 bytes of'],
    ['mixHash', '32 bytes of'],
    ['parentBeaconBlockRoot', '32 bytes of'],
    ['extraData', ''],
  ])('are refused with a %s that is no data of its size', (key, size) => {
    const words = `${key}: expected ${size} hex data, found`.replace('  ', ' ');
    for (const value of ['0x1', 5])
      expect(genesisFields({ gasLimit: 5, [key]: value })).toEqual({
        ok: false,
        problems: [`${words} ${JSON.stringify(value)}`],
      });
  });

  it('are refused with every problem', () => {
    const problems = [
      'difficulty is not 0: a chain must be past the merge',
      'number is not 0: a chain begins with block 0',
      'it has a stateHash instead of a state, so no block can be executed',
      'gasLimit is missing: expected an integer below 2^64, as a number or as decimal or 0x text',
    ];
    expect(genesisFields({ difficulty: '0x1', number: 1, stateHash: ZERO })).toEqual({ ok: false, problems });
  });

  it.each([
    ['difficulty', 256],
    ['number', 64],
  ])('may have a %s of zero in any form', (key, bits) => {
    for (const value of [0, '0', '0x0', '0x0000']) expect(genesisFields({ gasLimit: 5, [key]: value }).ok).toBe(true);
    const over = String(2n ** BigInt(bits));
    expect(genesisFields({ gasLimit: 5, [key]: over })).toEqual({
      ok: false,
      problems: [expect.stringContaining(`${key} is "${over}": expected an integer below 2^${bits}`)],
    });
  });
});

describe('genesis.json', () => {
  it('has large integers with all their digits, but no other numbers as text', () => {
    const digits = '18446744073709551615';
    const keys = [
      ...['nonce', 'timestamp', 'gasLimit', 'gasUsed', 'blobGasUsed', 'excessBlobGas'],
      ...['baseFeePerGas', 'difficulty', 'number', 'balance'],
    ];
    for (const key of keys) expect(parseGenesis(`{"${key}":${digits}}`)).toEqual({ [key]: digits });
    expect(parseGenesis(`{"config":{"chainId":7},"alloc":{"a":{"balance":${digits},"code":"0x"}}}`)).toEqual({
      config: { chainId: 7 },
      alloc: { a: { balance: digits, code: '0x' } },
    });
    expect(parseGenesis('{"balance":"0x1","nonce":null}')).toEqual({ balance: '0x1', nonce: null });
  });

  it('cannot have a key twice', () => {
    expect(() => parseGenesis('{"nonce":1,"nonce":1}')).toThrow(SyntaxError);
  });

  it('has known keys, and others that are listed', () => {
    const known = { ...DEFAULTS, config: {}, alloc: {}, difficulty: 0, number: 0, stateHash: null, slotNumber: null };
    expect(unknownKeys(known)).toEqual([]);
    expect(unknownKeys({ ...known, gaslimit: 1, Nonce: 2 })).toEqual(['gaslimit', 'Nonce']);
  });
});
