import { basename, dirname, resolve } from 'node:path';
import { EXIT, Failure } from '../../../system/failure.ts';
import { exists } from '../../../system/files/folder.ts';
import { findSpec } from '../../load/find-spec.ts';
import { loadSpec } from '../../load/load-spec.ts';
import type { LoadedSpec, SpecInput } from '../../load/loaded-spec.ts';
import { sampleNames, sampleScenario, scenarioNames, source } from '../../load/package-files.ts';
import { planAnywhere } from '../../load/plan-anywhere.ts';
import { readBundle } from '../../load/read-bundle.ts';
import type { Plan } from '../../plan/plan.ts';
import { wallClockNotice } from '../../plan/wall-clock.ts';
import { nearest } from '../../spec/text/nearest.ts';
import { isGiven, spanAt } from '../../spec/text/positions.ts';
import { inReadingOrder, type Problem, problemAt, renderProblems } from '../../spec/text/problem.ts';
import { type Assignment, parseSet } from '../../spec/text/set.ts';
import type { Source } from '../../spec/text/source.ts';
import type { Io } from '../../terminal/io.ts';
import type { Facts, Timeline } from '../facts.ts';
import type { Scenario } from '../scenario.ts';
import type { ReadStep } from '../step.ts';
import { readScenario } from './read.ts';
import { stepPlace } from './step-place.ts';

/** A scenario that can run. */
export interface LoadedScenario {
  readonly scenario: Scenario;
  readonly source: Source;
  /** What brings its devnet up. */
  readonly input: SpecInput;
  readonly spec: LoadedSpec;
}

/**
 * Loads a scenario by its path or its name in devnets/scenarios/, and checks its steps against its devnet.
 * `over`: values of the spec over those of the scenario (`name="other"`).
 * @throws Failure `scenario` (exit 2) with every problem
 */
export async function loadScenario(io: Io, word: string, over: readonly Assignment[] = []): Promise<LoadedScenario> {
  const packed = /\.(tgz|tar\.gz)$/.test(word) ? await readBundle(word, resolve(io.cwd, word)) : undefined;
  const file = packed?.scenario ?? findScenario(io.cwd, word);
  const { scenario, problems } = readScenario(file, nameOf(file));
  if (scenario === undefined) throw failureOf(problems);
  const { loaded, problems: ofSpec } = await specOf(
    io,
    () => inputOf(io, scenario, file, over, packed?.spec),
    scenario,
    isClockGiven(scenario, over),
  );
  const plan = loaded === undefined ? undefined : planAnywhere(io, loaded.spec);
  const ofSteps = plan === undefined ? [] : checkSteps(scenario, plan);
  const all = [...problems, ...ofSpec, ...ofSteps];
  if (all.length > 0 || loaded === undefined) throw failureOf(all);
  return { scenario, source: file, ...loaded };
}

/**
 * Loads the steps of a scenario for a network that runs. Its own devnet is not read.
 * @throws Failure `scenario` (exit 2) with every problem
 */
export function loadSteps(cwd: string, input: string | Source, plan: Plan): { scenario: Scenario; source: Source } {
  const source = typeof input === 'string' ? findScenario(cwd, input) : input;
  const { scenario, problems } = readScenario(source, nameOf(source));
  const all = scenario === undefined ? problems : [...problems, ...checkSteps(scenario, plan)];
  if (scenario === undefined || all.length > 0) throw failureOf(all);
  return { scenario, source };
}

/** Finds the text of a scenario. @throws Failure `scenario` (exit 2) */
function findScenario(cwd: string, word: string): Source {
  const path = resolve(cwd, word);
  const file = sampleScenario(word) ?? (exists(path) ? source(cwd, word) : undefined);
  if (file !== undefined) return file;
  throw new Failure('scenario', `unknown scenario ${JSON.stringify(word)}`, {
    exit: EXIT.usage,
    hint: `give the path of a file, or one of ${scenarioNames().join(', ')}`,
  });
}

