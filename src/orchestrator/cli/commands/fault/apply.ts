import { EXIT, Failure } from '../../../../system/failure.ts';
import { applyFaults } from '../../../change/faults.ts';
import { selectDevnet, viewOf } from '../../../devnet/select.ts';
import { faultsOf, faultText } from '../../../faults/describe.ts';
import { readDocument } from '../../../faults/read-document.ts';
import { source } from '../../../load/package-files.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { DEVNET_OPTIONS } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'fault apply',
  group: 'change a network',
  summary: 'put the faults of a file in force: those that it lacks are healed, those that it repeats go on',
  examples: ['devnet fault apply faults.yaml'],
  arguments: [{ syntax: '<file>', description: 'a document with partitions, shaping, rpc and pool, YAML or JSON' }],
  options: DEVNET_OPTIONS,
  async run(io, [file], options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { plan } = viewOf(devnet);
    const text = source(io.cwd, String(file));
    if (text === undefined) throw new Failure('fault', `there is no file ${file}`, { exit: EXIT.usage });
    const faults = faultsOf(await applyFaults(devnet, readDocument(text, plan)));
    for (const fault of faults) io.stderr(`fault ${fault.id}: ${faultText(fault)}\n`);
    if (faults.length === 0) io.stderr('no fault stands\n');
    return EXIT.done;
  },
};
