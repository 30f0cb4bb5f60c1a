import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { root } from '../e2e/devnet.ts';

interface Step {
  readonly name: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** A machine of CI: its folders, and the environment that earlier steps left. */
export interface Runner {
  readonly folder: string;
  readonly env: Record<string, string>;
}

/** Makes a runner with an empty project. */
export function runnerIn(folder: string, env: Readonly<Record<string, string>>): Runner {
  for (const name of ['temp', 'project']) mkdirSync(join(folder, name), { recursive: true });
  return { folder, env: { ...env, RUNNER_TEMP: join(folder, 'temp') } };
}

/**
 * Runs the steps of action.yml as a runner of GitHub does. Returns the names of the steps that ran, those that failed,
 * and the paths that would be uploaded.
 */
export async function runAction(runner: Runner, values: Readonly<Record<string, string>>) {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;
  expect(Object.keys(values).filter((name) => action.inputs[name] === undefined)).toEqual([]);
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [name, values[name] ?? input.default]),
  );
  const ran: string[] = [];
  const failed: string[] = [];
  const uploads: string[] = [];
  let output = '';
  for (const step of action.runs.steps) {
    if (!holds(step.if ?? 'success()', inputs, failed.length > 0)) continue;
    const filled = (text = '') =>
      text.replace(/\$\{\{ (.*?) \}\}/g, (_, name: string) =>
        name === 'runner.temp' ? runner.env['RUNNER_TEMP']! : inputOf(name, inputs),
      );
    ran.push(step.name);
    if (step.uses !== undefined) uploads.push(filled(step.with?.['path']));
    if (step.run === undefined) continue;
    const stepEnv = Object.fromEntries(Object.entries(step.env ?? {}).map(([key, value]) => [key, filled(value)]));
    const cwd = join(runner.folder, 'project', filled(step['working-directory']));
    const result = await bash(step.run, cwd, stepEnv, runner);
    output += result.output;
    if (result.code !== 0) failed.push(step.name);
  }
  return { ran, failed, uploads, output };
}

/** Runs the lines of a step, and reads what it leaves for later ones. */
function bash(script: string, cwd: string, stepEnv: Readonly<Record<string, string>>, { env, folder }: Runner) {
  const files = { GITHUB_ENV: join(folder, 'temp', 'env'), GITHUB_PATH: join(folder, 'temp', 'path') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  return new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    execFile('bash', args, { cwd, env: { ...env, ...stepEnv, ...files } }, (error, stdout, stderr) => {
      for (const line of linesOf(files.GITHUB_ENV)) {
        const at = line.indexOf('=');
        expect(at, line).toBeGreaterThan(0);
        env[line.slice(0, at)] = line.slice(at + 1);
      }
      for (const line of linesOf(files.GITHUB_PATH)) env['PATH'] = `${line}${delimiter}${env['PATH']}`;
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** Tells whether a step runs, by what action.yml uses of the language. Without a function it needs success so far. */
function holds(condition: string, inputs: Readonly<Record<string, string>>, hasFailed: boolean): boolean {
  const asks = /\b(always|failure|success)\(\)/.test(condition);
  const term = (text: string): boolean => {
    if (text === 'always()') return true;
    if (text === 'failure()') return hasFailed;
    if (text === 'success()') return !hasFailed;
    const [, name = '', operator, value] = /^(inputs\.\S+) (==|!=) '(.*)'$/.exec(text) ?? [];
    expect(operator, `unknown in a condition: ${text}`).toBeDefined();
    return (inputOf(name, inputs) === value) === (operator === '==');
  };
  const any = (text: string) => text.split(' || ').some(term);
  const all = condition.split(' && ').every((part) => any(part.replace(/^\((.*)\)$/, '$1')));
  return all && (asks || !hasFailed);
}

function inputOf(name: string, inputs: Readonly<Record<string, string>>): string {
  const value = inputs[name.replace('inputs.', '')];
  expect(value, name).toBeDefined();
  return value!;
}
