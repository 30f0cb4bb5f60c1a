import type { EvmLevel } from '../../../../../src/protocol/rules/rules.ts';
import { atLevel } from '../level.ts';
import type { Random } from '../random.ts';
import { changesAt, INITS } from './changes.ts';
import { type Action, type End, type Frame, frame, type Program, program, type Who } from './program.ts';

const WHO: readonly Who[] = ['A', 'B', 'C', 'D', 'E', 'F', 'X', 'coinbase', 4];
const ENDS: readonly End[] = ['stop', 'return', 'return', 'revert', 'invalid', 'out of gas', { destroyTo: 'E' }];
/** Frames by depth. A frame calls only frames of the next depth, so every program ends. */
const FRAMES = 4;

/** Makes a program of random changes, calls and ends, over the same steps as the directed ones. */
export function randomProgram(level: EvmLevel, random: Random, title: string): Program {
  const changes = changesAt(level);
  const word = () => BigInt(random.pick([0, 0, 1, 5, 7]));
  const step = (depth: number): Action => {
    const roll = random.below(10);
    if (roll < 2) return { do: 'store', slot: random.below(3), value: word() };
    if (roll < 3) return { do: 'load', slot: random.below(3) };
    if (roll < 4)
      return {
        do: 'read',
        what: random.pick(['balance', 'codesize', 'codehash', 'code'] as const),
        of: random.pick(WHO),
      };
    if (roll < 5) return { do: 'pay', to: random.pick(WHO), value: word() };
    if (roll < 6 || depth === 3) return random.pick(random.pick(changes).actions);
    if (roll < 7)
      return {
        ...{ do: 'create', by: random.pick(['create', 'create2'] as const), init: random.below(INITS.length + FRAMES) },
        ...{ value: word(), salt: random.below(2) },
      };
    return {
      ...{ do: 'call', by: random.pick(['call', 'callcode', 'delegatecall', 'staticcall'] as const) },
      ...{ to: random.pick(['B', 'C'] as const), frame: depth * FRAMES + random.below(FRAMES) },
      ...{ value: word(), gas: [800_000, 300_000, 100_000][depth]! },
    };
  };
  const body = (depth: number): Frame =>
    frame(
      Array.from({ length: 1 + random.below(5) }, () => step(depth)),
      random.pick(ENDS),
    );
  const frames = () => [0, 1, 2].flatMap((depth) => Array.from({ length: FRAMES }, () => body(depth + 1)));
  const top = frame(
    Array.from({ length: 4 + random.below(6) }, () => step(0)),
    random.pick(['stop', 'stop', 'stop', 'revert'] as const),
  );
  return program(title, top, {
    contracts: { A: [], B: frames(), C: frames() },
    // Init code of random steps creates nothing itself.
    inits: [...INITS, ...Array.from({ length: FRAMES }, () => body(3))],
    value: BigInt(random.below(20)),
    accessList: random.chance(0.3) ? [{ of: random.pick(WHO), slots: [0, 1] }] : [],
    ...(atLevel(level, 'prague') && random.chance(0.3)
      ? { authorizations: [{ by: random.pick(['D', 'F', 'S'] as const), to: random.pick(WHO) }] }
      : {}),
  });
}
