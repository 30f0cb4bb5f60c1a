import { join } from 'node:path';
import { decodeErrorResult, decodeEventLog, decodeFunctionData, type Hex, parseAbi } from 'viem';
import { readText } from '../../../system/files/folder.ts';
import { packageRoot } from '../../../system/program/entry.ts';

/** Signatures by selector or topic, as `dist/abi.json` has them. */
export interface AbiTables {
  readonly functions: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly events: Readonly<Record<string, readonly string[]>>;
}

/** A decoded call, event or error. Keys of `args` are names, or positions if an argument has none. */
export interface Decoded {
  readonly name: string;
  readonly signature: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface AbiNames {
  /** Decodes the input of a call by its first four bytes. */
  call(input: string): Decoded | null;
  event(log: { readonly topics: readonly string[]; readonly data: string }): Decoded | null;
  error(data: string): Decoded | null;
}

/** Errors that Solidity itself raises. */
const BUILT_IN = { '0x08c379a0': 'error Error(string message)', '0x4e487b71': 'error Panic(uint256 code)' };

/** Marks a parameter of an event that stands in a topic. It may have no name. */
const INDEXED = / indexed(?=[ ,)])/;

/** Reads the tables of this package. Without them nothing is decoded. */
export function readAbiTables(): AbiTables {
  const text = readText(join(packageRoot(), 'dist', 'abi.json'));
  return text === undefined ? { functions: {}, errors: {}, events: {} } : (JSON.parse(text) as AbiTables);
}

/** Creates the decoder of known calls, events and errors. Data that does not fit its signature is not decoded. */
export function abiNames({ functions, errors, events }: AbiTables): AbiNames {
  const selected = <T>(table: Readonly<Record<string, T>>, data: string) => table[data.slice(0, 10).toLowerCase()];
  return {
    call(input) {
      const signature = selected(functions, input);
      return decoded(
        signature,
        'function ',
        () => decodeFunctionData({ abi: abiOf(signature), data: hexOf(input) }).args,
      );
    },
    error(data) {
      const signature = selected({ ...errors, ...BUILT_IN }, data);
      return decoded(signature, 'error ', () => decodeErrorResult({ abi: abiOf(signature), data: hexOf(data) }).args);
    },
    event({ topics, data }) {
      const [topic = ''] = topics;
      const signature = events[topic.toLowerCase()]?.find((each) => each.split(INDEXED).length === topics.length);
      return decoded(signature, 'event ', () => {
        const [first, ...others] = topics.map(hexOf);
        if (first === undefined) return [];
        return decodeEventLog({ abi: abiOf(signature), data: hexOf(data), topics: [first, ...others] }).args;
      });
    },
  };
}

function decoded(signature: string | undefined, kind: string, args: () => unknown): Decoded | null {
  if (signature === undefined) return null;
  try {
    const values = args() ?? [];
    const names = parametersOf(signature);
    const entries = Array.isArray(values)
      ? values.map((value, at) => [names[at] ?? String(at), value] as const)
      : Object.entries(values);
    const plainArgs = Object.fromEntries(entries.map(([name, value]) => [name, plain(value)]));
    return {
      name: signature.slice(kind.length).replace(/\(.*$/, ''),
      signature: signature.slice(kind.length),
      args: plainArgs,
    };
  } catch {
    return null;
  }
}

function abiOf(signature: string | undefined) {
  return parseAbi([signature ?? '']);
}

/** Returns the names of the outermost parameters; undefined if one has none. */
function parametersOf(signature: string): readonly (string | undefined)[] {
  const list = signature.slice(signature.indexOf('(') + 1, signature.lastIndexOf(')'));
  let depth = 0;
  const words: string[] = [''];
  for (const letter of list) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) words.push('');
    else words[words.length - 1] += letter;
  }
  return words.map((word) => {
    const [, name] = /\s([A-Za-z_$][\w$]*)$/.exec(word.trim()) ?? [];
    return name === 'indexed' ? undefined : name;
  });
}

/** Writes big integers as text, for JSON. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

/** Returns hex in small letters, in which selectors are compared. */
function hexOf(text: string): Hex {
  return `0x${text.slice(2).toLowerCase()}`;
}
