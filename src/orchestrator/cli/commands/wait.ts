import { EXIT, Failure } from '../../../system/failure.ts';
import { CONDITION, nearestCondition, parseCondition } from '../../wait/condition.ts';
import { waitInDevnet } from '../../wait/wait-in-devnet.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { DEVNET_OPTIONS } from '../input/devnet-options.ts';
import { durationOption } from '../input/duration-option.ts';

export const command: CommandDefinition = {
  name: 'wait',
  group: 'look at a network',
  summary: 'wait for a condition: ready, block:40, safe:3, finalized:1, fork:NAME',
  examples: ['devnet wait ready', 'devnet wait block:40 --timeout 2m', 'devnet wait safe:3'],
  exits: { 3: 'the condition did not come true in time' },
  arguments: [
    { syntax: '<condition>', description: 'ready | block:N | safe:N | finalized:N | fork:NAME' },
    { syntax: '[@node]', description: 'on this node only; default: on every node' },
  ],
  options: [
    {
      flags: '--timeout <duration>',
      description: 'give up after this time; chain time if it is stepped',
      default: '60s',
    },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [text, at], options) {
    const condition = parseCondition(String(text));
    if (condition === undefined)
      throw new Failure(
        'usage',
        `cannot wait for ${JSON.stringify(text)}: expected ${CONDITION}` + (await guess(String(text))),
        { exit: EXIT.usage },
      );
    if (typeof at === 'string' && !at.startsWith('@'))
      throw new Failure('usage', `${JSON.stringify(at)}: expected a node as @NODE`, { exit: EXIT.usage });
    const outcome = await waitInDevnet(io, {
      name: textOption(options, 'name'),
      condition,
      node: typeof at === 'string' ? at.slice(1) : undefined,
      timeoutMs: durationOption(options, 'timeout') ?? 60_000,
    });
    if (outcome.code !== EXIT.done) io.stderr(`devnet: ${outcome.description}\n`);
    return outcome.code;
  },
};

/** Suggests the condition that a misspelt one most likely means. */
async function guess(text: string): Promise<string> {
  const { nearest } = await import('../../spec/text/nearest.ts');
  const corrected = nearestCondition(text, nearest);
  return corrected === undefined ? '' : ` (did you mean ${corrected}?)`;
}
