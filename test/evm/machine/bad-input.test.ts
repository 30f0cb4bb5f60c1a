import { beforeAll, describe, expect, it } from 'vitest';
import { Evm } from '../../../src/evm/machine/evm.ts';
import { EvmInstance } from '../../../src/evm/machine/instance.ts';
import type { EvmState } from '../../../src/evm/machine/state.ts';
import { prepareCrypto } from '../../../src/nodes/execution/evm/crypto.ts';
import type { EvmLevel } from '../../../src/protocol/rules/evm-level.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { type Case, CONTRACTS, PRECOMPILES } from '../differential/case.ts';
import { caseOf } from '../differential/compare.ts';
import { runLibrary } from '../differential/library.ts';
import { runOurs } from '../differential/ours.ts';
import { bytesOf } from '../support/code.ts';
import { CONTEXT, SENDER } from '../support/context.ts';
import { MemoryState, type PlainAccount } from '../support/memory-state.ts';
import { evmModule } from '../support/module.ts';

const [FIRST, SECOND] = CONTRACTS.map((at) => at.slice(2)) as [string, string];
const IDENTITY = [...PRECOMPILES.keys()][1]!.slice(2);
const MIB = 2 ** 20;

interface BadInput {
  readonly codes: readonly string[];
  readonly gas: bigint;
  /** MiB of linear memory that frames may take. */
  readonly most?: number;
  readonly level?: EvmLevel;
}

/** Calls an account without value and with all gas, and drops the result. `input`: size and offset of the input. */
const call = (to: string, input = '60006000') => `60006000${input}600073${to}5af150`;
/** Runs code for i from `count` down to 1, which stands on the stack. */
const times = (count: number, code: string) => `61${count.toString(16).padStart(4, '0')}5b${code}600190038060035700`;
const storeByteAt = (offset: bigint) => `60017f${offset.toString(16).padStart(64, '0')}5300`;
const SECOND_STORES_BYTE = '60016000355300';

const INPUTS: Readonly<Record<string, BadInput>> = {
  '24 kB of JUMPDESTs': { codes: [`${'5b'.repeat(0x5fff)}00`], gas: 30_000n },
  'a jump over 24 kB of JUMPDESTs': { codes: [`61600056${'5b'.repeat(0x6000 - 3)}00`], gas: 30_000n },
  'a jump into the data of the last PUSH32': { codes: [`61600056${'7f'.repeat(0x6000)}`], gas: 30_000n },
  'a megabyte of initcode, which paris does not limit': {
    ...{ codes: ['620fffff6000600039620fffff60006000f000'], gas: 30_000_000n, most: 32, level: 'paris' },
  },
  'calls inside calls until the depth ends': {
    codes: ['60006000600060006000305af16017576000546001016000555b00'],
    ...{ gas: 10n ** 12n, most: 8 },
  },
  'creations inside creations until the depth ends': {
    ...{ codes: ['3860006000393860006000f000'], gas: 10n ** 13n, most: 8 },
  },
  'memory of almost all gas': { codes: [storeByteAt(0x3c_0000n)], gas: 30_000_000n },
  'memory of more than all gas': { codes: [storeByteAt(0x3c_4000n)], gas: 30_000_000n, most: 0 },
  'memory at the ends of numbers': {
    codes: [
      [31n, 32n, 63n, 64n, 255n, 256n]
        .flatMap((bits) => [2n ** bits - 33n, 2n ** bits - 1n])
        .map((offset) => `7f${offset.toString(16).padStart(64, '0')}600052${call(SECOND, '60206000')}`)
        .join(''),
      SECOND_STORES_BYTE,
    ],
    ...{ gas: 10n ** 9n, most: 1 },
  },
  '64 kB of memory in each of the calls inside calls': {
    codes: [`600161ffff53${call(FIRST)}`],
    ...{ gas: 30_000_000n, most: 64 },
  },
  'a hundred megabytes of return data': { codes: [times(100, call(SECOND)), '621000006000f3'], gas: 300_000_000n },
  'a hundred megabytes of reverts': { codes: [times(100, call(SECOND)), '621000006000fd'], gas: 300_000_000n },
  'copies of return data beyond its end': {
    codes: [times(20, call(SECOND)), `${call(IDENTITY, '60206000')}3d60010160006000${'3e00'}`],
    gas: 10_000_000n,
  },
  'copies of a megabyte of code, calldata and foreign code': {
    codes: ['621000006000600039' + '621000006000600037' + `621000006000600073${SECOND}3c00`, '00'],
    gas: 30_000_000n,
  },
  'hashes and logs of megabytes': { codes: ['621000006000205062100000' + '6000a000'], gas: 30_000_000n },
  'a megabyte for precompiles': {
    codes: [[...PRECOMPILES.keys()].map((at) => call(at.slice(2), '621000006000')).join('')],
    gas: 30_000_000n,
  },
  'hundreds of creations': { codes: [times(300, '600060006000f050')], gas: 30_000_000n },
};

