import type { DerivationLog } from '../../../../src/protocol/derivation/ports.ts';

type Data = Readonly<Record<string, unknown>> | undefined;

/** A log that keeps level and data of each line. The wording is no behaviour. */
export function scriptedLog(): {
  readonly log: DerivationLog;
  readonly lines: (readonly [level: string, data: Data])[];
} {
  const lines: [string, Data][] = [];
  return { log: (level, _message, data) => void lines.push([level, data]), lines };
}
