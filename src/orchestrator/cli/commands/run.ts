import { resolve } from 'node:path';
import { EXIT, Failure } from '../../../system/failure.ts';
import { replaceFile } from '../../../system/files/folder.ts';
import { version } from '../../devnet/version.ts';
import { runScenario } from '../../scenario/perform/run-scenario.ts';
import { defaultBudget } from '../../start/ready-budget.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { durationOption } from '../input/duration-option.ts';
import { specInput } from '../input/spec-options.ts';

export const command: CommandDefinition = {
  name: 'run',
  group: 'run a network',
  summary: 'start a network, run the steps of a scenario, report, tear down',
  examples: [
    'devnet run missed-fork',
    'devnet run ./mine.yaml --json --junit result.xml',
    'devnet run failed.tgz --keep',
  ],
  exits: { 1: 'a step failed' },
  arguments: [
    { syntax: '<scenario>', description: 'a path, the name of a file in devnets/scenarios/, or an archive of --repro' },
  ],
  options: [
    { flags: '--json', description: 'the result as one JSON document' },
    { flags: '--junit <file>', description: 'write the result as JUnit XML' },
    { flags: '--repro <file>', description: 'pack network, scenario, logs and result; `devnet run FILE.tgz` runs it' },
    { flags: '--keep', description: 'leave the network running' },
    { flags: '--ready-budget <duration>', description: 'give up when it is not ready after this time (default: 1m)' },
    { flags: '--runtime <kind>', description: 'in what every process runs: docker, process or embedded' },
    { flags: '-n, --name <name>', description: "the name of the devnet, in place of the scenario's" },
  ],
  async run(io, [file], options) {
    const repro = textOption(options, 'repro');
    if (repro !== undefined && !/\.(tgz|tar\.gz)$/.test(repro))
      throw new Failure('usage', `--repro: expected a file that ends with .tgz, found ${repro}`, { exit: EXIT.usage });
    const { code, result } = await runScenario(io, {
      file: String(file),
      set: specInput(undefined, options).set,
      repro: repro === undefined ? undefined : resolve(io.cwd, repro),
      version: version(),
      keep: options['keep'] === true,
      budgetMs: durationOption(options, 'readyBudget') ?? defaultBudget(io.env),
    });
    if (options['json'] === true) io.stdout(`${JSON.stringify(result, null, 2)}\n`);
    const junit = textOption(options, 'junit');
    if (junit !== undefined) {
      const { junitXml } = await import('../../scenario/perform/junit.ts');
      replaceFile(resolve(io.cwd, junit), junitXml(result));
    }
    return code;
  },
};