function caseFor({ codes, gas, level = 'osaka' }: BadInput): Case {
  const account = (balance: bigint, code: string): PlainAccount => ({
    ...{ balance, nonce: 1n, code: bytesOf(code), storage: new Map() },
  });
  const accounts = new Map<Hex, PlainAccount>([
    [SENDER, account(10n ** 18n, '')],
    ...CONTRACTS.map((at, index): [Hex, PlainAccount] => [at, account(0n, codes[index] ?? '')]),
  ]);
  return { level, accounts, data: new Uint8Array(), value: 0n, gas };
}

const instance = () => new EvmInstance(evmModule());

/** Begins a case and leaves it after some slices, as a call whose time is over. */
function abandon(each: Case, slices: number, on: EvmInstance, state: EvmState = new MemoryState(each.accounts)): void {
  const evm = new Evm({ instance: on, level: each.level, state, context: CONTEXT, precompiles: PRECOMPILES });
  evm.begin({ caller: SENDER, to: CONTRACTS[0]!, value: 0n, data: each.data, gas: each.gas });
  for (let slice = 0; slice < slices; slice++) if (evm.step(2000n) !== undefined) return;
}

beforeAll(prepareCrypto);

describe.each(Object.entries(INPUTS))('%s', (_, input) => {
  const each = caseFor(input);

  it('end as in the EVM library, in one run and in slices', async () => {
    const expected = await runLibrary(each);
    const on = instance();
    expect(runOurs(each, undefined, on)).toEqual(expected);
    expect(runOurs(each, 10_000n, on)).toEqual(expected);
    expect((on.bytes.length - on.layout.ARENA) / MIB).toBeLessThanOrEqual(1 + (input.most ?? 5));
  });

  it('leave the instance to the next transaction when they are left at any moment', () => {
    const on = instance();
    const next = caseOf(11);
    const expected = runOurs(next, undefined, instance());
    for (const slices of [1, 2, 5, 20, 100]) {
      abandon(each, slices, on);
      expect(runOurs(next, undefined, on)).toEqual(expected);
    }
  });
});

describe('creations', () => {
  it('cost as much each, ten thousand in one transaction, as some do in the EVM library', async () => {
    const creations = (count: number) => caseFor({ codes: [times(count, '600060006000f050')], gas: 400_000_000n });
    const [ten, twenty] = [await runLibrary(creations(10)), await runLibrary(creations(20))];
    const one = (ten.gasLeft - twenty.gasLeft) / 10n;
    const { outcome, gasLeft, accounts } = runOurs(creations(10_000));
    expect([outcome, gasLeft]).toEqual(['success', ten.gasLeft - 9990n * one]);
    expect(accounts.length).toBe(10_004);
  });
});

describe('a host', () => {
  const READS: Readonly<Record<string, readonly [keyof EvmState, string]>> = {
    SLOAD: ['storage', '600154'],
    BALANCE: ['balance', '3031'],
    EXTCODESIZE: ['code', '303b'],
    EXTCODEHASH: ['codeHash', '303f'],
    EXTCODECOPY: ['code', '600160006000303c'],
    SSTORE: ['storage', '6001600155'],
    CALL: ['isEmpty', `6000600060006000600173${SECOND}5af1`],
    CREATE: ['setNonce', '600060006000f0'],
    SELFDESTRUCT: ['destroy', '30ff'],
  };

  it.each(Object.entries(READS))(
    'that throws at %s ends the run, and the instance runs the next transaction',
    (...row) => {
      const [method, code] = row[1];
      const each = { ...caseFor({ codes: [`6001600255${code}00`], gas: 1_000_000n }), level: 'paris' as const };
      const state = new MemoryState(each.accounts);
      const on = instance();
      const next = caseOf(11);
      const expected = runOurs(next, undefined, instance());
      let reads = 0;
      const failing = new Proxy(state, {
        get(target, key) {
          const value = Reflect.get(target, key);
          if (typeof value !== 'function') return value;
          return (...operands: readonly unknown[]) => {
            // The slot that the code writes first is here.
            if (key === method && (method !== 'storage' || ++reads > 1)) throw new Error('not here');
            return Reflect.apply(value, target, operands);
          };
        },
      });
      expect(() => abandon(each, 1000, on, failing)).toThrow('not here');
      expect(runOurs(next, undefined, on)).toEqual(expected);
    },
  );
});
