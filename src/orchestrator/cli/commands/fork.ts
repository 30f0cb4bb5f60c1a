import { DEFAULT_BASE, findFork } from '../../../protocol/forks/index.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { shellQuote } from '../../../system/program/shell-quote.ts';
import { type Moved, moveForks } from '../../change/move-forks.ts';
import type { Pairs } from '../../change/replan.ts';
import { selectDevnet, viewOf } from '../../devnet/select.ts';
import { chainOf } from '../../devnet/select-chain.ts';
import { FORK_NAMES } from '../../spec/schema/fork-names.ts';
import { FORK_TIME } from '../../spec/schema/values.ts';
import { nearest } from '../../spec/text/nearest.ts';
import { isoTime } from '../../status/forks.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { CHAIN_OPTION, DEVNET_OPTIONS } from '../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'fork',
  group: 'change a network',
  summary: 'move forks of a whole running chain to other times',
  examples: [`devnet fork ${DEFAULT_BASE}=now+40s`, `devnet fork ${DEFAULT_BASE}=block:40 --rewind`],
  arguments: [
    {
      syntax: '<fork=time...>',
      description: 'the activation: +60s after genesis, now+40s, a Unix timestamp, block:40, never',
    },
  ],
  options: [
    { flags: '--rewind', description: 'if heads are past a moved activation, go back to the block before it' },
    { flags: '--json', description: 'one JSON document' },
    CHAIN_OPTION,
    ...DEVNET_OPTIONS,
  ],
  async run(io, [words], options) {
    const pairWords = [words ?? []].flat();
    const forks = pairsOf(pairWords);
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const chain = chainOf(viewOf(devnet).plan, textOption(options, 'chain')).name;
    const scope = options['chain'] === undefined ? [] : ['--chain', String(options['chain'])];
    const again = ['devnet', 'fork', ...[...pairWords, ...scope].map(shellQuote), '--rewind'].join(' ');
    const moved = await moveForks(io, devnet, {
      chain,
      forks,
      rewind: options['rewind'] === true,
      rewindHint: `run \`${again}\``,
    });
    if (options['json'] === true) io.stdout(`${JSON.stringify(moved, null, 2)}\n`);
    else io.stderr(textOf(moved));
    return EXIT.done;
  },
};

/** Reads `fork=time`. @throws Failure `usage` (exit 2) */
function pairsOf(words: readonly string[]): Pairs {
  const pairs = words.map((word) => {
    const [, fork = '', time = ''] = /^([^=\s]+)=(.+)$/s.exec(word) ?? [];
    if (fork === '') throw usage(`expected FORK=TIME, found ${JSON.stringify(word)}`, `a time is ${FORK_TIME}`);
    if (findFork(fork) === undefined) {
      const like = nearest(fork, FORK_NAMES);
      throw usage(
        `unknown fork ${JSON.stringify(fork)}${like === undefined ? '' : ` (did you mean ${like}?)`}`,
        `expected one of ${FORK_NAMES.join(', ')}`,
      );
    }
    return [fork, time] as const;
  });
  const twice = pairs.find(([fork], index) => pairs.findIndex(([other]) => other === fork) !== index);
  if (twice !== undefined) throw usage(`${twice[0]} is given twice`, 'give one time for each fork');
  return pairs;
}

function usage(message: string, hint: string): Failure {
  return new Failure('usage', `fork: ${message}`, { exit: EXIT.usage, hint });
}

function textOf({ chain, forks, restarted, stopped, rewound, kept }: Moved): string {
  const at = (time: number | null) => (time === null ? 'never' : isoTime(time));
  const lines = [
    ...(forks.length === 0 ? [`nothing to move: ${chain} has these times already`] : []),
    ...forks.map(({ fork, was, is }) => `${chain}: ${fork} moved from ${at(was)} to ${at(is)}`),
    ...rewound.map(({ node, block }) => `${node} rewound to block ${block}`),
    ...(restarted.length === 0 ? [] : [`${restarted.join(', ')} restarted`]),
    ...(stopped.length === 0 ? [] : [`${stopped.join(', ')} stopped: the next start has the new times`]),
    ...kept.flatMap(({ node, fork, time }) => [
      `${node} keeps its own time of ${fork}: ${at(time)}`,
      `  \`devnet node restart ${node} --override ${fork}=chain\` removes it`,
    ]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
