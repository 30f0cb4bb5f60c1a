import { describe, expect, it } from 'vitest';
import { bytesOf, codeOf } from '../support/code.ts';
import { Loop } from '../support/loop.ts';

const loop = new Loop();
const input = Uint8Array.from({ length: 40 }, (_, at) => at + 1);
const LARGE = 1n << 64n;

describe('the environment', () => {
  it.each([
    ['ADDRESS', 0x30, 0xc0den],
    ['ORIGIN', 0x32, 0x5e4dn],
    ['CALLER', 0x33, 0x5e4dn],
    ['CALLVALUE', 0x34, 5n],
    ['CALLDATASIZE', 0x36, 40n],
    ['CODESIZE', 0x38, 1n],
    ['GASPRICE', 0x3a, 11n],
    ['RETURNDATASIZE', 0x3d, 0n],
    ['COINBASE', 0x41, 0xc01bba5en],
    ['TIMESTAMP', 0x42, 1_700_000_000n],
    ['NUMBER', 0x43, 300n],
    ['PREVRANDAO', 0x44, BigInt(`0x${'4a'.repeat(32)}`)],
    ['GASLIMIT', 0x45, 30_000_000n],
    ['CHAINID', 0x46, 901n],
    ['SELFBALANCE', 0x47, 0n],
    ['BASEFEE', 0x48, 7n],
    ['BLOBBASEFEE', 0x4a, 3n],
  ])('%s pushes its value', (_, code, value) => {
    expect(loop.run(Uint8Array.of(code), { input }).stack).toEqual([value]);
  });

  it.each([
    [0n, BigInt(`0x${Buffer.from(input.subarray(0, 32)).toString('hex')}`)],
    [8n, BigInt(`0x${Buffer.from(input.subarray(8, 40)).toString('hex')}`)],
    [38n, BigInt(`0x2728${'00'.repeat(30)}`)],
    [39n, BigInt(`0x28${'00'.repeat(31)}`)],
    [40n, 0n],
    [LARGE, 0n],
    [1n << 255n, 0n],
  ])('CALLDATALOAD at %d pushes bytes and zeros behind the end', (at, word) => {
    expect(loop.run(codeOf(at, 0x35), { input }).stack).toEqual([word]);
  });

  it.each([
    ['CALLDATACOPY', 0x37, 30n, '1f202122232425262728000000000000'],
    ['CALLDATACOPY behind the end', 0x37, 40n, '0'.repeat(32)],
    ['CALLDATACOPY far behind the end', 0x37, LARGE, '0'.repeat(32)],
    ['CODECOPY', 0x39, 0n, `7f${'ff'.repeat(15)}`],
    ['CODECOPY behind the end', 0x39, 1000n, '0'.repeat(32)],
  ])('%s fills up with zeros what it lacks', (_, code, from, bytes) => {
    // The memory has other bytes before.
    const dirty = codeOf(2n ** 256n - 1n, 0n, 0x52);
    const copied = loop.run(Uint8Array.from([...dirty, ...codeOf(16n, from, 4n, code)]), { input });
    expect(Buffer.from(copied.memory).subarray(4, 20).toString('hex')).toBe(bytes);
    expect(copied.memory[3]).toBe(0xff);
    expect(copied.memory[20]).toBe(0xff);
  });

  it.each([
    [0n, 0n, 'stopped'],
    [0n, 1n, 'return data out of bounds'],
    [1n, 0n, 'return data out of bounds'],
    [LARGE, 0n, 'return data out of bounds'],
  ])('RETURNDATACOPY from %d of %d bytes ends with %3$s when nothing was returned', (from, size, outcome) => {
    expect(loop.run(codeOf(size, from, 0n, 0x3e, 0)).outcome).toBe(outcome);
  });

  it.each([
    [299n, 299n],
    [44n, 44n],
    [43n, undefined],
    [300n, undefined],
    [301n, undefined],
    [LARGE, undefined],
  ])('BLOCKHASH of %d is that of one of the 256 blocks before, or zero', (number, block) => {
    const byte = block === undefined ? 0 : Number(block % 256n);
    const word = BigInt(`0x${byte.toString(16).padStart(2, '0').repeat(32)}`);
    expect(loop.run(codeOf(number, 0x40)).stack).toEqual([word]);
  });

  it.each([
    [0n, BigInt(`0x01${'b1'.repeat(31)}`)],
    [1n, BigInt(`0x01${'b2'.repeat(31)}`)],
    [2n, 0n],
    [LARGE, 0n],
  ])('BLOBHASH of %d is that of a blob, or zero', (at, hash) => {
    expect(loop.run(codeOf(at, 0x49)).stack).toEqual([hash]);
  });
});

describe('gas that operands decide', () => {
  const spent = (code: string, level: 'paris' | 'shanghai' | 'osaka' = 'osaka') =>
    1_000_000n - loop.run(bytesOf(code), { level }).gasLeft;

  it.each([
    ['EXP by 0', '600060020a00', 16n],
    ['EXP by 255', '60ff60020a00', 66n],
    ['EXP by 256', '61010060020a00', 116n],
    ['EXP by 2^248', `7f01${'00'.repeat(31)}60020a00`, 16n + 50n * 32n],
    ['a cold BALANCE', '60013100', 2603n],
    ['a warm BALANCE', '6001316001310000', 2706n],
    ['a BALANCE whose word has more than 160 bits', `6001317401${'00'.repeat(19)}013100`, 2706n],
    ['LOG0 of 33 bytes', '60216000a000', 6n + 375n + 8n * 33n + 6n],
    ['LOG4 of nothing', '60006000600060006000600000a400'.replace('6000600000', '60006000'), 18n + 375n * 5n],
    ['a cold SLOAD', '60015400', 2103n],
    ['a warm SLOAD', '6001546001540000', 2206n],
    ['an SLOAD after an SSTORE', '600160015560015400', 22_106n + 103n],
    ['CALLDATACOPY of 33 bytes', '60216000600037', 9n + 3n + 6n + 6n],
  ])('%s costs what the specification says', (_, code, gas) => {
    expect(spent(code)).toBe(gas);
  });

  it('CREATE and CREATE2 pay for words of initcode from shanghai on', () => {
    // 64 bytes: two words of memory cost 6 gas.
    expect(spent('604060006000f0', 'paris')).toBe(9n + 6n + 32_000n);
    expect(spent('604060006000f0', 'shanghai')).toBe(9n + 6n + 32_000n + 4n);
    expect(spent('6000604060006000f5', 'paris')).toBe(12n + 6n + 32_000n + 12n);
    expect(spent('6000604060006000f5', 'shanghai')).toBe(12n + 6n + 32_000n + 16n);
  });

  it.each([
    [2300n, 'out of gas'],
    [2301n, 'stopped'],
  ])('SSTORE with %d gas left ends with %s, because of the stipend of calls', (left, outcome) => {
    const touched = '600154600060015500';
    const gas = 2103n + 6n + left;
    expect(loop.run(bytesOf(touched), { gas }).outcome).toBe(outcome);
  });
});
