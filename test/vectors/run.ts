/**
 * Runs published material in the folder DIR, with progress: `make vectors DIR=…`.
 * FILTER: files whose paths have this text in them. If there is none, the cases whose names have it. RESUME=0: starts
 * anew where the run before ended early. WORKERS: processes (one per processor, at most 8). VECTORS_RECORDS: the folder
 * for results of a run that ends early. Exits with 1 if a case failed, 2 if there is nothing to run.
 */
import { statSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join, resolve } from 'node:path';
import { sampleFiles } from './files.ts';
import { filterOf } from './filter.ts';
import { textOf } from './progress.ts';
import { PublishedRun } from './published-run.ts';
import { clientVersion, RunRecord, recordName } from './run-record.ts';

const MAX_WORKERS = 8;
/** Most failed cases that are named again at the end. */
const MAX_NAMED = 12;

const root = resolve(import.meta.dirname, '..', '..');
const { DIR = '', FILTER = '', RESUME = '1' } = process.env;
const workers = Number(process.env['WORKERS'] || Math.min(availableParallelism(), MAX_WORKERS));
const records = process.env['VECTORS_RECORDS'] || join(root, 'node_modules', '.cache', 'vectors');

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}

if (DIR === '' || statSync(DIR, { throwIfNoEntry: false })?.isDirectory() !== true)
  refuse(`make vectors DIR=…: a folder with the clones to test against; "${DIR}" is no folder`);
if (!Number.isInteger(workers) || workers < 1) refuse(`WORKERS=${process.env['WORKERS']}: expected a number from 1`);
const folder = resolve(DIR);
const all = sampleFiles(folder);
if (all.length === 0) refuse(`${folder}: no published samples; docs/execution-client.md names the folders of suites`);
const byPath = FILTER === '' ? all : all.filter(({ path }) => filterOf(FILTER)(path));
const files = byPath.length > 0 ? byPath : all;
const ofFilter = byPath.length > 0 ? `matches ${byPath.length} paths` : 'matches no path, but maybe names of cases';
console.log(`${folder}: ${all.length} files for samples${FILTER === '' ? '' : `; FILTER=${FILTER} ${ofFilter}`}`);

const record = new RunRecord(join(records, recordName(folder, FILTER)), clientVersion(root), RESUME !== '0');
if (record.earlier !== undefined) console.log(resumption(record.earlier));

/** Says what becomes of the results of a run that ended early. */
function resumption({ start, isOfThisClient }: NonNullable<RunRecord['earlier']>): string {
  const text = `the run of ${start.slice(0, 16).replace('T', ' ')} ended early`;
  if (!isOfThisClient) return `${text}, and the client has changed since: all files run`;
  if (RESUME === '0') return `${text}, but RESUME=0: all files run`;
  const done = files.filter((file) => record.resultOf(file) !== undefined).length;
  return `${text}: ${done} of ${files.length} files are done, and the others run (RESUME=0 runs all)`;
}

const caseFilter = byPath.length > 0 ? undefined : FILTER;
const run = new PublishedRun({ folder, files, caseFilter, workers, record });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    console.log(`${signal}: ${run.stop()} of ${files.length} files are done; the same command goes on there`);
    process.exit(128 + constants.signals[signal]);
  });
await run.run();
record.remove();

const { tally, problems } = run;
const { passed, failed, notApplicable } = tally.total;
if (passed + failed + notApplicable === 0)
  refuse(
    FILTER === ''
      ? `${folder}: no file has samples of a kind that this program knows`
      : `FILTER=${FILTER}: no case below ${folder} matches. ` +
          'A filter is a part of a path (ValidBlocks/bcStateTests) or of the name of a case; * stands for any text',
  );
for (const line of tally.lines()) console.log(line);
if (problems.length > 0) console.log('');
for (const line of problems.slice(0, MAX_NAMED)) console.log(`FAILED ${line.split('\n', 1)[0]}`);
if (problems.length > MAX_NAMED) console.log(`and ${problems.length - MAX_NAMED} more`);
console.log(`\n${textOf(tally.total)}`);
process.exitCode = failed > 0 ? 1 : 0;
