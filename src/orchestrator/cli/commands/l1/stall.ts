import { EXIT, Failure } from '../../../../system/failure.ts';
import { parseDuration } from '../../../../system/program/options.ts';
import { l1Resumed, resumeL1, stallL1 } from '../../../change/l1.ts';
import { interruptibly } from '../../../change/warp.ts';
import { isoInstant } from '../../../clock/warp.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { DEVNET_OPTIONS } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'l1 stall',
  group: 'change a network',
  summary: 'let L1 make no block while time goes on; its slots stay empty',
  examples: ['devnet l1 stall 30s', 'devnet l1 stall'],
  arguments: [
    {
      syntax: '[duration]',
      description: "of the network's clock: the command waits, and Ctrl-C ends the stall; default: until `l1 resume`",
    },
  ],
  options: DEVNET_OPTIONS,
  async run(io, [duration], options) {
    const ms = duration === undefined ? undefined : durationOf(String(duration));
    const devnet = selectDevnet(io, textOption(options, 'name'));
    if (ms === undefined) {
      await stallL1(devnet);
      io.stderr('L1 is stalled: `devnet l1 resume` ends it\n');
      return EXIT.done;
    }
    return interruptibly(async (signal) => {
      const { until } = await stallL1(devnet, ms);
      io.stderr(`L1 is stalled until ${isoInstant(until ?? 0)}\n`);
      if (await l1Resumed(devnet, signal)) {
        io.stderr('L1 goes on\n');
        return EXIT.done;
      }
      await resumeL1(devnet);
      io.stderr('interrupted: L1 goes on\n');
      return EXIT.interrupted;
    });
  },
};

/** @throws Failure `usage` */
function durationOf(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new Failure('usage', `expected a duration like 30s or 5m, found ${JSON.stringify(text)}`, {
    exit: EXIT.usage,
  });
}
