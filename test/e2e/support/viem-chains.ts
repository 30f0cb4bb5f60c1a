import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Chain, createWalletClient, type Hex, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { publicActionsL1, publicActionsL2, walletActionsL1, walletActionsL2 } from 'viem/op-stack';
import { type Home, root } from '../devnet.ts';

/** The fields of a chain of `env --format viem` that tests read. */
export interface ViemChain extends Chain {
  readonly contracts: Record<string, never>;
}

/** Writes `devnet.mjs` as a user does and imports it. Returns chains by name. */
export async function viemChains(home: Home, devnet: string): Promise<Readonly<Record<string, ViemChain>>> {
  const { code, stdout, stderr } = await home.devnet('env', devnet, '--format', 'viem');
  if (code !== 0) throw new Error(stderr);
  const path = join(home.folder, 'devnet.mjs');
  symlinkSync(join(root, 'node_modules'), join(home.folder, 'node_modules'));
  writeFileSync(path, stdout);
  return (await import(pathToFileURL(path).href)) as Readonly<Record<string, ViemChain>>;
}

/** Creates wallets with viem's actions for both layers. */
export function wallets(key: Hex, l1: ViemChain, l2: ViemChain) {
  const account = privateKeyToAccount(key);
  const client = (chain: ViemChain) => createWalletClient({ account, chain, transport: http() }).extend(publicActions);
  return {
    account,
    onL1: client(l1).extend(publicActionsL1()).extend(walletActionsL1()),
    onL2: client(l2).extend(publicActionsL2()).extend(walletActionsL2()),
  };
}

/** Returns the JavaScript of a how-to. */
export function snippetOf(howTo: string): string {
  const text = readFileSync(join(root, 'docs', 'how-to', howTo), 'utf8');
  const code = /```js\n(.*?)```/s.exec(text)?.[1];
  if (code === undefined) throw new Error(`${howTo} has no JavaScript`);
  return code;
}
