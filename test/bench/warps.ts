import { receiptTimes, warpCost, warpLines } from './warp.ts';

/** Measures warps and `clock: instant` alone, without the rest of `make bench`. */
for (const line of warpLines([await warpCost(0), await warpCost(10)])) console.log(line);
for (const [layer, times] of Object.entries(await receiptTimes())) {
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
  console.log(`clock: instant, receipt on ${layer.toUpperCase()}: ${median.toFixed(0)} ms (goal 100 ms)`);
}
