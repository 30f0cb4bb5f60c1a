import { describe, expect, it } from 'vitest';
import { Evm } from '../../../src/evm/machine/evm.ts';
import type { Message, Precompile } from '../../../src/evm/machine/state.ts';
import type { EvmLevel } from '../../../src/protocol/rules/evm-level.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { bytesOf } from '../support/code.ts';
import { address, CONTEXT, SENDER } from '../support/context.ts';
import { MemoryState, type PlainAccount } from '../support/memory-state.ts';
import { evmInstance } from '../support/module.ts';
import { changedBy } from '../support/slots.ts';

const A = address('aaaa');
const B = address('bbbb');

/** A state with an account for the sender, and with codes. */
function stateOf(codes: Readonly<Record<Hex, string>>): MemoryState {
  const sender: PlainAccount = { balance: 10n ** 18n, nonce: 3n, code: new Uint8Array(), storage: new Map() };
  const accounts = Object.entries(codes).map(([at, code]): [Hex, PlainAccount] => [
    at as Hex,
    { balance: 0n, nonce: 1n, code: bytesOf(code), storage: new Map() },
  ]);
  return new MemoryState(new Map([[SENDER, sender], ...accounts]));
}

function evmOf(state: MemoryState, level: EvmLevel = 'osaka', precompiles = new Map<Hex, Precompile>()): Evm {
  return new Evm({ instance: evmInstance(), level, state, context: CONTEXT, precompiles });
}

function run(state: MemoryState, message: Partial<Message> = {}, level: EvmLevel = 'osaka') {
  const evm = evmOf(state, level);
  evm.begin({ caller: SENDER, to: A, value: 0n, data: new Uint8Array(), gas: 1_000_000n, ...message });
  const result = evm.step();
  if (result === undefined) throw new Error('a run without a slice has a result');
  return { ...result, slots: changedBy(evm) };
}

const create = (initcode: string) => ({ caller: SENDER, value: 0n, data: bytesOf(initcode), gas: 1_000_000n });

/** Creates a contract by a message. */
function creation(initcode: string, level: EvmLevel = 'osaka', state = stateOf({})) {
  const evm = evmOf(state, level);
  evm.begin(create(initcode));
  return { result: evm.step()!, state };
}

