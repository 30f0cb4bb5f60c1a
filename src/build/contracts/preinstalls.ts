import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { packageFolder } from './artefacts.ts';
import { stand } from './slots.ts';

/** Where Permit2 keeps its cached chain id and domain separator, in bytes of its code. */
const PERMIT2_CHAIN_ID = 6945;
const PERMIT2_DOMAIN_SEPARATOR = 6983;

export interface Preinstall {
  readonly address: Hex;
  readonly code: Hex;
}

/** Slots that Permit2's immutables take on a layer. */
export interface Permit2Slots {
  readonly chainId: string;
  readonly domainSeparator: string;
}

const ON_L2: Permit2Slots = { chainId: 'chainId', domainSeparator: 'permit2DomainSeparator' };

/** Reads a contract that public chains carry from genesis out of the package's Preinstalls.sol. */
export function preinstall(name: string, slots = ON_L2): Preinstall {
  const text = readFileSync(
    join(packageFolder('contracts-bedrock-0.17.3'), 'src', 'libraries', 'Preinstalls.sol'),
    'utf8',
  );
  const address = new RegExp(`address internal constant ${name} = (0x[0-9a-fA-F]{40});`).exec(text)?.[1];
  const code = new RegExp(`bytes internal constant ${name}(?:Template)?Code =\\s*hex"([0-9a-f]+)";`).exec(text)?.[1];
  if (address === undefined || code === undefined) throw new Error(`Preinstalls.sol has no preinstall ${name}`);
  return { address: address.toLowerCase() as Hex, code: `0x${name === 'Permit2' ? permit2(code, slots) : code}` };
}

function permit2(template: string, slots: Permit2Slots): string {
  const chainId = stand(slots.chainId).slice(2);
  const separator = stand(slots.domainSeparator).slice(2);
  return replaceAt(replaceAt(template, PERMIT2_CHAIN_ID, chainId), PERMIT2_DOMAIN_SEPARATOR, separator);
}

function replaceAt(digits: string, byte: number, value: string): string {
  return digits.slice(0, byte * 2) + value + digits.slice(byte * 2 + value.length);
}
