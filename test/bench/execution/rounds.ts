/** Returns the milliseconds of processor time of some work. Other load on the machine hardly counts. */
export async function processorTimeOf(work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs two works alternately, so that other load slows both. The ratio is that of each round. */
export async function inTurn(
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<{ ours: number; theirs: number; ratio: number }> {
  const pairs: [number, number][] = [];
  for (let round = 0; round <= rounds; round++) {
    const first = round % 2 === 0 ? await ours() : await theirs();
    const second = round % 2 === 0 ? await theirs() : await ours();
    const pair: [number, number] = round % 2 === 0 ? [first, second] : [second, first];
    // The first round warms up both.
    if (round > 0) pairs.push(pair);
  }
  return {
    ours: median(pairs.map(([mine]) => mine)),
    theirs: median(pairs.map(([, other]) => other)),
    ratio: median(pairs.map(([mine, other]) => mine / other)),
  };
}
