import { EXIT } from '../../../../system/failure.ts';
import { transferLead } from '../../../change/conductor.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { CHAIN_OPTION, DEVNET_OPTIONS } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'conductor transfer',
  group: 'change a network',
  summary: 'give the lead of a set of sequencers to another of them',
  examples: ['devnet conductor transfer s2'],
  exits: { 1: 'the node did not take the lead' },
  arguments: [{ syntax: '<node>', description: 'NODE or CHAIN/NODE: the next leader' }],
  options: [CHAIN_OPTION, ...DEVNET_OPTIONS],
  async run(io, [node], options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { leader, term } = await transferLead(devnet, String(node), textOption(options, 'chain'));
    io.stderr(`${leader ?? 'no node'} leads${term === null ? '' : ` in term ${term}`}\n`);
    return EXIT.done;
  },
};
