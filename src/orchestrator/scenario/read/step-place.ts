import { stepKind } from './step-kinds.ts';

/**
 * Returns where a problem of a scenario is, with the step's number as a run counts it: `step 4.2, wait.for` of
 * `steps.3.repeat.steps.1.wait.for`. Undefined outside of steps.
 */
export function stepPlace(path: string): string | undefined {
  const numbers: number[] = [];
  let [list = '', index, ...rest] = path.split('.');
  if (list !== 'steps') return undefined;
  while (index !== undefined && /^\d+$/.test(index)) {
    numbers.push(Number(index) + 1);
    const inner = stepKind(rest[0] ?? '')?.inner;
    const isInner = inner?.every((key, at) => rest[at + 1] === key) === true;
    const below = 1 + (inner?.length ?? 0);
    if (!isInner || !/^\d+$/.test(rest[below] ?? '')) break;
    [index, ...rest] = rest.slice(below);
  }
  return numbers.length === 0 ? undefined : [`step ${numbers.join('.')}`, rest.join('.')].filter(Boolean).join(', ');
}
