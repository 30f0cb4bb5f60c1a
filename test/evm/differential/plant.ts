import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileAssemblyScript } from '../../../src/build/evm/compile.ts';
import { generatedSources } from '../../../src/build/evm/sources.ts';
import { EvmInstance } from '../../../src/evm/machine/instance.ts';
import { OPCODE_GROUPS } from '../../../src/evm/table/index.ts';
import type { Opcode } from '../../../src/evm/table/opcode.ts';

const assembly = join(import.meta.dirname, '..', '..', '..', 'src', 'evm', 'assembly');

/** A planted error: another row of an opcode, or other text in a source. */
export type Plant =
  | { readonly opcode: string; readonly row: Partial<Opcode> }
  | { readonly file: string; readonly text: string; readonly instead: string };

export const PLANTS: readonly Plant[] = [
  { opcode: 'SMOD', row: { gas: 6 } },
  { opcode: 'RETURNDATASIZE', row: { gas: 3 } },
  { opcode: 'BLOBHASH', row: { since: 'shanghai' } },
  { opcode: 'SHL', row: { run: 'shr' } },
  { opcode: 'LOG2', row: { perByte: { size: 1, gas: 7 } } },
  { opcode: 'CREATE2', row: { perWord: { size: 2, gas: 6 } } },
  { opcode: 'TSTORE', row: { writes: undefined as never } },
  { opcode: 'STATICCALL', row: { memory: [{ offset: 2, size: 3 }] } },
  { file: 'opcodes/storage.ts', text: 'const RESET: i64 = 2900', instead: 'const RESET: i64 = 3000' },
  { file: 'opcodes/storage.ts', text: 'refund -= CLEAR_REFUND', instead: 'refund -= 0' },
  { file: 'opcodes/storage.ts', text: '  keepValue(record);\n  copy(current', instead: '  copy(current' },
  { file: 'opcodes/accounts.ts', text: 'const COLD_ACCOUNT: i64 = 2600', instead: 'const COLD_ACCOUNT: i64 = 2500' },
  { file: 'opcodes/copy.ts', text: 'memory.fill(to + there, 0, size - there);', instead: '' },
  {
    file: 'access/journal.ts',
    text: 'store<u32>(record, 0, RECORD_WARM)',
    instead: 'store<u32>(record, 1, RECORD_WARM)',
  },
  { file: 'access/journal.ts', text: '> load<u32>(FRAME_CHECKPOINT)', instead: '> 0' },
  { file: 'memory.ts', text: 'words * words / 512', instead: 'words * words / 511' },
  { file: 'opcodes/bitwise.ts', text: 'bits > 255', instead: 'bits > 256' },
  { file: 'opcodes/flow.ts', text: 'isZero(sp - 64)', instead: '(load<u64>(sp - 64) == 0)' },
];

/** Makes an instance of a loop with a planted error. */
export async function withPlant(plant: Plant): Promise<EvmInstance> {
  return new EvmInstance(await plantedLoop(plant));
}

/** Compiles the loop with a planted error. */
export async function plantedLoop(plant: Plant): Promise<WebAssembly.Module> {
  const groups =
    'opcode' in plant
      ? OPCODE_GROUPS.map(({ module, opcodes }) => ({
          module,
          opcodes: opcodes.map((each) => (each.name === plant.opcode ? { ...each, ...plant.row } : each)),
        }))
      : OPCODE_GROUPS;
  const sources = new Map(generatedSources(groups));
  if ('file' in plant) {
    const text = readFileSync(join(assembly, plant.file), 'utf8');
    if (!text.includes(plant.text)) throw new Error(`${plant.file} lacks ${plant.text}`);
    sources.set(plant.file, text.replace(plant.text, plant.instead));
  }
  return new WebAssembly.Module(await compileAssemblyScript(assembly, sources, 'O1'));
}
