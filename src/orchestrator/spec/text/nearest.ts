/** The candidate that a misspelt word most likely means, or undefined if none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = edits(word.toLowerCase(), candidate.toLowerCase(), least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours between two words; gives up at `limit`. */
function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (above[column] ?? limit) + 1,
        (current[column - 1] ?? limit) + 1,
        (above[column - 1] ?? limit) + (same ? 0 : 1),
      );
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, (before[column - 2] ?? limit) + 1);
      current.push(cost);
    }
    [before, above] = [above, current];
  }
  return above[b.length] ?? limit;
}
