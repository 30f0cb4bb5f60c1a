import { EXIT, Failure } from '../../../system/failure.ts';
import { programFault } from '../../../system/process/executable.ts';
import { definedVariables } from '../../../system/process/process.ts';
import { onInputEnd, onInterrupt } from '../../../system/program/terminal.ts';
import { runUserCommand } from '../../start/user-command.ts';
import { type CommandDefinition, listOption, textOption } from '../input/command.ts';
import { numberOption } from '../input/number-option.ts';
import { readyBudget } from '../input/ready-budget.ts';
import { specInput } from '../input/spec-options.ts';

/** Networks at a time: each takes some hundred MB of memory. */
const DEFAULT_POOL_SIZE = 8;

export const command: CommandDefinition = {
  name: 'pool',
  group: 'run a network',
  summary: 'serve networks by HTTP, one for each worker of a test runner in any language',
  examples: ['devnet pool -- pytest -n 4', 'devnet pool ./my.yaml --port 9502 --limit 4'],
  exits: { 1: 'not everything ended; else the code of the command' },
  arguments: [
    {
      syntax: '[spec]',
      description: 'as for up; a command that has DEVNET_POOL_URL, and ends the pool, follows after --',
    },
  ],
  options: [
    { flags: '--port <port>', description: 'the port to serve on; default: 9502 or the next free one' },
    { flags: '--limit <n>', description: 'networks at a time', default: String(DEFAULT_POOL_SIZE) },
    { flags: '--from <snapshot>', description: 'begin each network where a snapshot was taken: its name, or a file' },
    { flags: '--set <path=value>', description: 'set a value of the spec: chains.main.blockTime=1', repeatable: true },
    {
      flags: '--ready-budget <budget>',
      description: 'give up a network that is not ready after this time (default: 1m)',
    },
  ],
  async run(io, [spec], options) {
    const argv = listOption(options, '--');
    const [program] = argv;
    const fault = program === undefined ? undefined : programFault(program, io.env['PATH']);
    if (fault !== undefined)
      throw new Failure('spawn', `pool: cannot run ${program}: it ${fault}`, {
        exit: EXIT.lacking,
        hint: 'nothing was started; name the command by its path, or put its folder into PATH',
      });
    const request = {
      ...readyBudget(io, options),
      input: specInput(spec, options),
      from: textOption(options, 'from'),
      port: numberOption(options, 'port', 0, 65_535),
      limit: numberOption(options, 'limit', 1, 1000) ?? DEFAULT_POOL_SIZE,
      base: typeof spec === 'string' ? spec : undefined,
    };
    const { startPool } = await import('../../pool/run.ts');
    const stopped = Promise.withResolvers<number>();
    const unfollow = [
      onInterrupt((signal) => stopped.resolve(signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted)),
      argv.length > 0 ? () => undefined : onInputEnd(() => stopped.resolve(EXIT.interrupted)),
    ];
    const pool = await startPool(io, request);
    try {
      if (argv.length === 0) {
        io.stdout(`${pool.url}\n`);
        io.stderr(`${pool.url}/WORKER/start starts a network and returns its variables; Ctrl-C ends all\n`);
        return await stopped.promise;
      }
      const env = { ...definedVariables(io.env), DEVNET_POOL_URL: pool.url };
      const command = runUserCommand(io, argv, env);
      const first = await Promise.race([command.exited, stopped.promise.then((code) => ({ code }))]);
      if (typeof first === 'number') return first;
      if (first instanceof Failure) throw first;
      command.end();
      await command.exited;
      return first.code;
    } finally {
      for (const undo of unfollow) undo();
      await pool.close();
    }
  },
};