describe('messages', () => {
  it('a call moves its value and returns what the code returns', () => {
    const state = stateOf({ [A]: '602a60005260206000f3' });
    const { outcome, output } = run(state, { value: 7n });
    expect([outcome, BigInt(`0x${Buffer.from(output).toString('hex')}`)]).toEqual(['success', 42n]);
    expect(state.balance(A)).toBe(7n);
  });

  it('a call that reverts moves nothing back but its gas and its data', () => {
    const state = stateOf({ [A]: '6001600055600160005d60206000fd' });
    const { outcome, output, gasLeft, slots, logs } = run(state, { value: 7n });
    expect([outcome, output.length, state.balance(A), slots.length, logs.length]).toEqual(['revert', 32, 0n, 0, 0]);
    expect(gasLeft > 900_000n).toBe(true);
  });

  it('an exceptional halt uses all gas', () => {
    expect(run(stateOf({ [A]: 'fe' }))).toMatchObject({ outcome: 'invalid opcode', gasLeft: 0n });
  });

  it('recursion ends at 1,024 calls inside each other, and its memory goes with it', () => {
    // A calls itself with all gas, and counts in slot 0 when a call fails.
    const code = '60006000600060006000305af16017576000546001016000555b00';
    const { outcome, slots } = run(stateOf({ [A]: code }), { gas: 10n ** 15n });
    expect([outcome, slots.map(({ value }) => value)]).toEqual(['success', [1n]]);
  });

  it('a creation stores its code for 200 gas a byte, and its address comes from the nonce', () => {
    const { result, state } = creation('6001600c60003960016000f300');
    expect(result).toMatchObject({ outcome: 'success', created: expect.stringMatching(/^0x[0-9a-f]{40}$/) });
    expect([...state.code(result.created!)]).toEqual([0]);
    expect([state.nonce(SENDER), state.nonce(result.created!)]).toEqual([3n, 1n]);
    expect(1_000_000n - result.gasLeft).toBe(3n * 5n + 3n + 3n + 3n + 200n);
  });

  it.each([
    ['too much code', '6160016000f3', 'code too large'],
    ['code of 0xef', '60ef60005360016000f3', 'code begins with 0xef'],
    ['a revert', '60006000fd', 'revert'],
    ['a revert with data of 0xef', '60ef60005360016000fd', 'revert'],
  ])('a creation with %s makes no contract', (_, initcode, outcome) => {
    const { result, state } = creation(initcode);
    expect([result.outcome, result.created]).toEqual([outcome, undefined]);
    expect([state.nonce(SENDER), state.accounts.size]).toEqual([3n, 1]);
  });

  it('a creation at an address with a nonce, with code or with storage is a collision', () => {
    const made = creation('00').result.created!;
    const taken = [
      { balance: 0n, nonce: 1n, code: new Uint8Array(), storage: new Map() },
      { balance: 0n, nonce: 0n, code: Uint8Array.of(0), storage: new Map() },
      { balance: 0n, nonce: 0n, code: new Uint8Array(), storage: new Map([[`0x${'00'.repeat(32)}` as Hex, 1n]]) },
    ];
    for (const account of taken) {
      const accounts = new Map([...stateOf({}).accounts, [made, account]]);
      const { result } = creation('00', 'osaka', new MemoryState(accounts));
      expect(result).toMatchObject({ outcome: 'contract address collision', gasLeft: 0n });
    }
  });

  it.each([
    ['paris', 'success'],
    ['shanghai', 'initcode too large'],
  ] as const)('CREATE of 49,153 bytes at %s ends with %s', (level, outcome) => {
    expect(run(stateOf({ [A]: '61c00160006000f000' }), {}, level).outcome).toBe(outcome);
  });

  it('an account runs the code of its delegate from prague on', () => {
    const state = () => stateOf({ [A]: `ef0100${B.slice(2)}`, [B]: '3060005260206000f3' });
    const { output } = run(state(), {}, 'prague');
    expect(`0x${Buffer.from(output.subarray(12)).toString('hex')}`).toBe(A);
    expect(run(state(), {}, 'cancun').outcome).toBe('invalid opcode');
  });

  it.each([
    ['shanghai', [A]],
    ['cancun', []],
  ] as const)('SELFDESTRUCT of an account that was there at %s removes %j', (level, removed) => {
    const state = stateOf({ [A]: `73${B.slice(2)}ff` });
    run(state, { value: 9n }, level);
    expect([[...state.destroyed], state.balance(A), state.balance(B)]).toEqual([removed, 0n, 9n]);
  });
});

describe('a call that fails', () => {
  const delegateTo = (at: Hex) => `600060006000600073${at.slice(2)}5af4`;
  const SET_6 = '6006600055';
  const FAIL = '60006000fd';

  it.each([
    ['is set by the call alone', `${delegateTo(B)}00`, `${SET_6}${FAIL}`, 0n],
    ['was set before', `6005600055${delegateTo(B)}00`, `${SET_6}${FAIL}`, 5n],
    ['is set before and behind it', `6005600055${delegateTo(B)}600960005500`, `${SET_6}${FAIL}`, 9n],
    ['is set twice by the call', `6005600055${delegateTo(B)}00`, `${SET_6}6007600055${FAIL}`, 5n],
  ])('leaves a slot as it was when it %s', (_, outer, inner, value) => {
    const { outcome, slots } = run(stateOf({ [A]: outer, [B]: inner }));
    expect([outcome, slots[0]?.value ?? 0n]).toEqual(['success', value]);
  });

  it('takes back transient slots, logs, balances, refunds, warm addresses and slots', () => {
    // B: tstore(0, 1), log0, sload(7), balance(0xee), send 1 wei to the caller, sstore(1, 0), revert
    const inner = `600160005d60006000a060075450600160ee31505060006000600060006001335af150600060015560006000fd`;
    const outer = `6001600155${delegateTo(B)}60005c60075460ee31600154`;
    const state = stateOf({ [A]: `${outer}60005260005260005260005260806000f3`, [B]: inner });
    const before = run(stateOf({ [A]: `${outer}60005260005260005260005260806000f3`, [B]: FAIL }));
    const after = run(state, { value: 1n });
    expect([after.outcome, after.logs, after.refund]).toEqual(['success', [], before.refund]);
    expect(after.output).toEqual(before.output);
  });
});

