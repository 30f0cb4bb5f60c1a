import { EXIT } from '../../../system/failure.ts';
import { defaultBudget, durationOption } from '../../workflow/bring-up.ts';
import type { CommandDefinition } from '../../workflow/command.ts';
import { resumeDevnet } from '../../workflow/resume-devnet.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, isUp, selectDevnet, viewOf, wantedName } from '../../workflow/select.ts';

export const command: CommandDefinition = {
  name: 'start',
  group: 'run a network',
  summary: 'resume a stopped devnet',
  examples: ['devnet start default'],
  arguments: [DEVNET_ARGUMENT],
  options: [
    { flags: '--ready-budget <duration>', description: 'give up when it is not ready after this time (default: 1m)' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [name], options) {
    const devnet = selectDevnet(io, wantedName(name, options), (each) => !isUp(each));
    if (isUp(devnet)) {
      io.stderr(`${devnet.paths.name} is already up\n`);
      return EXIT.done;
    }
    viewOf(devnet);
    const budgetMs = durationOption(options, 'readyBudget') ?? defaultBudget(io.env);
    return await resumeDevnet(io, devnet.paths.name, budgetMs);
  },
};
