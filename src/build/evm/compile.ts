import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };

/** Options of the compiler: no runtime and no checks of its own, because the sources use linear memory by address. */
const OPTIONS = ['--runtime', 'stub', '--noAssert', '--use', 'abort=', '--initialMemory', '16', '--noColors'];

/** How far the compiler optimizes. O3, for what is published, takes seconds longer than O1. */
type Optimization = 'O1' | 'O3';

/** The compiler's version and options, of which its output depends. */
export const COMPILER = `${manifest.devDependencies.assemblyscript} -O3 ${OPTIONS.join(' ')}`;

/**
 * Compiles AssemblyScript from `index.ts` of a folder to the bytes of a WebAssembly module.
 * `generated` has sources that are not files, by their path in the folder. They replace files of the same path.
 * @throws Error with the compiler's messages
 */
export async function compileAssemblyScript(
  folder: string,
  generated: ReadonlyMap<string, string>,
  optimization: Optimization = 'O3',
): Promise<Uint8Array<ArrayBuffer>> {
  // Its import takes half a second, which a build without changes does not need.
  const { default: asc } = await import('assemblyscript/asc');
  let code: Uint8Array<ArrayBuffer> | undefined;
  const { error, stderr } = await asc.main(['index.ts', '-o', 'out.wasm', `-${optimization}`, ...OPTIONS], {
    readFile: (name) => generated.get(name) ?? textOf(join(folder, name)),
    writeFile: (name, contents) => {
      if (name === 'out.wasm' && typeof contents !== 'string') code = new Uint8Array(contents);
    },
    listFiles: () => null,
  });
  const messages = stderr.toString();
  if (error !== null || code === undefined || messages !== '')
    throw new Error(`AssemblyScript: ${error?.message ?? 'warnings'}\n${messages}`);
  return code;
}

/** Returns the text of a file; null if there is none: the compiler tries several places for each import. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
