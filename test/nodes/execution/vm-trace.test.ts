import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keccak256 } from '../../../src/protocol/hash.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { ACCOUNTS } from './support/accounts.ts';
import { GENERATED_SCHEDULE, generatedBlocks } from './support/generated-blocks.ts';
import { genesisText } from './support/genesis.ts';
import { launch, type TestNode } from './support/nodes.ts';
import { contracts } from './support/programs.ts';
import { type ShownInstruction, type ShownVmTrace, ToldMemory } from './support/vm-differences.ts';

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
/** Gas behind the intrinsic gas. */
const GAS = 200_000 - 21_000;

describe('an instruction is shown with what it did:', () => {
  const effectOf = async (code: Hex, op: string, other?: Hex) =>
    (await traced(code, other)).ops.find((instruction) => instruction.op === op)!;

  test('its place, cost, the gas left and what it pushes', async () => {
    expect(await traced('0x602a5f00')).toEqual({
      code: '0x602a5f00',
      ops: [
        { pc: 0, op: 'PUSH1', cost: 3, ex: { push: ['0x2a'], mem: null, store: null, used: GAS - 3 }, sub: null },
        { pc: 2, op: 'PUSH0', cost: 2, ex: { push: ['0x0'], mem: null, store: null, used: GAS - 5 }, sub: null },
        { pc: 3, op: 'STOP', cost: 0, ex: { push: [], mem: null, store: null, used: GAS - 5 }, sub: null },
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
    expect((await effectOf(code, op, '0x6001600101')).ex!.push).toEqual(push);
  });

  test.each<[string, string, Hex, { off: number; data: Hex } | null]>([
    ['MSTORE', 'MSTORE', '0x602a60205200', { off: 32, data: word('2a') }],
    ['MSTORE8', 'MSTORE8', '0x602a60075300', { off: 7, data: '0x2a' }],
    ['CODECOPY', 'CODECOPY', '0x60025f60013900', { off: 1, data: '0x6002' }],
    ['MCOPY', 'MCOPY', '0x602a5f53600160006005' + '5e00', { off: 5, data: '0x2a' }],
    ['a copy of nothing', 'CODECOPY', '0x5f5f60013900', null],
    ['what a call answers', 'CALL', '0x6020' + '60045f5f5f61beef5af100', { off: 4, data: word('7') }],
    ['no reader of memory', 'MLOAD', '0x5f5100', null],
  ] as [string, string, Hex, { off: number; data: Hex } | null][])('memory of %s', async (_, op, code, mem) => {
    expect((await effectOf(code, op, '0x60075f5260205ff3')).ex!.mem).toEqual(mem);
  });

  test('what SSTORE stores', async () => {
    expect((await effectOf(('0x6009600455' + '00') as Hex, 'SSTORE')).ex!.store).toEqual({ key: '0x4', val: '0x9' });
  });

  test('nothing where it failed, its end where it reverts', async () => {
    expect((await effectOf('0xfe', 'INVALID')).ex).toBeNull();
    expect((await effectOf('0x01', 'ADD')).ex).toBeNull();
    expect((await effectOf('0x5f5ffd', 'REVERT')).ex).toEqual({ push: [], mem: null, store: null, used: GAS - 4 });
  });
});

test('a call holds the instructions of the code that it runs, a creation those of its init code', async () => {
  const call = (await traced('0x5f5f5f5f5f61beef61fffff100', '0x600100')).ops.find(({ op }) => op === 'CALL')!;
  expect(call.sub).toMatchObject({
    code: '0x600100',
    ops: [{ op: 'PUSH1', ex: { used: 0xffff - 3 } }, { op: 'STOP' }],
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

/** Instructions in the order in which they ran, each with the memory of its frame before it. */
function* inOrder(trace: ShownVmTrace, depth = 1): Generator<[ShownInstruction, depth: number, ToldMemory]> {
  const memory = new ToldMemory();
  for (const instruction of trace.ops) {
    yield [instruction, depth, memory];
    if (instruction.sub !== null) yield* inOrder(instruction.sub, depth + 1);
    memory.apply(instruction.ex?.mem);
  }
}

test('the instructions are those of the struct logger: places, costs, gas, pushes and every change of memory', async () => {
  let compared = 0;
  for (const hash of sent) {
    const { structLogs } = await rust.rpc.call<{ structLogs: StructLog[] }>('debug_traceTransaction', [
      hash,
      { enableMemory: true },
    ]);
    const { vmTrace } = await rust.rpc.call<{ vmTrace: ShownVmTrace }>('trace_replayTransaction', [hash, ['vmTrace']]);
    let at = 0;
    for (const [instruction, depth, memory] of inOrder(vmTrace)) {
      const log = structLogs[at]!;
      expect([instruction.pc, instruction.op, depth]).toEqual([log.pc, log.op, log.depth]);
      if (!log.op.startsWith('CREATE')) expect(instruction.cost, log.op).toBe(log.gasCost);
      expect(memory.is(`0x${log.memory.map((text) => text.slice(2)).join('')}`), `memory before ${log.op}`).toBe(true);
      const next = structLogs.slice(at + 1).find((later) => later.depth <= log.depth);
      if (next?.depth === log.depth && instruction.ex !== null) {
        expect(instruction.ex.used).toBe(next.gas);
        expect(next.stack.slice(next.stack.length - instruction.ex.push.length)).toEqual(instruction.ex.push);
      }
      at++;
    }
    expect(structLogs).toHaveLength(at);
    compared += at;
  }
  expect(compared).toBeGreaterThan(1000);
});
