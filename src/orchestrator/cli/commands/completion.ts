import { EXIT } from '../../../system/failure.ts';
import { sampleNames, scenarioNames } from '../../load/package-files.ts';
import type { CommandDefinition } from '../input/command.ts';
import { completionScript, SHELLS } from '../input/completion.ts';

export const command: CommandDefinition = {
  name: 'completion',
  group: 'this machine',
  summary: 'print a script that completes commands and options in bash, zsh or fish',
  examples: ['source <(devnet completion bash)', 'devnet completion fish > ~/.config/fish/completions/devnet.fish'],
  arguments: [{ syntax: '<shell>', description: SHELLS.join(', ') }],
  options: [],
  forPrograms: () => true,
  async run(io, [shell]) {
    // A command that is a part of the registry cannot import it at once.
    const { COMMANDS } = await import('../registry.ts');
    const definitions = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
    const names = {
      '[spec]': sampleNames(),
      '[sample]': sampleNames(),
      '<scenario>': scenarioNames(),
      '<shell>': SHELLS,
    };
    io.stdout(completionScript(String(shell), definitions, names));
    return EXIT.done;
  },
};
