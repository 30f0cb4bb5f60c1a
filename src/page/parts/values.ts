/** Formats Unix seconds as a time of day in UTC. */
export const clockTime = (time: number): string => new Date(time * 1000).toISOString().slice(11, 19);

export const text = (value: number | null): string => (value === null ? '-' : digitGroups(value));

/** Formats a number with its digits in groups of three. */
export function digitGroups(value: number | string | bigint): string {
  const [whole = '', fraction] = String(value).split('.');
  const groups = whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

/** Decimals that are shown of an amount below 100, and below 10,000. */
const [FINE, COARSE] = [4, 2];

/** Formats wei as ether, gwei or wei by its size, with at most four decimals. */
export function amount(wei: string): string {
  const value = BigInt(wei);
  const size = value < 0n ? -value : value;
  if (size >= 10n ** 14n) return `${inUnits(value, 18)} ether`;
  if (size >= 10n ** 5n) return `${inUnits(value, 9)} gwei`;
  return `${digitGroups(value)} wei`;
}

function inUnits(value: bigint, digits: number): string {
  const size = value < 0n ? -value : value;
  const decimals = size >= 10n ** BigInt(digits + 4) ? 0 : size >= 10n ** BigInt(digits + 2) ? COARSE : FINE;
  const scale = 10n ** BigInt(digits - decimals);
  const all = String((size + scale / 2n) / scale).padStart(decimals + 1, '0');
  const fraction = all.slice(all.length - decimals).replace(/0+$/, '');
  const whole = digitGroups(all.slice(0, all.length - decimals));
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Replaces control characters, and those that turn the direction of text. */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '�');
}
