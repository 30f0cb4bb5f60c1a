import { EXIT } from '../../../../system/failure.ts';
import { storedSnapshots } from '../../../snapshots/store.ts';
import { fitToTerminal } from '../../../terminal/fit.ts';
import type { CommandDefinition } from '../../input/command.ts';

export const command: CommandDefinition = {
  name: 'snapshot ls',
  group: 'save a network',
  summary: 'list all saved snapshots',
  examples: ['devnet snapshot ls', 'devnet snapshot ls --json'],
  arguments: [],
  options: [{ flags: '--json', description: 'one JSON document' }],
  async run(io, _, options) {
    const all = storedSnapshots(io);
    if (options['json'] === true) io.stdout(`${JSON.stringify(all, null, 2)}\n`);
    else if (all.length === 0) io.stderr('no snapshots; `devnet snapshot save NAME` saves one\n');
    else
      for (const { name, bytes, saved, path } of all) {
        const size = `${(bytes / 1e6).toFixed(1)} MB`;
        io.stdout(
          fitToTerminal(io, `${name.padEnd(24)} ${size.padStart(9)}  ${new Date(saved).toISOString()}  ${path}\n`),
        );
      }
    return EXIT.done;
  },
};
