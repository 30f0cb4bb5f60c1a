import { join } from 'node:path';
import { EXIT, messageOf } from '../../../system/failure.ts';
import { exists, remove, replaceFile } from '../../../system/files/folder.ts';
import { RUN_FILES, writeBundle } from '../../devnet/bundle.ts';
import { devnetAt, isUp } from '../../devnet/select.ts';
import { readPlan } from '../../folder/devnet-folder.ts';
import { homeOf } from '../../folder/home.ts';
import type { Plan } from '../../plan/plan.ts';
import { releasePorts } from '../../ports/reservations.ts';
import type { Assignment } from '../../spec/text/set.ts';
import { bringUp, type Up } from '../../start/bring-up.ts';
import { endDevnet } from '../../start/end-devnet.ts';
import { reuse } from '../../start/reuse.ts';
import { sayEnd } from '../../start/say-end.ts';
import type { Attached } from '../../start/session-client.ts';
import { pathsOf } from '../../state/paths.ts';
import { readHeads } from '../../status/heads.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import type { Io } from '../../terminal/io.ts';
import { loadScenario } from '../read/load.ts';
import type { ScenarioResult } from '../result.ts';
import { resultLines } from './lines.ts';
import { secondsSince } from './perform.ts';
import { performSteps, skippedSteps } from './perform-steps.ts';

export interface RunOptions {
  /** A path, or a name in devnets/scenarios/. */
  readonly file: string;
  /** Values of the spec over those of the scenario: `name="other"`. */
  readonly set: readonly Assignment[];
  /** Leaves the network running. */
  readonly keep: boolean;
  readonly budgetMs: number;
  /** Absolute path of the archive to write; undefined: none. */
  readonly repro: string | undefined;
  /** Version of this program, for the archive. */
  readonly version: string;
}

/** A run's exit code and its result. */
export interface Outcome {
  readonly code: number;
  readonly result: ScenarioResult;
}

/** Brings a scenario's network up, runs its steps and tears the network down. @throws Failure `scenario` (exit 2) */
export async function runScenario(io: Io, options: RunOptions): Promise<Outcome> {
  const loaded = await loadScenario(io, options.file, options.set);
  const began = performance.now();
  const { name } = loaded.spec.spec;
  const up = await bringUp(io, {
    source: { input: loaded.input, settle: () => mayStart(io, name, options.budgetMs) },
    budgetMs: options.budgetMs,
    followInput: false,
    followSignals: true,
    quiet: true,
  });
  const { scenario, source, spec } = loaded;
  const script = { scenario, source, seed: spec.spec.seed };
  if (up.kind === 'up') replaceFile(join(up.plan.home, RUN_FILES.scenario), source.text);
  const steps =
    up.kind === 'up'
      ? await performSteps(io, script, { plan: up.plan, networkEnd: up.session.ended })
      : skippedSteps(io, script, 0);
  const result: ScenarioResult = {
    name: loaded.scenario.name,
    passed: steps.every(({ status }) => status === 'passed'),
    seed: loaded.spec.spec.seed,
    seconds: secondsSince(began),
    steps,
    heads: up.kind === 'no' ? {} : await headsOf(readPlan(pathsOf(homeOf(io), name)) ?? up.plan),
  };
  if (up.kind === 'up' && options.repro !== undefined) await pack(io, up, result, options.repro, options.version);
  return up.kind === 'no' ? { code: up.code, result } : finish(io, up, result, options.keep);
}

/** Settles whether a devnet may start: what an earlier failed run left is replaced. */
async function mayStart(io: Io, name: string, budgetMs: number): Promise<number | undefined> {
  const paths = pathsOf(homeOf(io), name);
  if (!isUp(devnetAt(paths)) && exists(join(paths.folder, RUN_FILES.result))) return undefined;
  return reuse(io, name, false, budgetMs);
}

type Running = Extract<Up, { kind: 'up' }>;

/** Ends the network, or leaves it running, and returns the exit code. */
async function finish(io: Io, up: Running, result: ScenarioResult, keep: boolean): Promise<Outcome> {
  const { plan, session } = up;
  const paths = pathsOf(homeOf(io), plan.devnet);
  const isRunning = isUp(devnetAt(paths)) && session.interrupted() === undefined;
  const isKept = !result.passed && exists(paths.folder) && session.interrupted() === undefined;
  let whole: ScenarioResult = isKept || (keep && isRunning) ? { ...result, folder: plan.home } : result;
  if (isKept) replaceFile(join(plan.home, RUN_FILES.result), `${JSON.stringify(whole, null, 2)}\n`);
  let code: number = result.passed ? EXIT.done : EXIT.failed;
  if (keep && isRunning) {
    session.detach();
    io.stderr(`${plan.devnet} is left running; \`devnet down ${plan.devnet}\` ends it\n`);
  } else {
    if (isRunning && isKept) {
      await endDevnet(io, devnetAt(paths), 'keep', false);
      releasePorts(paths.home, { name: paths.name });
    } else if (isRunning) session.interrupt();
    const end = await session.ended;
    const faults = faultsOf(end);
    if (faults.length > 0) {
      const endCode = await sayEnd(io, end, plan.devnet);
      // A network that this run ends has the code of an interruption.
      code = endCode === EXIT.done || endCode === EXIT.interrupted ? EXIT.failed : endCode;
      whole = { ...whole, passed: false, teardown: faults.join('\n') };
    }
  }
  say(io, resultLines(whole));
  return { code: session.interrupted() ?? code, result: whole };
}

/** Lists what failed while a network ended. */
function faultsOf(end: Attached): readonly string[] {
  if (end.kind !== 'ended') return [];
  const { failure } = end;
  return [...(failure === undefined ? [] : [`${failure.task}: ${failure.what}`]), ...(end.end?.errors ?? [])];
}

/** Packs the network and the run while the network is up. A failure is said and changes nothing of the result. */
async function pack(io: Io, { plan }: Running, result: ScenarioResult, file: string, version: string): Promise<void> {
  const paths = pathsOf(homeOf(io), plan.devnet);
  if (!exists(paths.folder)) return;
  const path = join(paths.folder, RUN_FILES.result);
  replaceFile(path, `${JSON.stringify(result, null, 2)}\n`);
  try {
    await writeBundle(devnetAt(paths), file, version);
    io.stderr(`wrote ${file}; \`devnet run ${file}\` runs it again\n`);
  } catch (error) {
    io.stderr(`devnet: ${messageOf(error)}\n`);
  } finally {
    remove(path);
  }
}

export async function headsOf(plan: Plan): Promise<ScenarioResult['heads']> {
  const heads = await readHeads(plan);
  return Object.fromEntries(
    [...heads].map(([node, { unsafe }]) => [node, unsafe && { number: unsafe.number, hash: unsafe.hash }]),
  );
}

function say(io: Io, lines: readonly string[]): void {
  for (const line of lines) io.stderr(fitToTerminal(io, `${line}\n`, 'stderr'));
}
