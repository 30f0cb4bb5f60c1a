import { EXIT } from '../../../system/failure.ts';
import { addFault, duringFault } from '../../change/faults.ts';
import { interruptibly } from '../../change/warp.ts';
import { type Devnet, selectDevnet } from '../../devnet/select.ts';
import { givenText } from '../../faults/describe.ts';
import { LINK_WORDS } from '../../faults/target.ts';
import { DIRECTIONS, type GivenFault } from '../../state/faults.ts';
import type { Io } from '../../terminal/io.ts';
import {
  type ArgumentDefinition,
  type CommandDefinition,
  type OptionDefinition,
  type OptionValues,
  textOption,
} from '../input/command.ts';
import { DEVNET_OPTIONS } from '../input/devnet-options.ts';
import { durationOption } from '../input/duration-option.ts';
import { numberOption } from '../input/number-option.ts';

/** The links that a command is about. */
const TARGET: ArgumentDefinition = {
  syntax: '<target>',
  description: `NODE (also l1, beacon, batcher, proposer), A-B, each with :LINK (${LINK_WORDS.join(', ')})`,
};

const DIRECTION: OptionDefinition = {
  flags: '--direction <direction>',
  description: 'egress: from the target (of A-B: from A to B); ingress: to it',
  choices: DIRECTIONS,
};

/** Options of commands that add a fault. */
export const FAULT_OPTIONS: readonly OptionDefinition[] = [
  { flags: '--for <duration>', description: "heal after this time of the network's clock, and wait for that" },
  ...DEVNET_OPTIONS,
];

type Shaping = Extract<GivenFault, { shaping: unknown }>['shaping'];

/** A command that shapes links. */
interface ShapingCommand {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly options: readonly OptionDefinition[];
  /** Whether its shape may hold for one direction. */
  readonly isDirected: boolean;
  /** @throws Failure `usage` (exit 2) */
  shape(options: OptionValues): Omit<Shaping, 'target'>;
}

/** Defines a command that shapes links. */
export function shapingCommand({ name, shape, isDirected, ...definition }: ShapingCommand): CommandDefinition {
  return {
    ...definition,
    name: `fault ${name}`,
    group: 'change a network',
    arguments: [TARGET],
    options: [...definition.options, ...(isDirected ? [DIRECTION] : []), ...FAULT_OPTIONS],
    async run(io, [target], options) {
      const direction = DIRECTIONS.find((each) => each === options['direction']);
      const shaping = { target: String(target), ...shape(options), ...(direction === undefined ? {} : { direction }) };
      return runFault(io, selectDevnet(io, textOption(options, 'name')), { shaping }, options);
    },
  };
}

/** Adds a fault. With `--for` it waits until the fault is over, and heals it when it is interrupted. */
export async function runFault(io: Io, devnet: Devnet, fault: GivenFault, options: OptionValues): Promise<number> {
  const text = givenText(fault);
  const forMs = durationOption(options, 'for');
  if (forMs === undefined) {
    const id = await addFault(devnet, fault);
    io.stderr(`fault ${id}: ${text}; \`devnet fault heal ${id}\` ends it\n`);
    return EXIT.done;
  }
  let id = '';
  const end = await interruptibly((signal) =>
    duringFault(
      devnet,
      { fault, forMs },
      {
        signal,
        begun(number) {
          id = number;
          io.stderr(`fault ${id}: ${text}, for ${options['for']}; Ctrl-C heals it at once\n`);
        },
      },
    ),
  );
  io.stderr(`fault ${id} is healed\n`);
  return end === 'over' ? EXIT.done : EXIT.interrupted;
}

/** The numbers of a shape on the command line. */
export const SHAPE_OPTIONS = {
  ms: { flags: '--ms <milliseconds>', description: 'the time that bytes are late' },
  jitter: { flags: '--jitter <milliseconds>', description: 'largest deviation from it; the order of bytes stays' },
  loss: {
    flags: '--loss <percent>',
    description: 'percent of segments; on TCP each is a stall of one retransmission timeout',
  },
  kbps: { flags: '--kbps <number>', description: 'kilobits per second' },
} as const satisfies Readonly<Record<string, OptionDefinition>>;

/** Reads the numbers of a shape. @throws Failure `usage` (exit 2) */
export function shapeOf(options: OptionValues): Pick<Shaping, 'delay' | 'jitter' | 'loss' | 'bandwidth'> {
  const delay = numberOption(options, 'ms', 1, 3_600_000);
  const jitter = numberOption(options, 'jitter', 1, 3_600_000);
  const loss = numberOption(options, 'loss', 0.01, 90);
  const bandwidth = numberOption(options, 'kbps', 1, 10_000_000);
  return {
    ...(delay === undefined ? {} : { delay }),
    ...(jitter === undefined ? {} : { jitter }),
    ...(loss === undefined ? {} : { loss }),
    ...(bandwidth === undefined ? {} : { bandwidth }),
  };
}
