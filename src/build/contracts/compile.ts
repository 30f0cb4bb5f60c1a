import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Abi, Hex } from 'viem';

/** A compiled contract. */
export interface Artefact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** Our Solidity. */
export const SOURCES = join(import.meta.dirname, '..', '..', 'contracts');

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly abi: Abi; readonly evm: { readonly bytecode: { readonly object: string } } }>>
    >
  >;
}

let compiled: ReadonlyMap<string, Artefact> | undefined;

/** A contract of `src/contracts`, compiled with npm `solc` on first use. @throws Error with the compiler's messages */
export function compileOwn(contract: string): Artefact {
  compiled ??= compileAll();
  const artefact = compiled.get(contract);
  if (artefact === undefined) throw new Error(`src/contracts has no contract ${contract}`);
  return artefact;
}

function compileAll(): ReadonlyMap<string, Artefact> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const files = readdirSync(SOURCES).filter((file) => file.endsWith('.sol'));
  const sources = Object.fromEntries(
    files.map((file) => [file, { content: readFileSync(join(SOURCES, file), 'utf8') }]),
  );
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    // The oldest L2 fork that runs this code is paris: no PUSH0. No metadata hash: the bytes depend on the code alone.
    evmVersion: 'london',
    metadata: { bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }))) as Output;
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  const all = new Map<string, Artefact>();
  for (const contracts of Object.values(output.contracts ?? {})) {
    for (const [name, { abi, evm }] of Object.entries(contracts))
      all.set(name, { abi, bytecode: `0x${evm.bytecode.object}` });
  }
  return all;
}
