import { EXIT, Failure } from '../../../system/failure.ts';
import type { Pairs, Wish } from '../../change/replan.ts';
import { listOption, type OptionDefinition, type OptionValues } from './command.ts';

export const CHANGE_OPTIONS: readonly OptionDefinition[] = [
  {
    flags: '--override <fork=time>',
    description:
      'activate a fork at another time on this node: +20s, now+20s, block:40, a timestamp, never, chain (the chain’s)',
    repeatable: true,
  },
  {
    flags: '--arg <name=value>',
    description: 'set an argument of one process (NODE.el, NODE.cl, batcher, …); `null` removes it',
    repeatable: true,
  },
];

function pairs(option: 'override' | 'arg', options: OptionValues): Pairs {
  return listOption(options, option).map((text) => {
    const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new Failure('usage', `--${option}: expected NAME=VALUE, found ${JSON.stringify(text)}`, {
        exit: EXIT.usage,
      });
    return [name, value] as const;
  });
}

/** Reads `--override` and `--arg` of a restart. @throws Failure `usage` (exit 2) */
export function wishOf(options: OptionValues): Wish {
  return { overrides: pairs('override', options), args: pairs('arg', options) };
}
