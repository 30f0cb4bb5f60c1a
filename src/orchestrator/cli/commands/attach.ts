import { EXIT } from '../../../system/failure.ts';
import { attachFile, planAttached } from '../../attach/attach.ts';
import { bringUp } from '../../start/bring-up.ts';
import { sayEnd } from '../../start/say-end.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { readyBudget } from '../input/ready-budget.ts';

export const command: CommandDefinition = {
  name: 'attach',
  group: 'other machines',
  summary: 'watch a network that runs elsewhere, as one of this machine; `down` detaches it and ends nothing',
  examples: ['devnet attach team.yaml', 'devnet attach net/attach.yaml -d'],
  arguments: [{ syntax: '<file>', description: 'addresses of L1 and of the nodes, or the attach.yaml of an export' }],
  options: [
    { flags: '-d, --detach', description: 'leave it attached when it is ready' },
    { flags: '-n, --name <name>', description: 'the name by which commands find it, in place of that in the file' },
    { flags: '--ready-budget <time>', description: 'time until all of it answers and agrees (default: 60s)' },
  ],
  async run(io, [file], options) {
    const detach = options['detach'] === true;
    const network = attachFile(io, String(file), textOption(options, 'name'));
    const up = await bringUp(io, {
      source: { attached: (supervisor) => planAttached(io, network, supervisor) },
      ...readyBudget(io, options),
      followInput: !detach,
      followSignals: true,
      quiet: false,
    });
    if (up.kind === 'no') return up.code;
    if (!detach) return await sayEnd(io, await up.session.ended, up.plan.devnet);
    up.session.detach();
    return EXIT.done;
  },
};
