import { shellQuote } from '../../../system/program/shell-quote.ts';
import type { Command, Plan, Task } from '../plan.ts';
import { secretFiles } from '../secret-files.ts';
import { assignments } from './pasteable.ts';
import { waitsOf } from './print.ts';

/**
 * Writes a bash script that starts the plan by hand, once its files are written.
 * The script runs the prepare steps and every process in the background, then waits. Secrets are read from their
 * files.
 */
export function shellScript(plan: Plan): string {
  const secrets = secretFiles(plan.files);
  return [
    '#!/usr/bin/env bash',
    `# The devnet ${plan.devnet}, started by hand. Its files lie in ${plan.home}.`,
    'set -euo pipefail',
    `trap 'trap - EXIT; kill $(jobs -p) 2>/dev/null; wait' EXIT`,
    `trap 'exit 130' INT TERM`,
    ...plan.tasks.flatMap((task) => ['', ...taskLines(task, secrets)]),
    '',
    'wait',
    '',
  ].join('\n');
}

function taskLines(task: Task, secrets: ReadonlyMap<string, string>): readonly string[] {
  const head = `# ${task.id}: ${task.client}`;
  if (task.launch === 'external') return [`${head}, running already`];
  if (task.container !== undefined)
    return [`${head}, in a container of ${task.container.image}, which devnet up starts`];
  const launched = `(${inFolder(task.command, secrets, true)}) >${shellQuote(task.log)} 2>&1 &`;
  const prepared = task.prepare.map((command) => `(${inFolder(command, secrets, false)})`);
  const waits = waitsOf(task).map((wait) => `# ${wait}`);
  if (task.launch === 'manual') return [`${head}, which you start yourself`, ...prepared, ...waits, `# ${launched}`];
  return [head, ...prepared, ...waits, launched];
}

function inFolder(command: Command, secrets: ReadonlyMap<string, string>, last: boolean): string {
  const env = assignments(command, secrets);
  const words = [...env, ...command.argv.map(shellQuote)];
  const start = last ? (env.length > 0 ? 'exec env' : 'exec') : env.length > 0 ? 'env' : '';
  const folder = shellQuote(command.cwd);
  return `mkdir -p ${folder} && cd ${folder} && ${[start, ...words].filter((word) => word !== '').join(' ')}`;
}
