import { EXIT, Failure } from '../../../system/failure.ts';
import { onInterrupt, onOutputGone } from '../../../system/terminal.ts';
import { followLogs, type LogFilter, readLogs } from '../../observe/logs.ts';
import { redactor, secretsOf } from '../../plan/redact.ts';
import { durationOption } from '../../workflow/bring-up.ts';
import { type CommandDefinition, textOption } from '../../workflow/command.ts';
import { DEVNET_OPTIONS, selectDevnet, viewOf } from '../../workflow/select.ts';
import { tasksOf } from '../../workflow/targets.ts';

export const command: CommandDefinition = {
  name: 'logs',
  group: 'look at a network',
  summary: 'print the logs of all processes, of a node or of one process',
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
  async run(io, [node], options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { plan } = viewOf(devnet);
    const tasks = typeof node === 'string' ? tasksOf(plan, node) : plan.tasks;
    const since = durationOption(options, 'since');
    const filter: LogFilter = {
      ...(options['grep'] === undefined ? {} : { pattern: patternOf(String(options['grep'])) }),
      ...(since === undefined ? {} : { since: Date.now() - since }),
    };
    const logs = tasks.map(({ id, log }) => ({ task: id, path: log }));
    const hide = redactor(secretsOf(plan));
    const print = (line: string) => io.stdout(`${hide(line)}\n`);
    const positions = readLogs(logs, filter, print);
    if (options['follow'] !== true) return EXIT.done;
    const stop = new AbortController();
    const unfollow = [onInterrupt(() => stop.abort()), onOutputGone(() => stop.abort())];
    await followLogs(logs, positions, filter, print, stop.signal);
    for (const undo of unfollow) undo();
    return EXIT.done;
  },
};

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
