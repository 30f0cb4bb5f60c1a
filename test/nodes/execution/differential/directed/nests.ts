import type { EvmLevel } from '../../../../../src/protocol/rules/rules.ts';
import { CALLEE, type Change, changesAt, INITS, readsAt } from './changes.ts';
import { type Action, type CallKind, type End, type Frame, frame, type Program, program } from './program.ts';

/** A frame around a change: how it begins, and how it ends. */
interface Layer {
  readonly by: CallKind | 'create' | 'create2';
  readonly end: End;
}

const layer = (by: Layer['by'], end: End = 'stop'): Layer => ({ by, end });
const ENDS = ['stop', 'revert'] as const;

/** Frames around a change, outermost first. */
const NESTS: readonly (readonly Layer[])[] = [
  [],
  ...(['stop', 'revert', 'invalid', 'out of gas', 'underflow', 'bad jump'] as const).map((end) => [layer('call', end)]),
  ...(['return', 'revert', 'out of gas'] as const).map((end) => [layer('delegatecall', end)]),
  [layer('callcode')],
  [layer('callcode', 'revert')],
  [layer('staticcall')],
  ...([{ deploy: '0x00' }, 'revert', 'invalid', 'out of gas', { deploy: '0xef' }] as const).map((end) => [
    layer('create', end),
  ]),
  [layer('create2', 'revert')],
  [layer('create2', { deploy: '0x' })],
  [layer('call', 'revert'), layer('create', { deploy: '0x00' })],
  [layer('create', { deploy: '0x00' }), layer('call', 'revert')],
  [layer('create', 'revert'), layer('delegatecall')],
  [layer('staticcall'), layer('call')],
  [layer('call'), layer('callcode', 'out of gas'), layer('delegatecall')],
  ...ENDS.flatMap((outer) =>
    ENDS.flatMap((middle) => ENDS.map((inner) => [layer('call', outer), layer('call', middle), layer('call', inner)])),
  ),
  ...ENDS.flatMap((outer) =>
    ENDS.flatMap((middle) =>
      ENDS.map((inner) => [layer('delegatecall', outer), layer('delegatecall', middle), layer('delegatecall', inner)]),
    ),
  ),
];

/** Ends of the outermost frame, which decide on the whole transaction. */
const TOP_ENDS: readonly End[] = ['stop', 'revert', 'invalid', 'out of gas'];

/** Gas of the calls by depth: what runs out of gas leaves enough for the reads that follow. */
const GAS = [900_000, 500_000, 200_000];

/** Makes a program of each change in each nest, with reads of everything after it. */
export function* nestedChanges(level: EvmLevel): Generator<Program> {
  for (const change of changesAt(level)) {
    for (const nest of NESTS) yield nested(level, change, nest, 'stop');
    for (const end of TOP_ENDS.slice(1)) yield nested(level, change, [], end);
  }
}

/**
 * Makes a program of each change that runs in two transactions of a block.
 * The library's state without tries keeps the code of a contract that is destroyed, so none of these destroys one.
 */
export function* repeatedChanges(level: EvmLevel): Generator<Program> {
  const contracts = { A: [], B: [], C: CALLEE };
  for (const { title, before = [], actions, end } of changesAt(level)) {
    if (end !== undefined || title.includes('destroys')) continue;
    const top = frame([...readsAt(level), ...before, ...actions, ...readsAt(level)]);
    yield program(`${title}, in two transactions`, top, { contracts, inits: INITS, isRepeated: true, value: 10n });
  }
}

function nested(level: EvmLevel, change: Change, nest: readonly Layer[], end: End): Program {
  const contracts: { B: Frame[]; C: readonly Frame[] } = { B: [], C: CALLEE };
  const inits: Frame[] = [...INITS];
  let actions = change.actions;
  nest.toReversed().forEach(({ by, end: own }, fromInside) => {
    const isChange = fromInside === 0 && change.end !== undefined && (own === 'stop' || own === 'return');
    actions = [
      wrapped(actions, by, isChange ? change.end! : own, GAS[nest.length - 1 - fromInside]!, contracts.B, inits),
    ];
  });
  const words = nest.map(
    ({ by, end: own }) => `${by} that ends with ${typeof own === 'string' ? own : 'a deployment'}`,
  );
  const title = `${change.title}, in ${[...words, `a transaction that ends with ${String(end)}`].join(', in ')}`;
  const top = frame([...(change.before ?? []), ...actions, ...readsAt(level)], end);
  return program(title, top, { contracts: { A: [], ...contracts }, inits, value: 10n });
}

/** Puts actions in a frame of B or of a creation, and returns the action that runs it. */
function wrapped(
  actions: readonly Action[],
  by: Layer['by'],
  end: End,
  gas: number,
  contract: Frame[],
  inits: Frame[],
): Action {
  if (by === 'create' || by === 'create2') {
    inits.push(frame(actions, end));
    return { do: 'create', by, init: inits.length - 1, value: 1n };
  }
  contract.push(frame(actions, end));
  const value = by === 'call' || by === 'callcode' ? 1n : 0n;
  return { do: 'call', by, to: 'B', frame: contract.length - 1, gas, value };
}
