import { DEFAULT_BASE } from '../../../protocol/forks/index.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { spanText } from '../../../system/numbers/human.ts';
import { interruptibly, WARP_TARGETS, warp } from '../../change/warp.ts';
import type { WarpResult } from '../../clock/warp.ts';
import { selectDevnet, viewOf } from '../../devnet/select.ts';
import { isoTime } from '../../status/forks.ts';
import { showTasks } from '../../terminal/task-list.ts';
import { warpProgressText } from '../../terminal/warp-progress.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { DEVNET_OPTIONS } from '../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'warp',
  group: 'change a network',
  summary: "move the network's clock forward, slot by slot: every block in between is built, posted and derived",
  examples: ['devnet warp +1h', `devnet warp --to fork:${DEFAULT_BASE} --past`],
  arguments: [{ syntax: '[+duration]', description: '+30s, +10m, +1h' }],
  options: [
    { flags: '--to <target>', description: WARP_TARGETS },
    { flags: '--past', description: 'with fork:NAME: into its first block; default: to the last block before it' },
    { flags: '--chain <name>', description: 'the chain of a fork or block; may be left out if there is one' },
    { flags: '--json', description: 'one JSON document' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [by], options) {
    const targets = [by, options['to']].filter((word) => typeof word === 'string');
    const [to] = targets;
    if (to === undefined || targets.length > 1)
      throw new Failure('usage', `expected one target: ${WARP_TARGETS}`, { exit: EXIT.usage });
    const request = { to, past: options['past'] === true, chain: textOption(options, 'chain') };
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const blockTime = Math.min(...viewOf(devnet).plan.network.chains.map((chain) => chain.blockTime));
    let began: number | undefined;
    const result = await interruptibly((signal) =>
      showTasks(io, 'warping', [TASK], (list) =>
        warp(devnet, request, {
          signal,
          onProgress: ({ from, at, to: end }) => {
            began ??= performance.now();
            list.detail(TASK, warpProgressText({ from, at, to: end, elapsed: performance.now() - began, blockTime }));
          },
        }).then((done) => {
          list.done(TASK);
          return done;
        }),
      ),
    );
    io.stdout(options['json'] === true ? `${JSON.stringify(documentOf(result), null, 2)}\n` : textOf(result));
    return result.complete ? EXIT.done : EXIT.interrupted;
  },
};

const TASK = 'warp';

const timeText = (ms: number) => isoTime(Math.floor(ms / 1000));

/** The JSON document. Times are Unix seconds of the network's clock. */
function documentOf({ from, at, to, complete, ms, blocks }: WarpResult): object {
  return { from: from / 1000, at: at / 1000, to: to / 1000, complete, seconds: ms / 1000, blocks };
}

/** Tenths of a second matter for a short warp alone. */
const secondsText = (ms: number) => (ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : spanText(ms / 1000));

function textOf({ from, at, to, complete, ms, blocks }: WarpResult): string {
  const heads = Object.entries(blocks).map(([chain, number]) => `${chain} at block ${number}`);
  return (
    `${complete ? 'warped' : `ended before ${timeText(to)}: warped`} ${spanText((at - from) / 1000)} ` +
    `in ${secondsText(ms)} to ${timeText(at)}${heads.length > 0 ? `: ${heads.join(', ')}` : ''}\n`
  );
}
