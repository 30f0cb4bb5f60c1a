import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, Failure } from '../../../system/failure.ts';
import { VERSION } from '../../../system/program/common-options.ts';
import { ANSWER_MS } from './engine.ts';

/** Waits for an answer of an engine, for ten seconds at most. `silent`: makes the error of one that gives none. */
export async function inTime<T>(answer: Promise<T>, silent: (cause: unknown) => Failure): Promise<T> {
  answer.catch(() => undefined);
  const late = sleep(ANSWER_MS, undefined, { ref: false }).then(() => {
    throw silent(new Error(`no answer within ${ANSWER_MS / 1000} s`));
  });
  return await Promise.race([answer, late]);
}

/** Returns the failure of a place without an exported network. `look`: the command that shows all. */
export function noDevnet(words: string, look: string): Failure<'attach'> {
  return new Failure('attach', `${words} has no devnet`, {
    exit: EXIT.usage,
    data: { reason: 'no-devnet' },
    hint: `\`${look}\` shows where there is one`,
  });
}

/** Returns the failure of a place with several networks. `hint`: how one of them is attached. */
export function severalDevnets(words: string, names: readonly string[], hint: string): Failure<'attach'> {
  return new Failure('attach', `${words} has ${names.length} devnets: ${names.join(', ')}`, {
    exit: EXIT.usage,
    data: { reason: 'several', devnets: names },
    hint,
  });
}

/** Refuses a network that another version exported: it may plan another network from the same spec. */
export function mustBeOfThisVersion(words: string, devnet: string, version: string): void {
  if (version === VERSION) return;
  throw new Failure('attach', `${words} runs ${devnet} of version ${version}, and this is version ${VERSION}`, {
    exit: EXIT.usage,
    data: { reason: 'version', version, expected: VERSION },
    hint: `run \`npx rollup-devnet@${version} attach …\`, or export the network again with version ${VERSION}`,
  });
}
