import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { GENERATED_SCHEDULE, generatedBlocks } from '../support/generated-blocks.ts';
import { genesisText } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';
import { contracts } from '../support/programs.ts';
import type { ShownInstruction, ShownVmTrace } from '../support/vm-differences.ts';

const CALLED: Hex = '0x000000000000000000000000000000000000ca11';
const SUB: Hex = '0x0000000000000000000000000000000000000005';
const OTHER: Hex = '0x000000000000000000000000000000000000beef';
const sent: Hex[] = [];
let rust: TestNode;

beforeAll(async () => {
  rust = await launch(genesisText(GENERATED_SCHEDULE, contracts(2)), { flavour: 'rust' });
  for await (const { signed } of generatedBlocks(rust, { seed: 5, count: 40, perBlock: 20 }))
    sent.push(...signed.map((raw) => keccak256(raw)));
});
afterAll(() => rust[Symbol.asyncDispose]());

async function traced(code: Hex, other: Hex = '0x'): Promise<ShownVmTrace> {
  const overrides = { [CALLED]: { code }, [OTHER]: { code: other } };
  const call = { from: ACCOUNTS[0]!.address, to: CALLED, gas: '0x30d40' };
  return (await rust.rpc.call<{ vmTrace: ShownVmTrace }>('trace_call', [call, ['vmTrace'], 'latest', overrides]))
    .vmTrace;
}

const word = (hex: string): Hex => `0x${hex.padStart(64, '0')}`;
/** Gas after the intrinsic gas. */
const GAS = 200_000 - 21_000;

const NO_MEMORY = { off: 0, data: '0x' };

describe('an instruction in a VM trace has, as in op-reth,', () => {
  const effectOf = async (code: Hex, op: string, other?: Hex) =>
    (await traced(code, other)).ops.find((instruction) => instruction.op === op)!.ex;

  test('its program counter, cost, the gas before it and the words that it pushes', async () => {
    expect(await traced('0x602a5f00')).toEqual({
      code: '0x602a5f00',
      ops: [
        { pc: 0, op: 'PUSH1', cost: 3, ex: { push: ['0x2a'], mem: NO_MEMORY, store: null, used: GAS }, sub: null },
        { pc: 2, op: 'PUSH0', cost: 2, ex: { push: ['0x0'], mem: NO_MEMORY, store: null, used: GAS - 3 }, sub: null },
        { pc: 3, op: 'STOP', cost: 0, ex: { push: [], mem: NO_MEMORY, store: null, used: GAS - 5 }, sub: null },
      ],
    });
  });

  test.each<[string, string, Hex, Hex[]]>([
    ['all that DUP touches', 'DUP2', '0x60016002815000', ['0x1', '0x2', '0x1']],
    ['all that SWAP touches', 'SWAP1', '0x600160029000', ['0x2', '0x1']],
    ['nothing of a POP', 'POP', '0x60015000', []],
    ['a success of CALL', 'CALL', '0x5f5f5f5f5f61beef5af100', ['0x1']],
    ['a failure of CALL', 'CALL', '0x5f5f5f5f5f61beef5ff100', ['0x0']],
  ])('%s as push', async (_, op, code, push) => {
    expect((await effectOf(code, op, '0x6001600101')).push).toEqual(push);
  });

  test('the whole memory before it, at an offset of its length', async () => {
    const { ops } = await traced('0x602a602052600760005360005100');
    expect(ops.map(({ op, ex }) => [op, ex.mem])).toEqual([
      ['PUSH1', NO_MEMORY],
      ['PUSH1', NO_MEMORY],
      ['MSTORE', NO_MEMORY],
      ['PUSH1', { off: 64, data: word('2a').replace('0x', word('0')) }],
      ['PUSH1', { off: 64, data: word('2a').replace('0x', word('0')) }],
      ['MSTORE8', { off: 64, data: word('2a').replace('0x', word('0')) }],
      ['PUSH1', { off: 64, data: `0x07${'00'.repeat(31)}${word('2a').slice(2)}` }],
      ['MLOAD', { off: 64, data: `0x07${'00'.repeat(31)}${word('2a').slice(2)}` }],
      ['STOP', { off: 64, data: `0x07${'00'.repeat(31)}${word('2a').slice(2)}` }],
    ]);
  });

  test('the slot and the value of SSTORE', async () => {
    expect((await effectOf('0x600960045500', 'SSTORE')).store).toEqual({ key: '0x4', val: '0x9' });
  });

  test('no effect when it failed', async () => {
    expect(await effectOf('0xfe', 'INVALID')).toEqual({ push: [], mem: NO_MEMORY, store: null, used: GAS });
    expect(await effectOf('0x600101', 'ADD')).toEqual({ push: [], mem: NO_MEMORY, store: null, used: GAS - 3 });
    expect(await effectOf('0x5f5ffd', 'REVERT')).toEqual({ push: [], mem: NO_MEMORY, store: null, used: GAS - 4 });
  });
});

