/**
 * Plants small changes in a folder, one at a time, and reports those that no test notices.
 * `make mutants FOLDER=src/protocol/rules` runs it. FOLDER may be several folders and files, separated by spaces. The
 * tests are those below test/ that mirror them, and those of TESTS (folders and files below test/), without those that
 * have a ! before them. Only the tests that reach a change run for it. Exits with 1 below TARGET percent (90).
 */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { EQUIVALENT_MUTANTS } from './equivalent.ts';
import { type Outcome, percentOf, resultOf, type Score, sumOf } from './score.ts';

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const TARGET_PERCENT = Number(process.env['TARGET'] ?? 90);
const STATES: Readonly<Record<string, Outcome['state']>> = {
  Killed: 'killed',
  Timeout: 'killed',
  Survived: 'survived',
  NoCoverage: 'unreached',
};

const words = (name: string) => (process.env[name] ?? '').split(' ').filter(Boolean);

const places = words('FOLDER').map((place) => place.replace(/\/$/, ''));
const absent = places.find((place) => !place.startsWith('src/') || !existsSync(place));
if (places.length === 0 || absent !== undefined) {
  console.error(
    `no folder or file "${absent ?? ''}" of src; expected for example: make mutants FOLDER=src/protocol/rules`,
  );
  process.exit(2);
}
const whole = places.join(' ');
const mirrors = places.map((place) => place.replace(/^src\//, '').replace(/\.ts$/, '.test.ts'));
const tests = [...mirrors, ...words('TESTS')].filter((place) => existsSync(join('test', place.replace(/^!/, ''))));
if (tests.every((place) => place.startsWith('!'))) {
  console.error(`no tests in ${mirrors.join(', ')}; name those that reach ${whole}: TESTS="folder file.test.ts"`);
  process.exit(2);
}
console.log(`${whole} against ${tests.join(', ')}`);

const patternOf = (place: string): string => (place.endsWith('.ts') ? place : `${place}/**/*.ts`);

/** Runs the tool in a temporary folder, which holds a copy of the sources. */
async function mutantsOf(temporary: string): Promise<readonly Mutant[]> {
  process.env['MUTANTS_TESTS'] = tests.join(' ');
  process.env['TMPDIR'] = temporary;
  const stryker = new Stryker({
    mutate: places.map(patternOf),
    configFile: 'test/mutants/stryker.json',
    concurrency: Number(process.env['CONCURRENCY'] ?? 1),
    timeoutMS: Number(process.env['TIMEOUT_MS'] ?? 10_000),
    tempDirName: join(temporary, 'sandbox'),
    // TypeScript 7 has no API, which the tool would call for a file of this name.
    tsconfigFile: 'absent.json',
  });
  return await stryker.runMutationTest();
}

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Sources by path as they are when the run begins: an editor may change the clone meanwhile. */
const sources = new Map(globSync(places.map(patternOf)).map((file) => [file, readFileSync(file, 'utf8')]));

/** Reads from the source what a mutant changes. */
function outcomeOf({ fileName, location, replacement, status }: Mutant): Outcome {
  const { start, end } = location;
  const file = relative('.', fileName);
  const lines = (sources.get(file) ?? '').split('\n').slice(start.line - 1, end.line);
  const changed = lines.map((line, index) =>
    line.slice(index === 0 ? start.column - 1 : 0, index === lines.length - 1 ? end.column - 1 : undefined),
  );
  return {
    file,
    line: start.line,
    text: (lines[0] ?? '').trim(),
    was: folded(changed.join('\n')),
    becomes: folded(replacement ?? ''),
    state: STATES[status] ?? 'ignored',
  };
}

/** Most characters of a change that are printed: the line and its first words find it. */
const MAX_SHOWN = 100;
const shown = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

const lineOf = (score: Score): string => {
  const equivalent = score.equivalent === 0 ? '' : `  ${score.equivalent} equivalent`;
  return `${percentOf(score).toFixed(0).padStart(4)} %  ${score.killed}/${score.counted}  ${score.file}${equivalent}`;
};

const isIn = (place: string, file: string): boolean => file === place || file.startsWith(`${place}/`);

const temporary = mkdtempSync(join(tmpdir(), 'devnet-mutants-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
try {
  const mutants = await mutantsOf(temporary);
  const outcomes = mutants.map(outcomeOf);
  const { survivors, scores, stale } = resultOf(outcomes, EQUIVALENT_MUTANTS);
  for (const { file, line, was, becomes, state } of survivors)
    console.log(
      `${file}:${line} ${state === 'unreached' ? 'no test reaches' : 'survived'}: ${shown(was)} ⇒ ${shown(becomes)}`,
    );
  for (const { file, line, change } of stale)
    console.log(`${file}: test/mutants/equivalent.ts lists a mutant that is not there: ${change} in ${line}`);
  for (const score of scores) console.log(lineOf(score));
  for (const place of places.length > 1 ? places : [])
    console.log(
      lineOf(
        sumOf(
          scores.filter(({ file }) => isIn(place, file)),
          place,
        ),
      ),
    );
  const sum = sumOf(scores, whole);
  console.log(lineOf(sum));
  const late = mutants.filter(({ status }) => status === 'Timeout').length;
  if (late > 0) console.log(`${late} of the killed by the time limit: a busy machine adds to them`);
  const broken = mutants.filter(({ status }) => status === 'RuntimeError' || status === 'CompileError');
  if (broken.length > 0)
    console.log(`${broken.length} not counted, because their tests did not run: ${broken[0]?.statusReason ?? ''}`);
  process.exitCode = percentOf(sum) < TARGET_PERCENT ? 1 : 0;
} catch (error) {
  // The tool has printed more above: which test fails without a mutant, or what it cannot read.
  console.error(`${whole}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
