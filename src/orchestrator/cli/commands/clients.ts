import { EXIT } from '../../../system/failure.ts';
import { listClients } from '../input/clients.ts';
import type { CommandDefinition } from '../input/command.ts';

export const command: CommandDefinition = {
  name: 'clients',
  group: 'specs and clients',
  summary: 'list the client templates, and which can run on this machine',
  examples: ['devnet clients', 'devnet clients --json'],
  arguments: [],
  options: [{ flags: '--json', description: 'one JSON document' }],
  async run(io, _, options) {
    const clients = listClients(io.env);
    if (options['json'] === true) io.stdout(`${JSON.stringify(clients, null, 2)}\n`);
    else
      for (const { name, kind, runtimes, reason } of clients)
        io.stdout(
          `${name.padEnd(16)} ${kind.padEnd(9)} ${runtimes.join(', ').padEnd(17)} ${reason ?? ''}`.trimEnd() + '\n',
        );
    return EXIT.done;
  },
};
