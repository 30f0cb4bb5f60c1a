import { EXIT } from '../../system/failure.ts';
import { readAgreed, writeAgreed } from '../observe/agreed-file.ts';
import { checkNetwork } from '../observe/check.ts';
import { closeClients } from '../probe/call.ts';
import type { CommandDefinition } from './command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, selectDevnet, viewOf, wantedName } from './select.ts';

export const command: CommandDefinition = {
  name: 'check',
  summary: 'compare every block on every node and name the first divergence',
  arguments: [DEVNET_ARGUMENT],
  options: [{ flags: '--json', description: 'one JSON document' }, ...DEVNET_OPTIONS],
  async run(io, [name], options) {
    const devnet = selectDevnet(io, wantedName(name, options));
    const { plan } = viewOf(devnet);
    const { agreed, ...result } = await checkNetwork(plan, readAgreed(devnet.paths)).finally(closeClients);
    if (result.agree) writeAgreed(devnet.paths, agreed);
    if (options['json'] === true) io.stdout(`${JSON.stringify(result, null, 2)}\n`);
    else if (result.divergence === null) {
      const heights = Object.entries(agreed).map(([chain, { number }]) => `${chain} up to block ${number}`);
      io.stderr(
        `all nodes agree (${heights.join(', ')}); ${result.implementations} independent implementation${result.implementations === 1 ? '' : 's'} took part\n`,
      );
    } else {
      const { chain, block, nodes, kind, fields, reason } = result.divergence;
      io.stderr(
        `${nodes.join(', ')} of ${chain} ${kind === 'hash' ? 'has another block' : kind === 'refused' ? 'refused block' : 'is missing block'} ${block}\n${fields.length > 0 ? `  fields that differ: ${fields.join(', ')}\n` : ''}  ${reason}\n`,
      );
    }
    return result.agree ? EXIT.done : EXIT.failed;
  },
};