describe('a precompile', () => {
  /** Calls the precompile with 65,535 gas and returns the word that it wrote. */
  const CALLER = '60206000600060006000620ada5561fffff15060206000f3';

  /** Runs a call of a precompile by a contract, and waits for what it has to load. */
  async function called(precompile: Precompile, code = CALLER) {
    const state = stateOf({ [A]: code });
    const evm = evmOf(state, 'osaka', new Map([[address('ada55'), precompile]]));
    evm.begin({ caller: SENDER, to: A, value: 0n, data: new Uint8Array(), gas: 1_000_000n });
    let result = evm.step();
    const waits = evm.pending !== undefined;
    await evm.pending;
    result ??= evm.step();
    return { waits, result };
  }

  const seven = { output: new Uint8Array(32).fill(7), gasUsed: 100n };

  it('that has something to load first ends as one that has not', async () => {
    const now = await called(() => seven);
    const later = await called(async () => seven);
    expect([now.waits, later.waits]).toEqual([false, true]);
    expect(later.result).toEqual(now.result);
    expect(now.result).toMatchObject({ outcome: 'success' });
  });

  it('that takes steps ends as one that takes none, in one run and in slices', async () => {
    function* stepped() {
      for (let step = 0; step < 5; step++) yield;
      return seven;
    }
    const now = await called(() => seven);
    expect((await called(stepped)).result).toEqual(now.result);
    const evm = evmOf(stateOf({ [A]: CALLER }), 'osaka', new Map([[address('ada55'), stepped]]));
    evm.begin({ caller: SENDER, to: A, value: 0n, data: new Uint8Array(), gas: 1_000_000n });
    let slices = 0;
    for (; ; slices++) {
      const result = evm.step(500_000n);
      if (result === undefined) continue;
      expect(result).toEqual(now.result);
      break;
    }
    expect(slices).toBe(6);
  });

  it('that fails uses the gas of its call, and the caller goes on', async () => {
    const failed = await called(() => ({ failure: 'point is not on curve' }));
    const { result } = await called(() => seven);
    expect(failed.result).toMatchObject({ outcome: 'success' });
    expect(result!.gasLeft - failed.result!.gasLeft).toBe(0xffffn - 100n);
  });

  it('that the message itself calls says why it failed', () => {
    const precompiles = new Map<Hex, Precompile>([[A, () => ({ failure: 'point is not on curve' })]]);
    const evm = evmOf(stateOf({}), 'osaka', precompiles);
    evm.begin({ caller: SENDER, to: A, value: 0n, data: new Uint8Array(), gas: 5000n });
    expect(evm.step()).toMatchObject({ outcome: 'precompile failed', reason: 'point is not on curve', gasLeft: 0n });
  });
});

describe('a slice', () => {
  it('ends also among calls that use little gas each', () => {
    // for ever: call(gas, B, 0, 0, 0, 0, 0)
    const code = `5b6000600060006000600073${B.slice(2)}5af150600056`;
    const evm = evmOf(stateOf({ [A]: code, [B]: '00' }));
    evm.begin({ caller: SENDER, to: A, value: 0n, data: new Uint8Array(), gas: 100_000_000n });
    for (let slice = 0; slice < 10; slice++) expect(evm.step(50_000n)).toBeUndefined();
  });
});

describe('what a message accesses', () => {
  it('holds addresses and slots, those of a reverted call too', () => {
    // B: sload(7), balance(0xee), revert
    const inner = '60075460ee3160006000fd';
    const evm = evmOf(stateOf({ [A]: `600060006000600073${B.slice(2)}5afa60095400`, [B]: inner }));
    evm.begin({ caller: SENDER, to: A, value: 0n, data: new Uint8Array(), gas: 1_000_000n });
    evm.step();
    expect([...evm.accounts()]).toEqual(expect.arrayContaining([A, B, address('ee')]));
    expect([...evm.slots()]).toEqual([
      { address: B, slot: 7n },
      { address: A, slot: 9n },
    ]);
  });

  it('holds the contracts that it makes or tries to make', () => {
    const evm = evmOf(stateOf({ [A]: '600060006000f060fd600053600160006000f000' }));
    evm.begin({ caller: SENDER, to: A, value: 0n, data: new Uint8Array(), gas: 1_000_000n });
    evm.step();
    expect(evm.newContracts.size).toBe(2);
  });
});
