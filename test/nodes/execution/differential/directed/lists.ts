import { CALLEE, INITS } from './changes.ts';
import { type Action, type End, frame, type Program, program } from './program.ts';

const store = (slot: number, value: bigint): Action => ({ do: 'store', slot, value });
const clear = (...slots: readonly number[]): Action[] => slots.map((slot) => store(slot, 0n));
const call = (index: number, by: 'call' | 'delegatecall' = 'call'): Action => ({
  ...{ do: 'call', by, to: 'B', frame: index, gas: 400_000 },
});

const LISTS: readonly Program['accessList'][] = [
  [],
  [{ of: 'A', slots: [0, 2] }],
  [{ of: 'B', slots: [] }],
  [{ of: 'B', slots: [0, 0, 1] }],
  [
    { of: 'B', slots: [0] },
    { of: 'B', slots: [1] },
    { of: 'E', slots: [] },
  ],
  [{ of: 'X', slots: [0] }],
  [{ of: 4, slots: [1] }],
  [
    { of: 'coinbase', slots: [] },
    { of: 'S', slots: [0] },
  ],
];

const ENDS: readonly End[] = ['stop', 'revert', 'out of gas'];

/** Refunds that frames earn and lose: cleared slots, slots that are set again, and slots of the transaction. */
const REFUNDS: Readonly<Record<string, readonly Action[]>> = {
  'one slot cleared': clear(0),
  'two slots cleared': clear(0, 1),
  'a slot cleared in an inner frame': [call(0)],
  'a slot cleared here and set in an inner frame': [...clear(0), call(1, 'delegatecall')],
  'a slot set in an inner frame that reverts': [...clear(0), call(2, 'delegatecall')],
  'a slot cleared in an inner frame that reverts': [call(3, 'delegatecall'), store(0, 4n)],
  'a slot set and cleared': [store(2, 1n), ...clear(2)],
  'a slot set and cleared in an inner frame': [store(2, 1n), call(4, 'delegatecall')],
  'the word of a slot restored': [store(0, 1n), store(0, 5n)],
  'a slot cleared, set and restored': [...clear(0), store(0, 1n), store(0, 5n)],
  'slots cleared in several contracts': [...clear(0, 1), call(0), { do: 'call', by: 'call', to: 'C', frame: 0 }],
};

/** Makes programs that cross access lists and refunds with the ends of frames (EIP-2929, 2930, 3529). */
export function* accessListsAndRefunds(): Generator<Program> {
  const B = [
    frame([...clear(0, 1), { do: 'load', slot: 2 }]),
    frame([store(0, 3n)]),
    frame([store(0, 3n)], 'revert'),
    frame(clear(0, 1), 'revert'),
    frame(clear(2)),
  ];
  for (const [title, actions] of Object.entries(REFUNDS))
    for (const [at, accessList] of LISTS.entries())
      for (const end of ENDS)
        yield program(
          `${title}, access list ${at}, ends with ${String(end)}`,
          frame([...actions, { do: 'read', what: 'balance', of: 'E' }, { do: 'load', slot: 2 }], end),
          { contracts: { A: [], B, C: CALLEE }, inits: INITS, accessList: accessList! },
        );
  // The least gas of a transfer, and the floor of calldata (EIP-7623).
  for (const gas of [21_000, 21_001, 21_608, 21_609, 22_000])
    for (const to of ['E', 'X', 'A'] as const)
      yield program(`${gas} gas for ${to}`, frame(clear(0)), { to, gas, value: 1n });
}
