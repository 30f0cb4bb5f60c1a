import { describe, expect, it } from 'vitest';
import { OPCODE_GROUPS } from '../../../src/evm/table/index.ts';
import { keccak256Bytes } from '../../../src/protocol/hash.ts';
import { EVM_LEVELS } from '../../../src/protocol/rules/evm-level.ts';
import { bytesOf, codeOf } from '../support/code.ts';
import { Loop } from '../support/loop.ts';

const loop = new Loop();
const opcodes = OPCODE_GROUPS.flatMap((group) => group.opcodes);
const known = new Map(opcodes.map((opcode) => [opcode.code, opcode]));
const zeros = (count: number) => new Array<number>(count).fill(0).flatMap(() => [0x60, 0]);
/** Opcodes that go on, and whose gas is that of their row when their operands are zero. */
const byCode = opcodes.filter(({ result, dynamicGas }) => result === undefined && dynamicGas === undefined);

describe('the loop', () => {
  it('knows each code once', () => {
    expect(known.size).toBe(opcodes.length);
  });

  it.each([
    ['STOP', '00', 'stopped', 1000n],
    ['the end of the code', '', 'stopped', 1000n],
    ['INVALID', 'fe', 'invalid opcode', 1000n],
    ['JUMP to a JUMPDEST', '6004565b5b00', 'stopped', 988n],
    ['JUMP to another opcode', '600356005b00', 'invalid jump', 989n],
    ['JUMP into the data of a PUSH', '6005600056605b00', 'invalid jump', 986n],
    ['JUMP behind the code', '60ff56', 'invalid jump', 989n],
    ['JUMP to 2^64', '680100000000000000005600', 'invalid jump', 989n],
    ['JUMP to 2^64 + 10, whose low limb is a JUMPDEST', '6801000000000000000a565b00', 'invalid jump', 989n],
    ['JUMPI with a false condition to no destination', '600060ff5700', 'stopped', 984n],
    ['JUMPI with a condition of 2^255', `7f80${'00'.repeat(31)}6024575b00`, 'stopped', 983n],
    ['PUSH2 at the end, whose data is shorter', '61ff', 'stopped', 997n],
  ])('%s ends as the specification says', (_, code, outcome, gasLeft) => {
    expect(loop.run(bytesOf(code), { gas: 1000n })).toMatchObject({ outcome, gasLeft });
  });

  it.each(byCode)('$name charges its static gas and needs it', ({ code, name, takes, gives, gas }) => {
    const program = Uint8Array.from([...zeros(takes), code, 0]);
    // Loads and stores at 0 expand the memory to one word.
    const expansion = ['MLOAD', 'MSTORE', 'MSTORE8'].includes(name) ? 3 : 0;
    const all = BigInt(3 * takes + Number(gas) + expansion);
    const { outcome, gasLeft, stack } = loop.run(program, { gas: all + 5n });
    expect([outcome, gasLeft, stack.length]).toEqual(['stopped', 5n, gives]);
    expect(loop.run(program, { gas: all - 1n }).outcome).toBe('out of gas');
  });

  it.each(byCode.filter(({ takes }) => takes > 0))('$name fails when the stack lacks one word', ({ code, takes }) => {
    expect(loop.run(Uint8Array.from([...zeros(takes - 1), code, 0])).outcome).toBe('stack underflow');
  });

  it.each(byCode.filter(({ takes, gives }) => gives > takes))('$name fails when the stack is full', ({ code }) => {
    const filled = (words: number) => Uint8Array.from([...zeros(words), code, 0]);
    expect(loop.run(filled(1023)).outcome).toBe('stopped');
    expect(loop.run(filled(1024)).outcome).toBe('stack overflow');
  });

  it.each(opcodes.filter(({ writes }) => writes === true))('$name fails in a static call', ({ code, takes }) => {
    const run = loop.run(Uint8Array.from([...zeros(takes), code, 0]), { isStatic: true });
    expect(run.outcome).toBe('write protection');
  });

  it.each(opcodes.filter(({ since }) => since !== undefined))('$name is invalid before its level', (opcode) => {
    const program = Uint8Array.from([...zeros(opcode.takes), opcode.code, 0]);
    const first = EVM_LEVELS.indexOf(opcode.since ?? 'paris');
    const outcomes = EVM_LEVELS.map((level) => loop.run(program, { level }).outcome);
    expect(outcomes).toEqual(EVM_LEVELS.map((_, at) => (at < first ? 'invalid opcode' : 'stopped')));
  });

  it('codes without a row are invalid', () => {
    const without = Array.from({ length: 256 }, (_, code) => code).filter((code) => !known.has(code));
    expect(without.length).toBeGreaterThan(80);
    for (const code of without) expect(loop.run(Uint8Array.from([code])).outcome).toBe('invalid opcode');
  });

  it('PUSH, DUP and SWAP move the words that their number says', () => {
    for (let size = 1; size <= 32; size++) {
      const data = Array.from({ length: size }, (_, at) => 0x80 + at);
      const { stack } = loop.run(Uint8Array.from([0x5f + size, ...data, 0x60, 1]));
      expect(stack).toEqual([BigInt(`0x${Buffer.from(data).toString('hex')}`), 1n]);
    }
    const seventeen = Array.from({ length: 17 }, (_, at) => BigInt(at) << 200n);
    for (let depth = 1; depth <= 16; depth++) {
      const copied = loop.run(codeOf(...seventeen, 0x7f + depth)).stack;
      expect(copied).toEqual([...seventeen, seventeen[17 - depth]]);
      const swapped = loop.run(codeOf(...seventeen, 0x8f + depth)).stack;
      expect(swapped).toEqual(seventeen.with(16, seventeen[16 - depth]!).with(16 - depth, seventeen[16]!));
    }
  });

  it('PC, GAS and MSIZE push what they are at that place', () => {
    expect(loop.run(bytesOf('585a58595a'), { gas: 100n }).stack).toEqual([0n, 96n, 2n, 0n, 90n]);
  });

  it('a slice ends at a jump, and the next one continues', () => {
    const count = bytesOf('6103e85b600190038060035700');
    const whole = loop.run(count);
    const sliced = loop.run(count, { slice: 1000n });
    expect(sliced).toMatchObject({ outcome: 'stopped', gasLeft: whole.gasLeft, stack: whole.stack });
    expect([whole.slices, sliced.slices > 10]).toEqual([0, true]);
  });
});

