import { EXIT, Failure } from '../../system/failure.ts';
import { parseDuration } from '../../system/program/options.ts';
import { type Devnet, viewOf, withControl } from '../devnet/select.ts';
import { tasksOf } from '../devnet/targets.ts';
import { skewText } from '../health/skew.ts';

/** The longest skew: a day. */
const MAX_SKEW_MS = 86_400_000;

/** Reads a skew in milliseconds: `+10s`, `-1500ms`, `0`. Undefined if it is none. */
export function parseSkew(text: string): number | undefined {
  if (/^[+-]?0(ms|s|m|h)?$/.test(text)) return 0;
  const [, sign, amount = ''] = /^([+-])(.+)$/.exec(text) ?? [];
  const ms = sign === undefined ? undefined : parseDuration(amount);
  if (ms === undefined || ms <= 0 || !isSkew(ms)) return undefined;
  return sign === '-' ? -ms : ms;
}

function isSkew(ms: number): boolean {
  return Number.isSafeInteger(ms) && Math.abs(ms) <= MAX_SKEW_MS;
}

/** Tasks whose clocks were set, and by how much. */
export interface SkewedClock {
  readonly tasks: readonly string[];
  readonly ms: number;
}

/** Skews the clocks of a node's processes, or of one of them. `amount`: a text, or ms. @throws Failure */
export async function skewClock(devnet: Devnet, word: string, amount: string | number): Promise<SkewedClock> {
  const ms = typeof amount === 'string' ? parseSkew(amount) : amount;
  if (ms === undefined || !isSkew(ms))
    throw new Failure('usage', `clock skew: expected +10s, -1500ms or 0, found ${JSON.stringify(amount)}`, {
      exit: EXIT.usage,
      hint: 'a skew is at most a day; 0 ends it',
    });
  const tasks = tasksOf(viewOf(devnet).plan, word).map(({ id }) => id);
  return withControl(devnet, async (control) => {
    await control.ask({ method: 'skew', tasks, ms });
    return { tasks, ms };
  });
}

/** Says what became of the clocks. */
export function skewedText({ tasks, ms }: SkewedClock): string {
  const names = tasks.join(', ');
  if (ms === 0) return `the network's clock goes for ${names} again\n`;
  return `${tasks.length === 1 ? 'the clock' : 'the clocks'} of ${names}: ${skewText(ms)}\n`;
}
