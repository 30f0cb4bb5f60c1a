import type { Contract, Frame, Program } from './program.ts';

const CONTRACTS: readonly Contract[] = ['A', 'B', 'C'];

/** Removes parts of a program as long as it still fails. */
export async function smallest(program: Program, fails: (program: Program) => Promise<boolean>): Promise<Program> {
  let found = program;
  for (;;) {
    let next: Program | undefined;
    for (const smaller of reductions(found))
      if (await fails(smaller)) {
        next = smaller;
        break;
      }
    if (next === undefined) return found;
    found = next;
  }
}

function* reductions(program: Program): Generator<Program> {
  const { accessList, authorizations, delegated, ...bare } = program;
  if (accessList !== undefined && accessList.length > 0) yield { ...program, accessList: [] };
  if (authorizations !== undefined) {
    yield { ...bare, ...(accessList && { accessList }), ...(delegated && { delegated }) };
    for (const at of authorizations.keys())
      if (authorizations.length > 1) yield { ...program, authorizations: authorizations.toSpliced(at, 1) };
  }
  if (program.value !== undefined && program.value > 0n) yield { ...program, value: 0n };
  const { contracts, inits } = program;
  for (const name of CONTRACTS)
    for (const frames of smallerFrames(contracts[name]))
      yield { ...program, contracts: { ...contracts, [name]: frames } };
  for (const frames of smallerFrames(inits)) yield { ...program, inits: frames };
}

function* smallerFrames(frames: readonly Frame[]): Generator<readonly Frame[]> {
  for (const [at, { actions, end }] of frames.entries()) {
    if (actions.length === 0) continue;
    yield frames.with(at, { actions: [], end });
    // Halves first, then single steps.
    const half = actions.length >> 1;
    if (half > 1) {
      yield frames.with(at, { actions: actions.slice(half), end });
      yield frames.with(at, { actions: actions.slice(0, half), end });
    }
    for (const index of actions.keys()) yield frames.with(at, { actions: actions.toSpliced(index, 1), end });
  }
}
