import { EXIT } from '../../../system/failure.ts';
import { allDevnets, phaseOf, selectDevnet } from '../../devnet/select.ts';
import { readPlan } from '../../folder/devnet-folder.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';

export const command: CommandDefinition = {
  name: 'ls',
  group: 'look at a network',
  summary: 'list all devnets, running or not',
  examples: ['devnet ls', 'devnet ls --json'],
  arguments: [],
  options: [
    { flags: '--json', description: 'one JSON document' },
    { flags: '-n, --name <name>', description: 'this devnet alone' },
  ],
  async run(io, _, options) {
    const name = textOption(options, 'name');
    const listed = name === undefined ? allDevnets(io) : [selectDevnet(io, name)];
    const rows = listed.map((devnet) => ({
      name: devnet.paths.name,
      phase: phaseOf(devnet),
      pid: devnet.owner?.pid ?? null,
      startedAt: devnet.file.kind === 'state' ? devnet.file.state.startedAt : null,
      l1: readPlan(devnet.paths)?.network.l1.rpc ?? null,
      folder: devnet.paths.folder,
    }));
    if (options['json'] === true) io.stdout(`${JSON.stringify(rows, null, 2)}\n`);
    else if (rows.length === 0) io.stderr('no devnets\n');
    else
      for (const { name, phase, l1, folder } of rows)
        io.stdout(fitToTerminal(io, `${name.padEnd(24)} ${phase.padEnd(9)} ${l1 ?? ''}  ${folder}\n`));
    return EXIT.done;
  },
};