test('a call contains the instructions of its code, a creation those of its init code', async () => {
  const call = (await traced('0x5f5f5f5f5f61beef61fffff100', '0x600100')).ops.find(({ op }) => op === 'CALL')!;
  expect(call.sub).toMatchObject({
    code: '0x600100',
    ops: [
      { op: 'PUSH1', ex: { used: 0xffff } },
      { op: 'STOP', ex: { used: 0xffff - 3 } },
    ],
  });
  expect(call.cost).toBe(2600 + 0xffff);
  const create = (await traced(('0x600035' + '5f526003601d5ff000') as Hex)).ops.find(({ op }) => op === 'CREATE')!;
  expect(create.sub!.code).toBe('0x000000');
  const precompile = (await traced(`0x5f5f5f5f5f73${SUB.slice(2)}5af100`)).ops.find(({ op }) => op === 'CALL')!;
  expect(precompile.sub).toBeNull();
  const nobody = (await traced('0x5f5f5f5f5f61beee5af100')).ops.find(({ op }) => op === 'CALL')!;
  expect(nobody.sub).toEqual({ code: '0x', ops: [] });
});

interface StructLog {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
  readonly error?: string;
  readonly stack: readonly Hex[];
  readonly memory: readonly Hex[];
}

/** Yields instructions in the order of execution. */
function* inOrder(trace: ShownVmTrace, depth = 1): Generator<[ShownInstruction, depth: number]> {
  for (const instruction of trace.ops) {
    yield [instruction, depth];
    if (instruction.sub !== null) yield* inOrder(instruction.sub, depth + 1);
  }
}

test('the instructions match those of the struct logger: program counters, costs, gas, pushes and memory', async () => {
  let compared = 0;
  for (const hash of sent) {
    const { structLogs } = await rust.rpc.call<{ structLogs: StructLog[] }>('debug_traceTransaction', [
      hash,
      { enableMemory: true },
    ]);
    const { vmTrace } = await rust.rpc.call<{ vmTrace: ShownVmTrace }>('trace_replayTransaction', [hash, ['vmTrace']]);
    let at = 0;
    for (const [{ pc, op, cost, ex }, depth] of inOrder(vmTrace)) {
      const log = structLogs[at]!;
      expect([pc, op, depth, ex.used]).toEqual([log.pc, log.op, log.depth, log.gas]);
      expect(cost, log.op).toBe(log.gasCost);
      expect(ex.mem.data, `memory before ${log.op}`).toBe(`0x${log.memory.map((text) => text.slice(2)).join('')}`);
      expect(ex.mem.off).toBe(32 * log.memory.length);
      const next = structLogs.slice(at + 1).find((later) => later.depth <= log.depth);
      if (next?.depth === log.depth)
        expect(next.stack.slice(next.stack.length - ex.push.length), `push of ${log.op}`).toEqual(ex.push);
      at++;
    }
    expect(structLogs).toHaveLength(at);
    compared += at;
  }
  expect(compared).toBeGreaterThan(1000);
});
