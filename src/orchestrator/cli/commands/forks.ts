import { EXIT } from '../../../system/failure.ts';
import { forkRows } from '../../devnet/fork-rows.ts';
import { selectDevnet } from '../../devnet/select.ts';
import { tableText, UNOFFICIAL } from '../../status/fork-text.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';
import { watchForks } from '../input/watch-forks.ts';

export const command: CommandDefinition = {
  name: 'forks',
  group: 'look into its chains',
  summary: 'print the activation table: fork, time, block, state on every node',
  examples: ['devnet forks', 'devnet forks --watch'],
  arguments: [DEVNET_ARGUMENT],
  options: [
    { flags: '--watch', description: 'count down until no fork is left to come; into a pipe, a line per change' },
    { flags: '--json', description: 'one JSON document; with --watch one object a line' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [name], options) {
    const devnet = selectDevnet(io, wantedName(name, options));
    const json = options['json'] === true;
    if (options['watch'] === true) return watchForks(io, devnet, json);
    const { rows, now } = await forkRows(devnet);
    io.stdout(json ? `${JSON.stringify(rows, null, 2)}\n` : fitToTerminal(io, tableText(rows, now)));
    if (!json && rows.some(({ bundle }) => bundle === 'unofficial')) io.stderr(UNOFFICIAL);
    return EXIT.done;
  },
};
