/**
 * Builds `dist/evm/evm.wasm`, the loop of our own EVM, from AssemblyScript and the opcode table.
 * The generated sources stand beside it, for reading. It does nothing if the inputs are those of the last build.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPCODE_GROUPS } from '../evm/table/index.ts';
import { COMPILER, compileAssemblyScript } from './evm/compile.ts';
import { generatedSources } from './evm/sources.ts';

const root = join(import.meta.dirname, '..', '..');
const assembly = join(root, 'src', 'evm', 'assembly');
const out = join(root, 'dist', 'evm');
const stamp = join(out, 'inputs.hash');
const generated = generatedSources(OPCODE_GROUPS);

/** Returns the hash of all sources and of the compiler with its options. */
function inputsHash(): string {
  const files = readdirSync(assembly, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const sources = new Map(files.map((file) => [file, readFileSync(join(assembly, file), 'utf8')]));
  const hash = createHash('sha256').update(COMPILER);
  for (const [file, text] of [...sources, ...generated].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`\0${file}\0${text}`);
  return hash.digest('hex');
}

const hash = inputsHash();
if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) {
  console.error('evm: up to date');
} else {
  const started = performance.now();
  const code = await compileAssemblyScript(assembly, generated);
  mkdirSync(join(out, 'generated'), { recursive: true });
  for (const [file, text] of generated) writeFileSync(join(out, file), text);
  writeFileSync(join(out, 'evm.wasm'), code);
  writeFileSync(stamp, hash);
  console.error(`evm: ${code.length} bytes in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
