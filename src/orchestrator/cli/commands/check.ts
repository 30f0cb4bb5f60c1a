import { EXIT } from '../../../system/failure.ts';
import { checkDevnet, type ExplainedResult } from '../../devnet/check-devnet.ts';
import { isUp, selectDevnet, viewOf } from '../../devnet/select.ts';
import type { Divergence } from '../../divergence/compare.ts';
import { reportLines } from '../../divergence/explain/report.ts';
import { nodeNames } from '../../state/node-names.ts';
import { problemLines } from '../../status/problem-lines.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import { showTasks } from '../../terminal/task-list.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'check',
  group: 'look into its chains',
  summary: 'compare every block on every node and report divergences',
  examples: ['devnet check', 'devnet check --explain'],
  exits: { 1: 'nodes diverge, or a process has a problem' },
  arguments: [DEVNET_ARGUMENT],
  options: [
    { flags: '--explain', description: 'gather what differs, and which fork times would explain it' },
    { flags: '--json', description: 'one JSON document' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [name], options) {
    const devnet = selectDevnet(io, wantedName(name, options));
    const explains = options['explain'] === true;
    const chains = isUp(devnet) ? viewOf(devnet).plan.network.chains.map(({ name: chain }) => chain) : [];
    const { result, isWhole } = await showTasks(io, 'comparing', chains, (list) =>
      checkDevnet(devnet, explains, (chain, block, last) => {
        if (block === last) list.done(chain);
        else list.detail(chain, `block ${block} of ${last}`);
      }),
    );
    if (options['json'] === true) io.stdout(`${JSON.stringify(result, null, 2)}\n`);
    else
      for (const line of resultLines(result, isWhole))
        io.stderr(explains ? `${line}\n` : fitToTerminal(io, `${line}\n`, 'stderr'));
    return result.agree && result.problems.length === 0 ? EXIT.done : EXIT.failed;
  },
};

function resultLines({ agree, implementations, divergences, problems }: ExplainedResult, isWhole: boolean): string[] {
  const count = `${implementations} independent implementation${implementations === 1 ? '' : 's'} took part`;
  return [
    ...(agree && implementations > 0 ? [`${isWhole ? 'all nodes' : 'the nodes that answer'} agree; ${count}`] : []),
    ...divergences.flatMap((divergence) => {
      const { fields, reason, explanation } = divergence;
      if (explanation !== undefined) return reportLines(explanation);
      return [
        headline(divergence),
        ...(fields.length > 0 ? [`  fields that differ: ${fields.join(', ')}`] : []),
        `  ${reason}`,
      ];
    }),
    ...problemLines(problems, Date.now()),
  ];
}

function headline({ nodes, chain, kind, block, catchingUp }: Divergence): string {
  const who = nodeNames(chain, nodes);
  if (kind === 'hash') return `${who} ${nodes.length === 1 ? 'has' : 'have'} a different block ${block}`;
  if (kind === 'refused') return `${who} refused block ${block}`;
  if (catchingUp) return `${who} ${nodes.length === 1 ? 'is' : 'are'} catching up`;
  return `${who} is missing block ${block}`;
}
