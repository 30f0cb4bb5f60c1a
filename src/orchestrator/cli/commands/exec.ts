import { EXIT, Failure } from '../../../system/failure.ts';
import { programFault } from '../../../system/process/executable.ts';
import { bringUp } from '../../start/bring-up.ts';
import { commandEnvironment } from '../../start/command-environment.ts';
import { reuse } from '../../start/reuse.ts';
import { sayEnd } from '../../start/say-end.ts';
import { runUserCommand } from '../../start/user-command.ts';
import { type CommandDefinition, listOption, textOption } from '../input/command.ts';
import { readyBudget } from '../input/ready-budget.ts';
import { specInput } from '../input/spec-options.ts';
import { UP_OPTIONS } from '../input/up-options.ts';

export const command: CommandDefinition = {
  name: 'exec',
  group: 'run a network',
  summary: 'start a network, run a command with the variables of `env`, tear down; exits with its code',
  examples: ['devnet exec -- forge test', 'devnet exec ./my.yaml -- npm test'],
  exits: { 1: 'the network failed; else the code of the command' },
  arguments: [{ syntax: '[spec]', description: 'as for up; the command and its arguments follow after --' }],
  options: UP_OPTIONS,
  async run(io, [spec], options) {
    const argv = listOption(options, '--');
    if (argv.length === 0)
      throw new Failure('usage', 'exec: expected a command: `devnet exec [SPEC] -- CMD…`', { exit: EXIT.usage });
    const [program = ''] = argv;
    const fault = programFault(program, io.env['PATH']);
    if (fault !== undefined)
      throw new Failure('spawn', `exec: cannot run ${program}: it ${fault}`, {
        exit: EXIT.lacking,
        hint: 'nothing was started; name the command by its path, or put its folder into PATH',
      });
    const input = specInput(spec, options);
    const budget = readyBudget(io, options);
    const up = await bringUp(io, {
      source: { input, settle: ({ spec }) => reuse(io, spec.name, false, budget.budgetMs) },
      ...budget,
      report: textOption(options, 'report'),
      followInput: false,
      followSignals: true,
      quiet: false,
    });
    if (up.kind === 'no') return up.code;
    const command = runUserCommand(io, argv, commandEnvironment(io, up.plan));
    const first = await Promise.race([command.exited, up.session.ended.then(() => 'network' as const)]);
    if (first === 'network') {
      // The network failed or was interrupted: the command cannot continue.
      command.end();
      await command.exited;
      return await sayEnd(io, await up.session.ended, up.plan.devnet);
    }
    up.session.interrupt();
    const result = await up.session.ended;
    const isCleared = result.kind !== 'ended' || (result.end?.errors.length ?? 0) === 0;
    if (!isCleared) await sayEnd(io, result, up.plan.devnet);
    if (typeof first !== 'number') throw first;
    // The exit code of the command itself, unless it succeeded and its network could not be taken down.
    return up.session.interrupted() ?? (first === EXIT.done && !isCleared ? EXIT.failed : first);
  },
};
