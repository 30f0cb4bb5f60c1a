/**
 * Runs 10,000 seeded transactions on our executor, on the EVM library and on anvil (`make differential`).
 * Directed programs cross each kind of change with how its frames end. More transactions run under a rollup's rules on
 * `anvil --network optimism`. Exits with 1 if a result differs, if an opcode or precompile was not executed, or if an
 * error that is planted in the loop of our executor is not caught. SEED, COUNT: another run. PLANT=all plants every
 * error instead of each sixth, PLANT=0 none.
 */
import type { EvmLevel } from '../src/protocol/rules/rules.ts';
import { type Coverage, missing, newCoverage } from './nodes/execution/differential/coverage.ts';
import { directedAgainstAnvil } from './nodes/execution/differential/directed/anvil.ts';
import { directedAgainstLibrary } from './nodes/execution/differential/directed/compare.ts';
import { textOfFailure } from './nodes/execution/differential/directed/show.ts';
import { directedPrograms } from './nodes/execution/differential/directed/suite.ts';
import { LEVELS } from './nodes/execution/differential/level.ts';
import { EXECUTOR_PLANTS, isCaught } from './nodes/execution/differential/plant.ts';
import {
  againstAnvilRollup,
  againstLibrary,
  againstLibraryAndAnvil,
  type Finding,
} from './nodes/execution/differential/run.ts';

const seed = Number(process.env['SEED'] ?? 1);
const total = Number(process.env['COUNT'] ?? 10_000);
const SHARES: readonly (readonly [EvmLevel, number])[] = [
  ['paris', 0.15],
  ['shanghai', 0.15],
  ['cancun', 0.2],
  ['prague', 0.25],
  ['osaka', 0.25],
];
let failed = false;

/** Says how many opcodes and precompiles of a level ran. */
async function coverageOf(level: EvmLevel, coverage: Coverage): Promise<string> {
  const { all, missing: lacking } = await missing(level, coverage);
  if (lacking.length > 0) failed = true;
  const precompiles = lacking.filter((name) => name.startsWith('precompile')).length;
  const opcodes = `opcodes ${all.opcodes - lacking.length + precompiles}/${all.opcodes}`;
  const text = `${opcodes}, precompiles ${all.precompiles - precompiles}/${all.precompiles}`;
  return lacking.length > 0 ? `${text}, MISSING ${lacking.join(', ')}` : text;
}

function resultOf(transactions: number, differences: Finding['differences'] = []): Finding {
  return { transactions, succeeded: Number.NaN, coverage: newCoverage(), differences };
}

function tell(title: string, finding: Finding, started: number, rest = ''): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const verdict = finding.differences.length === 0 ? 'agree' : 'DIFFER';
  console.log(
    `${title.padEnd(44)} ${String(finding.transactions).padStart(6)} transactions  ${verdict}  ${seconds} s  ${rest}`,
  );
  for (const difference of finding.differences.slice(0, 5))
    console.log('   ', JSON.stringify(difference).slice(0, 600));
  if (finding.differences.length > 0) failed = true;
}

console.log(`seed ${seed}. Compared: status, gas, cumulative gas, logs and contract address of each transaction,`);
console.log("and the root of the whole state: the library's after every block, anvil's after the last one");
console.log('(made of its dump without empty accounts, which its own root counts).');
for (const [level, share] of SHARES) {
  const started = performance.now();
  const finding = await againstLibraryAndAnvil(seed, level, Math.round(total * share));
  const covered = `${finding.succeeded} succeeded; ${await coverageOf(level, finding.coverage)}`;
  tell(`${level}: @ethereumjs/vm and anvil`, finding, started, covered);
}
for (const [fork, operatorFee] of [
  ['isthmus', true],
  ['jovian', false],
] as const) {
  const started = performance.now();
  tell(
    `${fork}: anvil --network optimism`,
    await againstAnvilRollup(seed, fork, Math.round(total * 0.1), { operatorFee }),
    started,
  );
}
for (const level of ['prague', 'osaka'] as const) {
  const started = performance.now();
  tell(
    `${level}, with authorities that do not exist: vm`,
    await againstLibrary(seed + 1, level, Math.round(total * 0.05)),
    started,
  );
}
for (const level of LEVELS) {
  const started = performance.now();
  const oneIn = total >= 10_000 ? 1 : 10;
  const options = { oneIn, operands: oneIn, precompiles: 1, random: Math.round(total * 0.03), pointEvaluation: true };
  const programs = await directedPrograms(level, seed, options);
  const finding = await directedAgainstLibrary(level, programs, options);
  const compared = resultOf(programs.length, finding.failure?.differences);
  tell(`${level}, directed programs: @ethereumjs/vm`, compared, started, await coverageOf(level, finding.coverage));
  if (finding.failure !== undefined) console.log(textOfFailure(finding));
  const begun = performance.now();
  const onAnvil = await directedAgainstAnvil(level, programs);
  tell(`${level}, directed programs: anvil`, resultOf(onAnvil.programs, onAnvil.differences), begun);
}
if (process.env['PLANT'] !== '0') {
  const started = performance.now();
  const plants = EXECUTOR_PLANTS.filter((_, at) => process.env['PLANT'] === 'all' || at % 6 === seed % 6);
  const uncaught: string[] = [];
  for (const plant of plants) if (!(await isCaught(plant, seed, 'osaka', 400))) uncaught.push(JSON.stringify(plant));
  if (uncaught.length > 0) failed = true;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `errors planted in our loop: ${plants.length - uncaught.length} of ${plants.length} caught  ${seconds} s  ` +
      uncaught.join(' '),
  );
}
process.exitCode = failed ? 1 : 0;
