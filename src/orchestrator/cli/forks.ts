import { EXIT } from '../../system/failure.ts';
import { forkTable } from '../observe/forks.ts';
import { readHeads } from '../observe/heads.ts';
import { closeClients } from '../probe/call.ts';
import type { CommandDefinition } from './command.ts';
import { isUp, selectDevnet, viewOf } from './select.ts';

export const command: CommandDefinition = {
  name: 'forks',
  summary: 'the activation table: fork, time, block, state on every node',
  arguments: [{ syntax: '[name]', description: 'the devnet; may be left out where there is one' }],
  options: [{ flags: '--json', description: 'one JSON document' }],
  async run(io, [name], options) {
    const devnet = selectDevnet(io, name as string | undefined);
    const { plan } = viewOf(devnet);
    const heads = isUp(devnet) ? await readHeads(plan).finally(closeClients) : new Map();
    const rows = plan.network.chains.flatMap((chain) => forkTable(chain, plan.genesisTime, heads));
    if (options['json'] === true) io.stdout(`${JSON.stringify(rows, null, 2)}\n`);
    else
      for (const { chain, fork, time, block, nodes, overrides } of rows) {
        const at = time === Number.MAX_SAFE_INTEGER ? 'never' : new Date(time * 1000).toISOString().slice(0, 19);
        const states = Object.entries(nodes).map(
          ([node, state]) =>
            `${node} ${state}${overrides[node] === undefined ? '' : ` (its own time: ${overrides[node]})`}`,
        );
        io.stdout(
          `${chain}  ${fork.padEnd(20)} ${at.padEnd(19)}  block ${String(block).padEnd(6)} ${states.join(', ')}\n`,
        );
      }
    return EXIT.done;
  },
};
