import { redactUrl, transportErrorIn } from '../../rpc/client/client.ts';
import { Failure } from '../../system/failure.ts';
import { readPlan } from '../folder/devnet-folder.ts';
import { homeOf } from '../folder/home.ts';
import { taskAt } from '../plan/lookup.ts';
import { pathsOf } from '../state/paths.ts';
import type { Io } from '../terminal/io.ts';

/** Returns the failure of a request without an answer, with the program's name; undefined for any other error. */
export function noAnswer(error: unknown, { programAt }: Pick<Io, 'programAt'>): Failure<'no-answer'> | undefined {
  const transport = error instanceof Failure ? undefined : transportErrorIn(error);
  if (transport === undefined) return undefined;
  const program = programAt?.(transport.url);
  const place = program === undefined ? '' : `${program} at `;
  return new Failure('no-answer', `no answer from ${place}${transport.message}`, {
    data: { url: redactUrl(transport.url), ...(program !== undefined && { program }) },
    hint: 'run `devnet status` to see whether it runs',
  });
}

/** Returns the task of a devnet that has the address of a URL: `main/sequencer/el`. */
export function programAt(io: Io, devnet: string, url: string): string | undefined {
  const plan = readPlan(pathsOf(homeOf(io), devnet));
  return plan && taskAt(plan, url)?.id;
}
