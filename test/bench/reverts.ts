import { join, resolve } from 'node:path';

const library = new URL(`file://${resolve(import.meta.dirname, '..', '..', 'dist', 'library', 'index.mjs')}`).href;

/** Returns measured, after the first ones, in which the processes compile their code. */
const TIMES = 20;
const WARM = 3;

/** Goes back to one snapshot of the default devnet, with two new blocks each time. Returns the ms of each return. */
export async function revertsOnce(folder: string): Promise<readonly number[]> {
  const { startDevnet }: typeof import('../../src/library/index.ts') = await import(library);
  const home = join(folder, 'reverts');
  await using net = await startDevnet({ spec: 'default', ports: 'auto', name: 'reverts', home });
  await net.waitFor('safe:2');
  const snapshot = await net.snapshot();
  const number = await net.chain().public.getBlockNumber();
  const times: number[] = [];
  for (let nth = 0; nth < WARM + TIMES; nth++) {
    await net.warp(`block:${number + 2n}`);
    const began = performance.now();
    await net.revert(snapshot);
    times.push(performance.now() - began);
  }
  return times.slice(WARM);
}
