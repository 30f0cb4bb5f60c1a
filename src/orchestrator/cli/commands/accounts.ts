import { EXIT } from '../../../system/failure.ts';
import { selectDevnet, viewOf } from '../../devnet/select.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'accounts',
  group: 'look at a network',
  summary: 'print the funded accounts with their keys, and the index that other commands take',
  examples: ['devnet accounts', 'devnet accounts --json'],
  arguments: [DEVNET_ARGUMENT],
  options: [{ flags: '--json', description: 'one JSON document' }, ...DEVNET_OPTIONS],
  async run(io, [name], options) {
    const { plan } = viewOf(selectDevnet(io, wantedName(name, options)));
    const rows = plan.network.chains.flatMap((chain) => {
      let next = 0;
      return chain.accounts.map((account) => {
        const index = account.role === undefined && account.privateKey !== undefined ? next++ : null;
        return { chain: chain.name, chainId: chain.chainId, index, ...account };
      });
    });
    if (options['json'] === true) io.stdout(`${JSON.stringify(rows, null, 2)}\n`);
    else {
      for (const { chain, index, address, privateKey, role } of rows)
        io.stdout(
          fitToTerminal(
            io,
            `${[
              ...[chain, String(index ?? '').padStart(2), address, privateKey ?? keyText(role)],
              ...(role === undefined ? [] : [role]),
            ].join('  ')}\n`,
          ),
        );
      io.stderr('WARNING: these keys are public. Never send real funds to them.\n');
    }
    return EXIT.done;
  },
};

const keyText = (role: string | undefined) => (role === 'funded' ? '(no key known)' : '(its process holds the key)');
