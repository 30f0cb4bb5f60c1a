import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ReplayJob, runReplay } from '../../../../src/orchestrator/divergence/explain/replay-program.ts';
import { encodeHeader } from '../../../../src/protocol/codec/header.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { genesisText } from '../../../nodes/execution/support/genesis.ts';
import { blockHeader } from './blocks.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-replay-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const jobOf = (genesis: string): ReplayJob => ({ genesis, state: '', witnesses: [], parent: '0x', runs: [] });

/** A program that runs this script, with its job as `job`. */
const program = (script: string) => [
  ...[process.execPath, '-e'],
  `const file = process.argv[1]; const job = JSON.parse(fs.readFileSync(file, 'utf8')); ${script}`,
];

describe('the program that executes blocks', () => {
  it('reads its job from a file, and writes a list among other lines', async () => {
    const script =
      "console.log('starting'); console.log(JSON.stringify([job, process.cwd(), fs.statSync(file).mode & 0o777]));";
    expect(await runReplay(folder, jobOf('a'), program(script))).toEqual([jobOf('a'), '/', 0o600]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has a job of its own beside another one of the same moment', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const script = 'console.log(JSON.stringify([job.genesis]));';
    const answers = await Promise.all(['a', 'b'].map((each) => runReplay(folder, jobOf(each), program(script))));
    expect(answers).toEqual([['a'], ['b']]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['ends with an error', "console.log('[]'); process.exit(1);", 'fork times failed'],
    ['writes no list', "console.log('{}'); console.log(' []');", 'fork times failed'],
    ['writes half a list', "console.log('[1');", 'JSON'],
  ])('is refused when it %s', async (_, script, words) => {
    await expect(runReplay(folder, jobOf('a'), program(script))).rejects.toThrow(words);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is that of the execution client', async () => {
    const genesis = join(folder, 'genesis.json');
    writeFileSync(genesis, genesisText({}));
    const parent = bytesToHex(encodeHeader(blockHeader()));
    expect(await runReplay(folder, { ...jobOf(genesis), state: 'http://127.0.0.1:1', parent })).toEqual([]);
  });
});
