import type { ForkSchedule } from '../../protocol/forks/index.ts';
import { FORKS } from '../../protocol/forks/index.ts';
import { COMMON_OPTIONS, VERSION } from '../../system/common-options.ts';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { type OptionSpec, type OptionValues, option, parseOptions } from '../../system/options.ts';
import { parseSubnet } from '../gossip/subnet.ts';
import { overridesOf } from './config.ts';
import { altDaOptions } from './options/alt-da.ts';
import { connectionOptions } from './options/l1.ts';
import { nodeOptions } from './options/node.ts';
import { p2pOptions } from './options/p2p.ts';
import { sequencerOptions } from './options/sequencer.ts';
import { telemetryOptions } from './options/telemetry.ts';
import { refusals, unbuilt } from './options/unbuilt.ts';

const LINE = {
  name: 'rollup-node',
  summary: 'Consensus client of a rollup: sequences blocks, or derives them from L1 and follows gossip.',
  envPrefixes: ['ROLLUP_NODE_', 'OP_NODE_'],
} as const;

const table = {
  ...COMMON_OPTIONS,
  ...connectionOptions,
  ...altDaOptions,
  ...nodeOptions,
  ...p2pOptions,
  ...sequencerOptions,
  ...telemetryOptions,
} as const;

/** One `override.<fork>` per fork that the rollup node can be told of. Given as 0: active at genesis; absent: not overridden. */
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

/** The options of the rollup node that have an effect. */
export type RollupNodeOptions = OptionValues<typeof table> & {
  readonly forkOverrides: ForkSchedule;
  readonly given: ReadonlySet<string>;
};

/**
 * Parses the command line and the environment.
 * @throws Failure `usage` with every problem, also of options that this build refuses; `help`
 */
export function readOptions(argv: readonly string[], env: NodeJS.ProcessEnv): RollupNodeOptions {
  const all = { ...table, ...unbuilt, ...overrides };
  const { values, given, operands } = parseOptions({ ...LINE, version: VERSION }, all, argv, env);
  const read = values as unknown as OptionValues<typeof table>;
  const problems = [
    ...operands.map((word) => `unexpected word ${JSON.stringify(word)}`),
    ...refusals(values as Record<string, unknown>),
    ...(read.rollupConfig === undefined ? ['--rollup.config is missing: the file with the chain parameters'] : []),
    ...(read.l2 === undefined ? ["--l2 is missing: the execution client's authenticated endpoint"] : []),
  ];
  if (read.altDaEnabled && read.altDaServer === undefined)
    problems.push('--altda.da-server is missing: --altda.enabled reads from it');
  if (read.beaconHeader !== undefined && !/^[\w-]+:\s*\S/.test(read.beaconHeader))
    problems.push('--l1.beacon-header: expected "Name: Value"');
  if (read.p2pSequencerKey !== undefined && !/^(0x)?[0-9a-fA-F]{64}$/.test(read.p2pSequencerKey))
    problems.push('--p2p.sequencer.key: expected 64 hex digits');
  for (const address of read.p2pStatic)
    if (!/^\/(ip4|ip6|dns|dns4|dns6)\/[^/]+\/tcp\/\d+\/p2p\/[1-9A-Za-z]+$/.test(address))
      problems.push(`--p2p.static: expected /ip4/<address>/tcp/<port>/p2p/<peer id>, found ${JSON.stringify(address)}`);
  for (const subnet of read.p2pNetRestrict)
    try {
      parseSubnet(subnet);
    } catch (error) {
      problems.push(`--p2p.netrestrict: ${messageOf(error)}`);
    }
  if (problems.length > 0)
    throw new Failure('usage', `rollup-node: ${problems.join('\n  ')}`, {
      exit: EXIT.usage,
      data: { problems },
      hint: 'rollup-node --help lists the options',
    });
  return {
    ...read,
    forkOverrides: overridesOf(values as Record<string, unknown>),
    given: given as ReadonlySet<string>,
  };
}
