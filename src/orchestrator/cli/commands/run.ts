import { resolve } from 'node:path';
import { EXIT, Failure } from '../../../system/failure.ts';
import { replaceFile } from '../../../system/files/folder.ts';
import { onInterrupt } from '../../../system/program/terminal.ts';
import { selectDevnet } from '../../devnet/select.ts';
import { version } from '../../devnet/version.ts';
import { resultLines } from '../../scenario/perform/lines.ts';
import { type Outcome, runScenario } from '../../scenario/perform/run-scenario.ts';
import { runSteps } from '../../scenario/perform/run-steps.ts';
import { defaultBudget } from '../../start/ready-budget.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import type { Io } from '../../terminal/io.ts';
import { type CommandDefinition, type OptionValues, textOption } from '../input/command.ts';
import { durationOption } from '../input/duration-option.ts';
import { specInput } from '../input/spec-options.ts';

export const command: CommandDefinition = {
  name: 'run',
  group: 'run a network',
  summary: 'start a network, run the steps of a scenario, report, tear down; or run them on one that is up',
  examples: [
    'devnet run missed-fork',
    'devnet run ./mine.yaml --json --junit result.xml',
    'devnet run failed.tgz --keep',
    'devnet run ./mine.yaml --set l1.blockTime=4',
    'devnet run ./mine.yaml --on team',
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
    { flags: '--on <name>', description: 'run the steps alone, on this devnet, which is up or attached, and leave it' },
    { flags: '--ready-budget <duration>', description: 'give up when it is not ready after this time (default: 1m)' },
    { flags: '--set <path=value>', description: "set a value of the scenario's devnet", repeatable: true },
    { flags: '--runtime <kind>', description: 'in what every process runs: docker, process or embedded' },
    { flags: '-n, --name <name>', description: "the name of the devnet, in place of the scenario's" },
  ],
  async run(io, [file], options) {
    const { code, result } = await outcomeOf(io, String(file), options);
    if (options['json'] === true) io.stdout(`${JSON.stringify(result, null, 2)}\n`);
    const junit = textOption(options, 'junit');
    if (junit !== undefined) {
      const { junitXml } = await import('../../scenario/perform/junit.ts');
      replaceFile(resolve(io.cwd, junit), junitXml(result));
    }
    return code;
  },
};

async function outcomeOf(io: Io, file: string, options: OptionValues): Promise<Outcome> {
  const on = textOption(options, 'on');
  if (on !== undefined) return await onNetwork(io, file, on, options);
  const repro = textOption(options, 'repro');
  if (repro !== undefined && !/\.(tgz|tar\.gz)$/.test(repro))
    throw new Failure('usage', `--repro: expected a file that ends with .tgz, found ${repro}`, { exit: EXIT.usage });
  return await runScenario(io, {
    file,
    set: specInput(undefined, options).set,
    repro: repro === undefined ? undefined : resolve(io.cwd, repro),
    version: version(),
    keep: options['keep'] === true,
    budgetMs: durationOption(options, 'readyBudget') ?? defaultBudget(io.env),
  });
}

/** Options that are about the start and the end of a scenario's own network. */
const OF_A_START = ['repro', 'keep', 'readyBudget', 'set', 'runtime', 'name'];

/** Runs the steps of a scenario on a network that is up. Ctrl-C ends the run and leaves the network. */
async function onNetwork(io: Io, file: string, name: string, options: OptionValues): Promise<Outcome> {
  const other = OF_A_START.find((each) => options[each] !== undefined);
  if (other !== undefined)
    throw new Failure('usage', `--on: the network ${name} is up, and --${dashed(other)} is about a start`, {
      exit: EXIT.usage,
      hint: `leave out --on or --${dashed(other)}`,
    });
  const devnet = selectDevnet(io, name);
  const over = new AbortController();
  const undo = onInterrupt(() => over.abort());
  try {
    const result = await runSteps(io, devnet, file, { seed: undefined, over: over.signal });
    for (const line of resultLines(result)) io.stderr(fitToTerminal(io, `${line}\n`, 'stderr'));
    return { code: over.signal.aborted ? EXIT.interrupted : result.passed ? EXIT.done : EXIT.failed, result };
  } finally {
    undo();
  }
}

function dashed(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
