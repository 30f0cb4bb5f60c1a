import type { Random } from './random.ts';

type Json = unknown;
const HEX_DIGITS = '0123456789abcdefABCDEF';

/** Copies a JSON value and changes one to three places. `words` are values of the field's kind. */
export function mutate(random: Random, value: Json, words: readonly string[]): Json {
  const copy = { value: structuredClone(value) };
  for (let count = random.chance(70) ? 1 : 1 + random.below(3); count > 0; count--)
    mutateSomewhere(random, copy, words);
  return copy.value;
}

function mutateSomewhere(random: Random, root: { value: Json }, words: readonly string[]): void {
  let holder: Record<string | number, Json> = root;
  let key: string | number = 'value';
  for (;;) {
    const at: Json = holder[key];
    const keys: string[] = typeof at === 'object' && at !== null ? Object.keys(at) : [];
    if (keys.length === 0 || (holder !== root && random.chance(15))) break;
    holder = at as Record<string, Json>;
    key = random.of(keys);
  }
  if (Array.isArray(holder) && random.chance(30)) {
    if (random.chance(50)) holder.splice(Number(key), 1);
    else holder.splice(Number(key), 0, structuredClone(holder[Number(key)]));
    return;
  }
  holder[key] = otherValue(random, holder[key], words);
}

function otherValue(random: Random, value: Json, words: readonly string[]): Json {
  if (typeof value === 'string' && random.chance(75)) return otherText(random, value, words);
  return random.of<() => Json>([
    () => null,
    () => undefined,
    () => random.below(2 ** 31),
    () => -1.5,
    () => '',
    () => '0x',
    () => 'latest',
    () => random.chance(50),
    () => [],
    () => ({}),
    () => [value],
    () => ({ __proto__: value, constructor: value }),
    () => Array.from({ length: 300 }, () => value),
    () => random.of(words),
  ])();
}

function otherText(random: Random, text: string, words: readonly string[]): string {
  const at = random.below(text.length + 1);
  return random.of<() => string>([
    () => text.slice(0, at) + random.of([...HEX_DIGITS]) + text.slice(at + 1),
    () => text.slice(0, at) + random.of([...HEX_DIGITS]) + text.slice(at + 1),
    () => text.slice(0, at) + random.of([...HEX_DIGITS]) + text.slice(at + 1),
    () => text.slice(0, at),
    () => text.slice(0, at - (at % 2)),
    () => `${text}00`,
    () => `${text}0`,
    () => `0x00${text.slice(2)}`,
    () => text.toUpperCase(),
    () => `0x${'f'.repeat(random.of([1, 14, 16, 17, 64, 66]))}`,
    () => random.of(['0x0', '0x1', '0x5208', '0x1c9c380', '0x7fffffffffffffff', '0x20000000000000']),
    () => random.of(words),
    () => text.slice(0, at) + random.of(['\u0000', 'é', '\ud800', ' ', 'g', '0x']) + text.slice(at),
  ])();
}

/** Changes, drops or doubles some characters of a text. */
export function mutatedText(random: Random, text: string): string {
  let result = text;
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(result.length);
    const end = at + 1 + random.below(random.chance(80) ? 3 : 200);
    result = random.of<() => string>([
      () => result.slice(0, at) + String.fromCharCode(32 + random.below(95)) + result.slice(at + 1),
      () => result.slice(0, at) + result.slice(end),
      () => result.slice(0, end) + result.slice(at),
      () => result.slice(0, at),
    ])();
  }
  return result;
}

/** Changes some bits or bytes of hex data. */
export function mutatedHex(random: Random, hex: string): string {
  const bytes = [...Buffer.from(hex.slice(2), 'hex')];
  for (let count = 1 + random.below(2); count > 0; count--) {
    const at = random.below(bytes.length);
    random.of<() => void>([
      () => void bytes.splice(at, 1, (bytes[at] ?? 0) ^ (1 << random.below(8))),
      () => void bytes.splice(at, 1, random.below(256)),
      () => void bytes.splice(at, 1),
      () => void bytes.splice(at, 0, random.below(256)),
      () => void bytes.splice(at, bytes.length),
    ])();
  }
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
