import { FORKS, type ForkName } from '../../../protocol/forks/index.ts';

/** All fork names that a spec may give a time. */
export const FORK_NAMES: readonly ForkName[] = FORKS.map(({ name }) => name);

/** Forks that a chain can start from: the links of the chain of forks, oldest first. */
export const BASES: readonly ForkName[] = FORKS.filter(({ optional }) => !optional).map(({ name }) => name);