describe('memory', () => {
  it('MSTORE, MSTORE8, MLOAD and MCOPY move bytes, and the memory has whole words', () => {
    const { memory, stack } = loop.run(codeOf(0x1122n, 1n, 0x52, 0xaabbn, 40n, 0x53, 9n, 0x51));
    expect([memory.length, Buffer.from(memory).subarray(31, 41).toString('hex')]).toEqual([64, '112200000000000000bb']);
    expect(stack).toEqual([BigInt(`0x${Buffer.from(memory).subarray(9, 41).toString('hex')}`)]);
    const copied = loop.run(codeOf(0x0102030405060708n, 0n, 0x52, 8n, 24n, 28n, 0x5e)).memory;
    expect(Buffer.from(copied).subarray(24, 36).toString('hex')).toBe('010203040102030405060708');
  });

  it.each([
    ['no bytes at 2^255', codeOf(0n, 1n << 255n, 0x20), 'stopped', 0],
    ['a byte at 2^64', codeOf(1n, 1n << 64n, 0x20), 'out of gas', 0],
    ['2^64 bytes', codeOf(1n << 64n, 0n, 0x20), 'out of gas', 0],
    ['a word at 2^32 - 1', codeOf(2n ** 32n - 1n, 0x51), 'out of gas', 0],
    ['a copy to far away', codeOf(1n, 0n, 2n ** 40n, 0x5e), 'out of gas', 0],
    ['a copy from far away', codeOf(1n, 2n ** 40n, 0n, 0x5e), 'out of gas', 0],
  ])('%s: expansion is paid before it happens', (_, code, outcome, size) => {
    const run = loop.run(code, { gas: 30_000_000n });
    expect([run.outcome, run.memory.length]).toEqual([outcome, size]);
  });

  it('an expansion costs 3 gas a word and the square of words by 512', () => {
    const words = 100_000n;
    const cost = 3n * words + (words * words) / 512n;
    const code = codeOf((words - 1n) * 32n, 0x51);
    expect(loop.run(code, { gas: cost + 6n }).gasLeft).toBe(0n);
    expect(loop.run(code, { gas: cost + 5n }).outcome).toBe('out of gas');
    expect(loop.run(code, { gas: cost + 6n }).memory.every((byte) => byte === 0)).toBe(true);
  });

  it('memory is zero although a frame before has used it', () => {
    loop.run(codeOf(2n ** 256n - 1n, 0n, 0x52));
    expect(loop.run(codeOf(0n, 0x51)).stack).toEqual([0n]);
  });

  it('KECCAK256 hashes every length around its block, for 6 gas a word', () => {
    for (const size of [0, 1, 7, 8, 9, 31, 32, 64, 134, 135, 136, 137, 143, 144, 271, 272, 273, 1000]) {
      const fill = Array.from({ length: 8 }, (_, at) => [
        BigInt(at) * 0x1234_5678_9abc_def1n ** 3n,
        BigInt(at * 32),
        0x52,
      ]);
      const start = codeOf(...fill.flat().map((part) => (typeof part === 'bigint' ? BigInt.asUintN(256, part) : part)));
      const before = loop.run(Uint8Array.from([...start, ...codeOf(2048n, 0x51)]));
      const after = loop.run(Uint8Array.from([...start, ...codeOf(2048n, 0x51, BigInt(size), 0n, 0x20)]));
      const hash = keccak256Bytes(before.memory.subarray(0, size));
      expect(after.stack.at(-1)).toBe(BigInt(`0x${Buffer.from(hash).toString('hex')}`));
      expect(before.gasLeft - after.gasLeft).toBe(36n + 6n * BigInt(Math.ceil(size / 32)));
    }
  });
});
