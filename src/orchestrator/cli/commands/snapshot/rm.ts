import { EXIT } from '../../../../system/failure.ts';
import { removeSnapshot } from '../../../snapshots/snapshot.ts';
import type { CommandDefinition } from '../../input/command.ts';

export const command: CommandDefinition = {
  name: 'snapshot rm',
  group: 'save a network',
  summary: 'remove a saved snapshot',
  examples: ['devnet snapshot rm deployed'],
  arguments: [{ syntax: '<snapshot>', description: 'the name of the snapshot' }],
  options: [],
  async run(io, [name]) {
    removeSnapshot(io, String(name));
    io.stderr(`removed the snapshot ${String(name)}\n`);
    return EXIT.done;
  },
};
