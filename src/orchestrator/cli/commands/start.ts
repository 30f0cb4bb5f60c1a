import { EXIT } from '../../../system/failure.ts';
import { isUp, selectDevnet, viewOf } from '../../devnet/select.ts';
import { defaultBudget } from '../../start/ready-budget.ts';
import { resumeDevnet } from '../../start/resume-devnet.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';
import { durationOption } from '../input/duration-option.ts';

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
