import type { EvmLevel } from '../../../../../src/protocol/rules/rules.ts';
import { atLevel } from '../level.ts';
import { type Action, type End, type Frame, frame } from './program.ts';

/** A kind of change to the state, with what precedes it in the outermost frame. */
export interface Change {
  readonly title: string;
  readonly before?: readonly Action[];
  readonly actions: readonly Action[];
  /** End of the frame that changes, where it succeeds. */
  readonly end?: End;
}

const store = (slot: number, value: bigint): Action => ({ do: 'store', slot, value });
const load = (slot: number): Action => ({ do: 'load', slot });

/** Indices of {@link INITS}. */
const [DEPLOYS, DESTROYS, EMPTY] = [0, 1, 2];

/** Init code that the changes create with. */
export const INITS: readonly Frame[] = [
  frame([store(0, 1n), load(0)], { deploy: '0x6001600055' }),
  frame([store(0, 1n)], { destroyTo: 'E' }),
  frame([]),
];

/** Code of C, which the changes call: it clears two slots, or destroys itself. */
export const CALLEE: readonly Frame[] = [
  frame([store(0, 0n), store(1, 0n), store(2, 3n)], 'return'),
  frame([store(2, 4n)], { destroyTo: 'E' }),
  frame([], { destroyTo: 'C' }),
  frame([], { destroyTo: 'X' }),
  frame([load(0), load(2), { do: 'log', topics: 1 }], 'return'),
];

const CHANGES: readonly Change[] = [
  { title: 'the first write to an empty slot', actions: [store(2, 1n)] },
  { title: 'the first write to a slot with a word', actions: [store(0, 1n)] },
  { title: 'a second write to a slot', before: [store(0, 1n)], actions: [store(0, 2n)] },
  { title: 'a write that restores a word', before: [store(0, 1n)], actions: [store(0, 5n)] },
  { title: 'a write of the word that is there', actions: [store(0, 5n)] },
  { title: 'a cleared slot', actions: [store(0, 0n)] },
  { title: 'a slot cleared and written', actions: [store(0, 0n), store(0, 5n)] },
  { title: 'a write to a slot that was cleared', before: [store(0, 0n)], actions: [store(0, 7n)] },
  { title: 'a new slot cleared again', before: [store(2, 1n)], actions: [store(2, 0n)] },
  { title: 'writes in another contract', actions: [{ do: 'call', by: 'call', to: 'C', frame: 0 }] },
  { title: 'writes by borrowed code', actions: [{ do: 'call', by: 'delegatecall', to: 'C', frame: 0 }] },
  { title: 'value for an account', actions: [{ do: 'pay', to: 'E', value: 3n }] },
  { title: 'value for an account that does not exist', actions: [{ do: 'pay', to: 'X', value: 3n }] },
  { title: 'no value for an account that does not exist', actions: [{ do: 'pay', to: 'X', value: 0n }] },
  { title: 'value for a precompile', actions: [{ do: 'pay', to: 4, value: 3n }] },
  { title: 'more value than there is', actions: [{ do: 'pay', to: 'E', value: 10n ** 30n }] },
  { title: 'value for the coinbase', actions: [{ do: 'pay', to: 'coinbase', value: 3n }] },
  { title: 'a creation', actions: [{ do: 'create', by: 'create', init: DEPLOYS, value: 2n }] },
  {
    title: 'two creations',
    actions: [
      { do: 'create', by: 'create', init: DEPLOYS },
      { do: 'create', by: 'create', init: EMPTY },
    ],
  },
  { title: 'a creation by salt', actions: [{ do: 'create', by: 'create2', init: DEPLOYS, salt: 1 }] },
  {
    title: 'a creation at an address that is taken',
    before: [{ do: 'create', by: 'create2', init: DEPLOYS, salt: 1 }],
    actions: [{ do: 'create', by: 'create2', init: DEPLOYS, salt: 1 }],
  },
  { title: 'a creation that destroys itself', actions: [{ do: 'create', by: 'create', init: DESTROYS, value: 2n }] },
  { title: 'a contract that destroys itself', actions: [{ do: 'call', by: 'call', to: 'C', frame: 1, value: 1n }] },
  { title: 'a contract that destroys itself for itself', actions: [{ do: 'call', by: 'call', to: 'C', frame: 2 }] },
  {
    title: 'a contract that destroys itself for a new account',
    actions: [{ do: 'call', by: 'call', to: 'C', frame: 3 }],
  },
  {
    title: 'a contract that destroys itself twice, and is paid between',
    actions: [
      { do: 'call', by: 'call', to: 'C', frame: 1 },
      { do: 'pay', to: 'C', value: 4n },
      { do: 'call', by: 'call', to: 'C', frame: 2 },
    ],
  },
  { title: 'a frame that destroys its own contract', actions: [store(2, 9n)], end: { destroyTo: 'E' } },
  { title: 'a log', actions: [{ do: 'log', topics: 2 }] },
  { title: 'an access to a slot', actions: [load(2), load(0)] },
  {
    title: 'an access to accounts',
    actions: [
      { do: 'read', what: 'balance', of: 'E' },
      { do: 'read', what: 'code', of: 'C' },
    ],
  },
  { title: 'an access to an account that does not exist', actions: [{ do: 'read', what: 'codehash', of: 'X' }] },
];

const TRANSIENT: readonly Change[] = [
  { title: 'the first write to a transient slot', actions: [{ do: 'tstore', slot: 0, value: 1n }] },
  {
    title: 'a second write to a transient slot',
    before: [{ do: 'tstore', slot: 0, value: 1n }],
    actions: [{ do: 'tstore', slot: 0, value: 2n }],
  },
  {
    title: 'a cleared transient slot',
    before: [{ do: 'tstore', slot: 0, value: 1n }],
    actions: [{ do: 'tstore', slot: 0, value: 0n }],
  },
];

/** Returns the kinds of change of a level. */
export function changesAt(level: EvmLevel): readonly Change[] {
  return atLevel(level, 'cancun') ? [...CHANGES, ...TRANSIENT] : CHANGES;
}

/** Returns reads of everything that the changes may have left, and two writes, whose cost depends on it. */
export function readsAt(level: EvmLevel): readonly Action[] {
  const reads: Action[] = [load(0), load(1), load(2)];
  if (atLevel(level, 'cancun')) reads.push({ do: 'tload', slot: 0 });
  for (const who of ['E', 'X', 'C'] as const)
    reads.push({ do: 'read', what: 'balance', of: who }, { do: 'read', what: 'codehash', of: who });
  return [
    ...reads,
    { do: 'call', by: 'call', to: 'C', frame: 4 },
    { do: 'create', by: 'create', init: EMPTY },
    store(0, 8n),
    store(2, 0n),
  ];
}
