import { EXIT, Failure } from '../../../system/failure.ts';
import { sizeOf } from '../../../system/files/lines.ts';
import { olderPart } from '../../../system/files/rotate.ts';
import { onInterrupt, onOutputGone } from '../../../system/program/terminal.ts';
import { mustRunHere } from '../../devnet/own-spec.ts';
import { selectDevnet, viewOf } from '../../devnet/select.ts';
import { tasksOf } from '../../devnet/targets.ts';
import { followLogs, type LogFile, type LogFilter, readLogs } from '../../logs/logs.ts';
import { logFilesOf } from '../../logs/task-logs.ts';
import { TUNNEL } from '../../plan/lookup.ts';
import { redactor, secretsOf } from '../../plan/redact.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { DEVNET_OPTIONS } from '../input/devnet-options.ts';
import { durationOption } from '../input/duration-option.ts';

export const command: CommandDefinition = {
  name: 'logs',
  group: 'look at a network',
  summary: 'print the logs of all processes, of a node or of one process, merged by time',
  examples: ['devnet logs verifier -f', 'devnet logs sequencer.cl --grep error'],
  arguments: [
    {
      syntax: '[node]',
      description: 'NODE, NODE.el, NODE.cl, batcher, proposer, l1, l1-beacon, or a task as status names it',
    },
  ],
  options: [
    { flags: '-f, --follow', description: 'keep printing new lines' },
    { flags: '--grep <pattern>', description: 'only lines that match this regular expression' },
    { flags: '--since <duration>', description: 'only lines of the last 30s, 5m, …' },
    ...DEVNET_OPTIONS,
  ],
  forPrograms: () => true,
  async run(io, [node], options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { plan } = viewOf(devnet);
    const tasks = typeof node === 'string' ? tasksOf(plan, node) : plan.tasks;
    if (!plan.tasks.some(({ id }) => id === TUNNEL)) mustRunHere(devnet, 'log', tasks);
    const since = durationOption(options, 'since');
    const filter: LogFilter = {
      ...(options['grep'] === undefined ? {} : { pattern: patternOf(String(options['grep'])) }),
      ...(since === undefined ? {} : { since: Date.now() - since }),
    };
    const logs = logFilesOf(tasks);
    const hide = redactor(secretsOf(plan));
    let isEmpty = true;
    const print = (line: string) => {
      isEmpty = false;
      io.stdout(`${hide(line)}\n`);
    };
    const positions = readLogs(logs, filter, print);
    if (isEmpty) {
      const whose = typeof node === 'string' ? node : `the processes of ${devnet.paths.name}`;
      io.stderr(nothingFound(whose, logs, { grep: options['grep'], since: options['since'] }));
    }
    if (options['follow'] !== true) return EXIT.done;
    const stop = new AbortController();
    const unfollow = [onInterrupt(() => stop.abort()), onOutputGone(() => stop.abort())];
    await followLogs(logs, positions, filter, print, stop.signal);
    for (const undo of unfollow) undo();
    return EXIT.done;
  },
};

/** Says that no line was printed, by which options, and where the logs are. */
function nothingFound(
  whose: string,
  logs: readonly LogFile[],
  { grep, since }: { readonly grep: unknown; readonly since: unknown },
): string {
  const paths = logs.map(({ path }) => `  ${path}\n`).join('');
  if (logs.every(({ path }) => sizeOf(path) === 0 && sizeOf(olderPart(path)) === 0))
    return `devnet: logs: ${whose} wrote nothing yet; empty or missing:\n${paths}`;
  const span = since === undefined ? '' : ` of the last ${String(since)}`;
  const match = grep === undefined ? '' : ` matches /${String(grep)}/`;
  const untimed = since === undefined ? '' : ' (a line without a time counts with the line before it)';
  const verdict = `no line of ${whose}${span}${match === '' ? ' was found' : match}${untimed}`;
  return `devnet: logs: ${verdict}; searched:\n${paths}`;
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (cause) {
    throw new Failure('usage', `--grep: invalid regular expression ${JSON.stringify(text)}`, {
      exit: EXIT.usage,
      cause,
    });
  }
}
