import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { type Artefact, compileOwn } from './compile.ts';
import { resolve } from './slots.ts';

const require = createRequire(import.meta.url);

/** npm packages that artefact names may start with. */
const PACKAGES: Readonly<Record<string, string>> = {
  'bedrock-0.17.2': '@eth-optimism/contracts-bedrock',
  'bedrock-0.17.3': 'contracts-bedrock-0.17.3',
};

/** The folder of an installed package. */
export function packageFolder(name: string): string {
  return dirname(require.resolve(`${name}/package.json`));
}

/** Looks up `<origin>:<Contract>`, origin being `own` or a package label. */
export function artefact(name: string): Artefact {
  const [origin = '', contract = ''] = name.split(':');
  if (origin === 'own') return compileOwn(contract);
  const packageName = PACKAGES[origin];
  if (packageName === undefined)
    throw new Error(`artefact "${name}": origin is one of own, ${Object.keys(PACKAGES).join(', ')}`);
  const file = join(packageFolder(packageName), 'forge-artifacts', `${contract}.sol`, `${contract}.json`);
  const parsed = JSON.parse(readFileSync(file, 'utf8')) as { abi: Abi; bytecode: { object: Hex } };
  return { abi: parsed.abi, bytecode: parsed.bytecode.object };
}

/** Creation code with constructor arguments; `$slot` arguments become stand-ins. */
export function creation(name: string, args: readonly unknown[] = []): Hex {
  const { abi, bytecode } = artefact(name);
  return encodeDeployData({ abi, bytecode, args: args.map(resolve) });
}

/** Calldata of a function of an artefact; `$slot` arguments become stand-ins. */
export function calldata(name: string, functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: artefact(name).abi, functionName, args: args.map(resolve) });
}
