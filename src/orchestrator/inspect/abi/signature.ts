import { isJsonObject } from '../../../rpc/json-object.ts';

/** A function, error or event of an ABI in words. */
export interface Signature {
  readonly kind: 'function' | 'error' | 'event';
  /** Name and types alone, from which its selector or topic is computed. */
  readonly canonical: string;
  /** In viem's readable form, as {@link AbiTables} holds it. */
  readonly readable: string;
}

/** Tuples inside each other. */
const MAX_DEPTH = 16;
const NAME = /^[A-Za-z_$][\w$]{0,127}$/;
const WORD = /^(address|bool|string|function|bytes([1-9]|[12]\d|3[0-2])?|u?int(\d{1,3})?)$/;
/** A huge length of an array could cost a decoder much time. */
const SUFFIX = /^(\[\d{0,4}\]){0,8}$/;

/** Reads one entry of an ABI. Undefined if it is none that is decoded; null if it is no valid entry. */
export function signatureOf(entry: unknown): Signature | undefined | null {
  if (!isJsonObject(entry)) return null;
  const { type, name, inputs, anonymous } = entry;
  if (type !== 'function' && type !== 'error' && type !== 'event') return typeof type === 'string' ? undefined : null;
  if (anonymous === true) return undefined;
  if (typeof name !== 'string' || !NAME.test(name) || !Array.isArray(inputs)) return null;
  const parameters = inputs.map((input) => parameterOf(input, MAX_DEPTH));
  const types: string[] = [];
  const words: string[] = [];
  for (const [at, parameter] of parameters.entries()) {
    if (parameter === null) return null;
    const indexed = type === 'event' && parameter.isIndexed ? ' indexed' : '';
    types.push(parameter.type);
    words.push(`${parameter.readable}${indexed}${nameText(inputs[at])}`);
  }
  return { kind: type, canonical: `${name}(${types.join(',')})`, readable: `${type} ${name}(${words.join(', ')})` };
}

interface Parameter {
  readonly type: string;
  readonly readable: string;
  readonly isIndexed: boolean;
}

function parameterOf(input: unknown, depth: number): Parameter | null {
  if (depth === 0 || !isJsonObject(input) || typeof input['type'] !== 'string') return null;
  const [, word = '', suffix = ''] = /^([a-z\d]*)(.*)$/.exec(input['type']) ?? [];
  if (!SUFFIX.test(suffix)) return null;
  const isIndexed = input['indexed'] === true;
  if (word !== 'tuple') return isType(word) ? { type: word + suffix, readable: word + suffix, isIndexed } : null;
  const { components } = input;
  // A list of empty tuples takes no data, so that its length would be no limit.
  if (!Array.isArray(components) || components.length === 0) return null;
  const parts: Parameter[] = [];
  for (const component of components) {
    const part = parameterOf(component, depth - 1);
    if (part === null) return null;
    parts.push(part);
  }
  const readable = parts.map((part, at) => `${part.readable}${nameText(components[at])}`).join(', ');
  return {
    type: `(${parts.map(({ type }) => type).join(',')})${suffix}`,
    readable: `(${readable})${suffix}`,
    isIndexed,
  };
}

function isType(word: string): boolean {
  const [, , , bits] = WORD.exec(word) ?? [];
  if (bits !== undefined && (Number(bits) % 8 !== 0 || Number(bits) < 8 || Number(bits) > 256)) return false;
  return WORD.test(word) && word !== 'int' && word !== 'uint';
}

function nameText(input: unknown): string {
  const name = isJsonObject(input) ? input['name'] : undefined;
  return typeof name === 'string' && NAME.test(name) ? ` ${name}` : '';
}
