import { type AbiNames, type AbiTables, abiNames, readAbiTables } from './abi.ts';
import { type FolderAbis, listAbis, readAbis } from './read.ts';

/** What calls, events and contracts are named by. */
export interface Abis {
  readonly names: AbiNames;
  /** Names the contract of the user that has this code. Undefined without a folder of ABIs. */
  readonly nameOf: FolderAbis['nameOf'] | undefined;
}

/** Reads the ABIs of the package and of a folder of the user. Reads the folder again when its files change. */
export class AbiReader {
  readonly #tell: (message: string) => void;
  readonly #told = new Set<string>();
  #own: AbiTables | undefined;
  #last: { readonly stamp: string; readonly abis: Abis } | undefined;

  /** `tell`: receives each problem of a folder once. */
  constructor(tell: (message: string) => void) {
    this.#tell = tell;
  }

  read(folder: string | undefined): Abis {
    this.#own ??= readAbiTables();
    if (folder === undefined) return { names: abiNames(this.#own), nameOf: undefined };
    const listed = listAbis(folder);
    const stamp = `${folder}\n${listed.stamp}`;
    if (this.#last?.stamp === stamp) return this.#last.abis;
    const { tables, nameOf, problems } = readAbis(folder, listed);
    for (const problem of problems) this.#tellOnce(`abi: ${folder}: ${problem}`);
    const abis = { names: abiNames(joined(this.#own, tables)), nameOf };
    this.#last = { stamp, abis };
    return abis;
  }

  #tellOnce(message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.#tell(message);
  }
}

/** Joins two tables. Texts about known contracts read the arguments of the package's own signatures. */
function joined(ours: AbiTables, others: AbiTables): AbiTables {
  const events: Record<string, readonly string[]> = { ...others.events };
  for (const [topic, texts] of Object.entries(ours.events)) events[topic] = [...texts, ...(events[topic] ?? [])];
  return {
    functions: { ...others.functions, ...ours.functions },
    errors: { ...others.errors, ...ours.errors },
    events,
  };
}