/** Returns the name of a scenario without one: that of its file. */
function nameOf({ name }: Source): string {
  const word = basename(name)
    .replace(/\.ya?ml$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return word.slice(0, 39) || 'scenario';
}

/** Makes the input of a start: the scenario's own spec, or another with the scenario's name and seed. */
function inputOf(io: Io, scenario: Scenario, file: Source, over: readonly Assignment[], packed?: Source): SpecInput {
  const { devnet, seed } = scenario;
  const folder = file.path === undefined ? io.cwd : dirname(file.path);
  const set = [
    `name=${JSON.stringify(scenario.name)}`,
    ...(seed === undefined ? [] : [`seed=${seed}`]),
    ...(scenario.steps.some(needsLinks) ? ['faults=true'] : []),
    ...over,
  ];
  // A packed spec holds every default and the genesis time: with a stepped clock the blocks are those of the first run.
  if (packed !== undefined) return { spec: { source: packed, name: scenario.name }, set, manual: [] };
  return {
    spec:
      devnet === undefined ? { source: { ...file, under: ['devnet'] }, name: scenario.name } : findSpec(folder, devnet),
    set,
    manual: [],
  };
}

/** Whether a step, or one within it, needs links that can fail. */
function needsLinks({ kind, inner }: ReadStep): boolean {
  return kind.needsLinks === true || inner.some(needsLinks);
}

/** Reads the spec of a scenario's devnet, or returns its problems. */
async function specOf(
  io: Io,
  find: () => SpecInput,
  { layer, devnet }: Scenario,
  isChosen: boolean,
): Promise<{
  readonly loaded: Pick<LoadedScenario, 'input' | 'spec'> | undefined;
  readonly problems: readonly Problem[];
}> {
  try {
    const input = find();
    const spec = await loadSpec(io, input);
    return { loaded: (isChosen ? undefined : await steppedOf(io, input, spec)) ?? { input, spec }, problems: [] };
  } catch (error) {
    if (!(error instanceof Failure) || error.exit !== EXIT.usage) throw error;
    const problems = error.data['problems'];
    if (Array.isArray(problems)) return { loaded: undefined, problems };
    const place = ['devnet'];
    const allowed = `the path of a spec, or one of ${sampleNames().join(', ')}`;
    const more = { allowed, nearest: nearest(devnet ?? '', sampleNames()) };
    return {
      loaded: undefined,
      problems: [problemAt(spanAt([layer], place), 'value', place, error.message, more)],
    };
  }
}

/** Genesis time (Unix seconds) of a stepped run that chooses none: two runs have the same blocks. */
const STEPPED_GENESIS = 1_790_000_000;

/** Whether the scenario or the command line chooses how time goes on. */
function isClockGiven({ layer }: Scenario, over: readonly Assignment[]): boolean {
  const ofCommand = over.flatMap((assignment) => parseSet(assignment).layer ?? []);
  const [first, ...others] = ofCommand;
  const isSaid = (name: string) => first !== undefined && isGiven([first, ...others], ['time', name]);
  return ['clock', 'rate'].some((name) => isGiven([layer], ['devnet', 'time', name]) || isSaid(name));
}

/** Steps the devnet's clock, unless a client reads that of the machine. */
async function steppedOf(
  io: Io,
  input: SpecInput,
  { spec, ...rest }: LoadedSpec,
): Promise<Pick<LoadedScenario, 'input' | 'spec'> | undefined> {
  if (wallClockNotice(planAnywhere(io, { spec, ...rest }).tasks) !== undefined) return undefined;
  const isFree = spec.time.genesis === 'now' && Object.values(spec.chains).every(({ from }) => from === null);
  const genesis = isFree ? [`time.genesis=${STEPPED_GENESIS}`] : [];
  const stepped = { ...input, set: [...input.set, 'time.clock=stepped', ...genesis] };
  return { input: stepped, spec: await loadSpec(io, stepped) };
}

/** Reports what of the steps can never come true on a devnet. */
export function checkSteps(scenario: Scenario, first: Plan): readonly Problem[] {
  let plan = first;
  const problems: Problem[] = [];
  const timeline: Timeline = { reached: new Map(), movedForks: new Set() };
  const check = (step: ReadStep) => {
    const place = [...step.path, step.kind.name];
    const facts: Facts = {
      plan,
      timeline,
      become(next) {
        plan = next;
      },
      report: (path, message, more) => {
        const whole = [...place, ...path];
        problems.push(problemAt(spanAt([scenario.layer], whole), 'never', whole, message, more));
      },
    };
    step.kind.check(step.value, facts);
    for (const inner of step.inner) check(inner);
  };
  for (const step of scenario.steps) check(step);
  return problems;
}

function failureOf(all: readonly Problem[]): Failure {
  const problems = inReadingOrder(all);
  const count = problems.length === 1 ? 'there is a problem' : `there are ${problems.length} problems`;
  return new Failure('scenario', `${count}\n\n${renderProblems(problems, stepPlace)}\n`, {
    exit: EXIT.usage,
    data: { problems },
  });
}
