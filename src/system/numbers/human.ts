/** Formats a number with its digits in groups of three. */
export function digitGroups(value: number | string | bigint): string {
  const [whole = '', fraction] = String(value).split('.');
  const groups = whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

/** Wei from which an amount is written in a unit. */
const [ETHER_FROM, GWEI_FROM] = [10n ** 14n, 10n ** 5n];

/** Formats wei exactly, as ether, gwei or wei by its size. */
export function etherText(wei: bigint): string {
  const size = wei < 0n ? -wei : wei;
  const [unit, digits] = size >= ETHER_FROM ? ['ether', 18] : size >= GWEI_FROM ? ['gwei', 9] : ['wei', 0];
  const all = String(size).padStart(digits + 1, '0');
  const whole = all.slice(0, all.length - digits);
  const fraction = all.slice(all.length - digits).replace(/0+$/, '');
  return `${wei < 0n ? '-' : ''}${digitGroups(fraction === '' ? whole : `${whole}.${fraction}`)} ${unit}`;
}

/** Decimals that are shown of an amount below 100, and below 10,000. */
const [FINE, COARSE] = [4, 2];

/** Formats wei as ether, gwei or wei by its size, with at most four decimals. */
export function roundedEther(value: bigint): string {
  const size = value < 0n ? -value : value;
  if (size >= ETHER_FROM) return `${inUnits(value, 18)} ether`;
  if (size >= GWEI_FROM) return `${inUnits(value, 9)} gwei`;
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

/** Formats a span of seconds with at most two units: `3 h 20 min`, `1 min 5 s`. */
export function spanText(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ] as const;
  let rest = Math.max(0, Math.round(seconds));
  const first = units.findIndex(([, size]) => rest >= size);
  if (first < 0) return '0 s';
  const words = units.slice(first, first + 2).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return words.join(' ');
}
