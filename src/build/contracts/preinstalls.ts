import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Hex, parseTransaction } from 'viem';
import { lowerHex } from '../../protocol/hex.ts';
import { present } from '../../protocol/present.ts';
import { jsonField } from '../../rpc/json-object.ts';
import { packageFolder } from './artefacts.ts';
import { hexOf } from './hex.ts';
import { Machine } from './machine.ts';
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

const ENTRY_POINT: Hex = '0x0000000071727de22e5e9d8baf0edac6f37da032';
/** Where the entry point's constructor creates it. */
const SENDER_CREATOR: Hex = '0xefc2c1444ebcc4db75e7613d20c6a62ff67a167c';
const CREATE_X: Hex = '0xba5ed099633d3b313e4d5f7bdc1305d3c28ba5ed';

/** Preinstalls whose packages have creation code, which runs here. */
const CREATED: Readonly<Record<string, { readonly address: Hex; readonly run: () => Promise<Machine> }>> = {
  EntryPoint_v070: { address: ENTRY_POINT, run: () => created(ENTRY_POINT, entryPointCreation()) },
  SenderCreator_v070: { address: SENDER_CREATOR, run: () => created(ENTRY_POINT, entryPointCreation()) },
  CreateX: { address: CREATE_X, run: () => created(CREATE_X, createXCreation()) },
};

/** A contract that public chains carry from genesis, or that users expect at one address on every chain. */
export async function preinstall(name: string, slots = ON_L2): Promise<Preinstall> {
  const recipe = CREATED[name];
  if (recipe === undefined) return published(name, slots);
  const { address } = recipe;
  return { address, code: (await recipe.run()).codeAt(address) };
}

/** Reads a contract out of the package's Preinstalls.sol. */
function published(name: string, slots: Permit2Slots): Preinstall {
  const text = readFileSync(
    join(packageFolder('contracts-bedrock-0.17.3'), 'src', 'libraries', 'Preinstalls.sol'),
    'utf8',
  );
  const address = new RegExp(`address internal constant ${name} = (0x[0-9a-fA-F]{40});`).exec(text)?.[1];
  const code = new RegExp(`bytes internal constant ${name}(?:Template)?Code =\\s*hex"([0-9a-f]+)";`).exec(text)?.[1];
  if (address === undefined || code === undefined) throw new Error(`Preinstalls.sol has no preinstall ${name}`);
  return { address: lowerHex(address), code: `0x${name === 'Permit2' ? permit2(code, slots) : code}` };
}

function permit2(template: string, slots: Permit2Slots): string {
  const chainId = stand(slots.chainId).slice(2);
  const separator = stand(slots.domainSeparator).slice(2);
  return replaceAt(replaceAt(template, PERMIT2_CHAIN_ID, chainId), PERMIT2_DOMAIN_SEPARATOR, separator);
}

function replaceAt(digits: string, byte: number, value: string): string {
  return digits.slice(0, byte * 2) + value + digits.slice(byte * 2 + value.length);
}

const DEPLOYER: Hex = `0x${'11'.repeat(20)}`;

async function created(address: Hex, creation: Hex): Promise<Machine> {
  const machine = await Machine.create();
  await machine.deployAt(address, creation, DEPLOYER);
  return machine;
}

function entryPointCreation(): Hex {
  const file = join(packageFolder('@account-abstraction/contracts'), 'artifacts', 'EntryPoint.json');
  return hexOf(jsonField(JSON.parse(readFileSync(file, 'utf8')), 'bytecode'));
}

/** The creation code is the data of the transaction that its author signed beforehand. */
function createXCreation(): Hex {
  const folder = packageFolder('@nomicfoundation/ignition-core');
  const file = join(folder, 'dist', 'src', 'internal', 'execution', 'strategy', 'createx-artifact.js');
  const signed = /presignedTx = "(0x[0-9a-f]+)"/.exec(readFileSync(file, 'utf8'))?.[1];
  if (signed === undefined) throw new Error(`${file} has no presigned transaction`);
  return present(parseTransaction(hexOf(signed)).data, 'data of the presigned transaction');
}
