import { EXIT, Failure } from '../../../../system/failure.ts';
import { healFaults, readFaults } from '../../../change/faults.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { faultsOf, faultText } from '../../../faults/describe.ts';
import type { FaultDocument } from '../../../state/faults.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { DEVNET_OPTIONS } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'fault heal',
  group: 'change a network',
  summary: 'end a fault, or all',
  examples: ['devnet fault heal 1', 'devnet fault heal --all'],
  arguments: [{ syntax: '[id]', description: 'as `devnet fault ls` names it; may be left out if there is one' }],
  options: [{ flags: '--all', description: 'every fault; none is fine, too' }, ...DEVNET_OPTIONS],
  async run(io, [id], options) {
    const isAll = options['all'] === true;
    if (isAll && id !== undefined)
      throw new Failure('usage', 'expected an id or --all, found both', { exit: EXIT.usage });
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const standing = await readFaults(devnet);
    const healed = await healFaults(devnet, isAll ? 'all' : [id === undefined ? onlyOne(standing) : String(id)]);
    for (const fault of faultsOf(standing).filter((each) => healed.includes(each.id)))
      io.stderr(`fault ${fault.id} is healed: ${faultText(fault)}\n`);
    if (healed.length === 0) io.stderr('no fault stands\n');
    return EXIT.done;
  },
};

/** @throws Failure `fault` (exit 2) unless one fault stands */
function onlyOne(standing: FaultDocument): string {
  const [first, ...others] = faultsOf(standing);
  if (first !== undefined && others.length === 0) return first.id;
  const ids = faultsOf(standing).map(({ id }) => id);
  throw new Failure(
    'fault',
    first === undefined ? 'no fault stands' : `${ids.length} faults stand: ${ids.join(', ')}`,
    {
      exit: EXIT.usage,
      data: { expected: ids },
      ...(first === undefined ? {} : { hint: 'name one of them, or give --all' }),
    },
  );
}
