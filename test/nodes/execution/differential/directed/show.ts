import { bytesToHex } from '../../../../../src/protocol/hex.ts';
import type { DirectedFinding } from './compare.ts';
import { place } from './place.ts';
import type { Frame, Program } from './program.ts';

/** Returns a failure as text: the smallest program, its code, and the first differences. */
export function textOfFailure({ failure }: DirectedFinding): string {
  if (failure === undefined) return '';
  const { program, differences } = failure;
  const { alloc, transactions } = place(program, 0);
  return [
    program.title,
    ...framesOf(program),
    json({ ...program, title: undefined, contracts: undefined, inits: undefined }),
    ...Object.entries(alloc).map(([address, { code }]) => `${address} ${code ?? ''}`),
    ...transactions.map((raw) => `transaction ${bytesToHex(raw)}`),
    ...differences.slice(0, 4).map((one) => json(one).slice(0, 1000)),
  ].join('\n');
}

function framesOf({ contracts, inits }: Program): string[] {
  const lines = (name: string, frames: readonly Frame[]) =>
    frames.flatMap(({ actions, end }, at) => {
      const steps = [...actions, end].map((step) => `  ${json(step)}`);
      return actions.length === 0 && end === 'stop' ? [] : [`${name}.${at}:`, ...steps];
    });
  return [...Object.entries(contracts).flatMap(([name, frames]) => lines(name, frames)), ...lines('init', inits)];
}

const json = (value: unknown) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));
