import { EXIT, Failure } from '../../system/failure.ts';
import type { CommandDefinition } from './command.ts';
import { NODE_ARGUMENT, NODE_OPTIONS, nodeCommand } from './node-command.ts';
import { replan } from './replan.ts';

export const command: CommandDefinition = {
  name: 'node restart',
  summary: "stop a node's processes and start them again, with other fork times or arguments if wanted",
  arguments: [NODE_ARGUMENT],
  options: [
    {
      flags: '--override <fork=time>',
      description: 'activate a fork at another time on this node: +20s, now+20s, a timestamp, never',
      repeatable: true,
    },
    {
      flags: '--arg <name=value>',
      description: 'another value for an argument of NODE.el or NODE.cl; `null` drops it',
      repeatable: true,
    },
    ...NODE_OPTIONS,
  ],
  async run(io, [node], options) {
    const overrides = pairs('override', options['override']);
    const args = pairs('arg', options['arg']);
    const changes = overrides.length + args.length > 0;
    await nodeCommand(io, 'restart', String(node), options, async (plan, tasks) =>
      changes ? replan(io, plan, tasks, overrides, args) : undefined,
    );
    return EXIT.done;
  },
};

function pairs(option: string, given: unknown): readonly (readonly [string, string])[] {
  return ((given as readonly string[] | undefined) ?? []).map((text) => {
    const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new Failure('usage', `--${option}: expected NAME=VALUE, found ${JSON.stringify(text)}`, {
        exit: EXIT.usage,
      });
    return [name, value] as const;
  });
}
