import { COMING_PHASES } from '../../orchestrator/state/coming-phases.ts';
import { digitGroups, roundedEther } from '../../system/numbers/human.ts';

/** Formats Unix seconds as a time of day in UTC. */
export const clockTime = (time: number): string => new Date(time * 1000).toISOString().slice(11, 19);

export const text = (value: number | null): string => (value === null ? '-' : digitGroups(value));

/** Returns how a phase is drawn. A process that is still to come is no problem. */
export function phaseClass(phase: string): 'good' | 'dim' | 'bad' {
  if (phase === 'ready') return 'good';
  return COMING_PHASES.has(phase) ? 'dim' : 'bad';
}

/** Formats wei as ether, gwei or wei by its size, with at most four decimals. */
export const amount = (wei: string): string => roundedEther(BigInt(wei));

/** Replaces control characters, and those that turn the direction of text. */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '�');
}
