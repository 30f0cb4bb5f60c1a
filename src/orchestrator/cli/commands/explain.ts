import { EXIT } from '../../../system/failure.ts';
import { specJsonSchema } from '../../spec/schema/spec.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import type { CommandDefinition } from '../input/command.ts';
import { explainWord } from '../input/explain-word.ts';

export const command: CommandDefinition = {
  name: 'explain',
  group: 'specs and clients',
  summary: 'explain a key of the spec, an error code, or an exit code',
  examples: [
    'devnet explain chains.main.batcher.da',
    'devnet explain blockTime',
    'devnet explain port',
    'devnet explain 3',
  ],
  exits: { 2: 'there is no such key or code' },
  arguments: [{ syntax: '<word>', description: 'a key with its path or alone, an error code, or an exit code' }],
  options: [],
  async run(io, [word]) {
    for (const line of explainWord(String(word), specJsonSchema())) io.stdout(fitToTerminal(io, `${line}\n`));
    return EXIT.done;
  },
};
