import { FORKS, type ForkSchedule, KEEP_GAS_KEYS } from '../../../protocol/forks/index.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { VERSION } from '../../../system/program/common-options.ts';
import { type OptionSpec, option, parseOptions } from '../../../system/program/options.ts';
import { checkOptions } from './checks.ts';
import { type KeepGas, keepGasOption, keepGasOverridesOf, overridesOf } from './config.ts';
import { type OptionTable, table } from './table.ts';
import { refusals, UNSUPPORTED_OPTIONS } from './unsupported.ts';

const LINE = {
  name: 'rollup-node',
  summary: 'Consensus client of a rollup: sequences blocks, or derives them from L1 and follows gossip.',
  envPrefixes: ['ROLLUP_NODE_', 'OP_NODE_'],
} as const;

/** One `override.<fork>` for each fork with an override. 0: active at genesis; absent: not overridden. */
const overrides: Record<string, OptionSpec> = Object.fromEntries(
  FORKS.flatMap(({ name, override }) =>
    override === null
      ? []
      : [
          [
            override,
            {
              name: override,
              env: override.toUpperCase().replaceAll(/[.-]/g, '_'),
              help: `activation time of ${name} instead of the configured one`,
              type: option.natural,
            } satisfies OptionSpec,
          ],
        ],
  ),
);

/** One `override.keep-<fork>-upgrade-gas` for each such key (op-node: `KeepKarstUpgradeGasOverrideName`). */
const keptGas: Record<string, OptionSpec> = Object.fromEntries(
  KEEP_GAS_KEYS.map((key) => {
    const name = keepGasOption(key);
    const help = `${key} instead of the configured one`;
    return [name, { name, env: name.toUpperCase().replaceAll(/[.-]/g, '_'), help, type: option.boolean }];
  }),
);

/** All options by key: those with an effect, those accepted at their default only, and the fork overrides. */
export const ALL_OPTIONS: typeof table & Readonly<Record<string, OptionSpec>> = {
  ...table,
  ...UNSUPPORTED_OPTIONS,
  ...overrides,
  ...keptGas,
};

/** The options with an effect, checked (op-node: `node.Config`). */
export type RollupNodeOptions = OptionTable & {
  readonly rollupConfig: string;
  readonly l2: string;
  readonly forkOverrides: ForkSchedule;
  readonly keepGasOverrides: KeepGas;
  readonly explicit: ReadonlySet<string>;
};

/**
 * Parses the command line and the environment (op-node: `NewConfig`).
 * @throws Failure `usage` with every problem, also of options that this build refuses; `help`
 */
export function readOptions(argv: readonly string[], env: NodeJS.ProcessEnv): RollupNodeOptions {
  const { values, explicit, operands } = parseOptions({ ...LINE, version: VERSION }, ALL_OPTIONS, argv, env);
  const read: OptionTable = values;
  const problems = [
    ...operands.map((word) => `unexpected word ${JSON.stringify(word)}`),
    ...refusals(values),
    ...checkOptions(read),
  ];
  const { rollupConfig, l2 } = read;
  if (problems.length > 0 || rollupConfig === undefined || l2 === undefined)
    throw new Failure('usage', `rollup-node: ${problems.join('\n  ')}`, {
      exit: EXIT.usage,
      data: { problems },
      hint: 'rollup-node --help lists the options',
    });
  return {
    ...read,
    rollupConfig,
    l2,
    forkOverrides: overridesOf(values),
    keepGasOverrides: keepGasOverridesOf(values),
    explicit,
  };
}
