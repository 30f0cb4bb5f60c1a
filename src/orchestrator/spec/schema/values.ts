/** When a fork activates, as a spec says it. */
export type ForkTime =
  | { readonly kind: 'genesis' | 'never' }
  /** Seconds after genesis, or after the moment of planning, for a network that runs. */
  | { readonly kind: 'after' | 'now'; readonly seconds: number }
  /** Unix seconds. */
  | { readonly kind: 'at'; readonly time: number }
  /** The L2 block of this number is the first of the fork. */
  | { readonly kind: 'block'; readonly block: number };

/** What {@link parseForkTime} takes, in words. */
export const FORK_TIME = 'genesis, never, +20s (after genesis), now+20s, a Unix timestamp, or { block: 40 }';

/** The activation time that a value says, or undefined if it says none. */
export function parseForkTime(value: unknown): ForkTime | undefined {
  if (value === 'genesis' || value === 'never') return { kind: value };
  if (typeof value === 'number') return natural(value) && value > 0 ? { kind: 'at', time: value } : undefined;
  if (typeof value === 'string') {
    const block = /^block:(\d+)$/.exec(value);
    if (block !== null) return { kind: 'block', block: Number(block[1]) };
    if (/^[1-9]\d{0,15}$/.test(value)) return { kind: 'at', time: Number(value) };
    const [, now, length] = /^(now)?\+(.+)$/.exec(value) ?? [];
    const seconds = length === undefined ? undefined : parseSeconds(length);
    if (seconds === undefined) return undefined;
    return now === undefined ? { kind: 'after', seconds } : { kind: 'now', seconds };
  }
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'block') return undefined;
  const { block } = value as { readonly block: unknown };
  return natural(block) ? { kind: 'block', block } : undefined;
}

/** The same as a person writes it; {@link parseForkTime} reads it back. */
export function forkTimeText(time: ForkTime): string | number | { readonly block: number } {
  switch (time.kind) {
    case 'genesis':
    case 'never':
      return time.kind;
    case 'after':
      return `+${time.seconds}s`;
    case 'now':
      return `now+${time.seconds}s`;
    case 'at':
      return time.time;
    case 'block':
      return { block: time.block };
  }
}

/** The same as one word of a command line: `block:40`. */
export function forkTimeWord(time: ForkTime): string {
  const written = forkTimeText(time);
  return typeof written === 'object' ? `block:${written.block}` : String(written);
}

/** What an activation time is relative to; all in seconds. */
export interface ForkClock {
  readonly genesisTime: number;
  readonly blockTime: number;
  readonly now: number;
}

/** Unix seconds of an activation, 0 for "from genesis", undefined for never. */
export function forkSeconds(time: ForkTime, clock: ForkClock): number | undefined {
  switch (time.kind) {
    case 'genesis':
      return 0;
    case 'never':
      return undefined;
    case 'after':
      return time.seconds === 0 ? 0 : clock.genesisTime + time.seconds;
    case 'now':
      return clock.now + time.seconds;
    case 'at':
      return time.time;
    case 'block':
      return time.block === 0 ? 0 : clock.genesisTime + time.block * clock.blockTime;
  }
}

/** Whole seconds of a duration such as 20s, 1m30s or 2h, or undefined. */
export function parseSeconds(text: string): number | undefined {
  const match = /^(?:(\d{1,6})h)?(?:(\d{1,8})m)?(?:(\d{1,12})s)?$/.exec(text);
  if (match === null || text === '') return undefined;
  const [, hours = 0, minutes = 0, seconds = 0] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

const UNITS: Readonly<Record<string, bigint>> = { wei: 1n, gwei: 10n ** 9n, ether: 10n ** 18n };

/** What {@link parseWei} takes, in words. */
export const AMOUNT = 'an amount such as 10000 ether, 5 gwei or 1000000 wei';

/** wei of `10000 ether`, `1.5 gwei` or a bare number of wei, or undefined. */
export function parseWei(value: unknown): bigint | undefined {
  if (typeof value === 'number') return natural(value) ? BigInt(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const match = /^(\d{1,60})(?:\.(\d{1,18}))?\s*(wei|gwei|ether)?$/.exec(value);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', unit = 'wei'] = match;
  const scale = UNITS[unit] ?? 1n;
  const part = BigInt((fraction || '0').padEnd(18, '0')) * scale;
  if (part % 10n ** 18n !== 0n) return undefined;
  const wei = BigInt(whole) * scale + part / 10n ** 18n;
  return wei < 2n ** 200n ? wei : undefined;
}

/** Smallest amount (wei) of no whole gwei that is written in ether. Balances are such amounts after the first fee. */
const MIN_ETHER_FRACTION_WEI = 10n ** 15n;

/** wei in the largest unit that leaves no fraction. A large amount of no whole gwei has one, in ether. */
export function weiText(wei: bigint): string {
  if (wei >= MIN_ETHER_FRACTION_WEI && wei % 10n ** 9n !== 0n) {
    const fraction = String(wei % 10n ** 18n).padStart(18, '0');
    return `${wei / 10n ** 18n}.${fraction.replace(/0+$/, '')} ether`;
  }
  const [unit, scale] = Object.entries(UNITS).findLast(([, each]) => wei > 0n && wei % each === 0n) ?? ['wei', 1n];
  return `${wei / scale} ${unit}`;
}

const SIZES: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9 };

/** What {@link parseBytes} takes, in words. */
export const BYTES = 'a size from 64 kB to 1000 GB, such as 500 kB, 50 MB or 1 GB';

/** Bytes of a log's size, or undefined. */
export function parseBytes(value: unknown): number | undefined {
  const [, number, unit = ''] = /^(\d{1,12})(?: ?(kB|MB|GB))?$/.exec(String(value)) ?? [];
  const bytes = Number(number) * (SIZES[unit] ?? 1);
  return bytes >= 64_000 && bytes <= 1e12 ? bytes : undefined;
}

/** Bytes in the largest unit that leaves no fraction. */
export function bytesText(bytes: number): string | number {
  const unit = Object.entries(SIZES).findLast(([, size]) => bytes % size === 0);
  return unit === undefined ? bytes : `${bytes / unit[1]} ${unit[0]}`;
}

function natural(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
