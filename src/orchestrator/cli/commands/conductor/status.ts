import { EXIT } from '../../../../system/failure.ts';
import { type ConductorStatus, conductorStatus } from '../../../change/conductor.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { CHAIN_OPTION, DEVNET_OPTIONS } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'conductor status',
  group: 'look at a network',
  summary: 'which of the sequencers of a set leads, and which answer',
  examples: ['devnet conductor status', 'devnet conductor status --json'],
  exits: { 1: 'the conductor does not answer' },
  arguments: [],
  options: [{ flags: '--json', description: 'one JSON document' }, CHAIN_OPTION, ...DEVNET_OPTIONS],
  async run(io, _, options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const status = await conductorStatus(devnet, textOption(options, 'chain'));
    io.stdout(options['json'] === true ? `${JSON.stringify(status, null, 2)}\n` : textOf(status));
    return EXIT.done;
  },
};

function textOf({ leader, term, paused, last, members }: ConductorStatus): string {
  const head = last === null ? 'no block committed' : `block ${last.number} committed`;
  const set = term === null ? 'op-conductors elect the leader' : `term ${term}, ${head}`;
  const lines = members.map(({ name, healthy, sequencing, block }) =>
    [
      `  ${name}`,
      name === leader ? 'leads' : 'follows',
      healthy ? `block ${block ?? 'unknown'}` : 'does not answer',
      ...(sequencing ? ['sequencing'] : []),
    ].join('  '),
  );
  return `${set}${paused ? ', paused' : ''}\n${lines.join('\n')}\n`;
}
