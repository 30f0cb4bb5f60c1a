import { type Problem, problemLine } from '../state/problem.ts';
import type { Symptom } from './gauge/symptom.ts';

/**
 * Derives problems from symptoms: one for each subject, root causes first, then by time.
 * A problem that another one explains names it. For root causes, `complaint` finds what the subject logged since
 * then.
 */
export function explain(
  symptoms: readonly Symptom[],
  complaint: (subject: string, since: number) => string | undefined,
): Problem[] {
  const found = [...Map.groupBy(symptoms, ({ subject }) => subject)].map(([subject, own]) => ({
    subject,
    what: [...new Set(own.map(({ what }) => what))].join('; '),
    since: Math.min(...own.map(({ since }) => since)),
    because: own.find(({ because }) => because !== undefined)?.because,
    otherwise: own.find(({ otherwise }) => otherwise !== undefined)?.otherwise,
    cause: causeOf(own, symptoms),
  }));
  return found
    .toSorted((a, b) => Number(a.cause !== undefined) - Number(b.cause !== undefined) || a.since - b.since)
    .map(({ subject, what, since, because, otherwise, cause }): Problem => {
      const root = found.find((other) => other.subject === cause);
      const own = () => because ?? complaint(subject, since) ?? otherwise ?? null;
      return { subject, what, since, because: root === undefined ? own() : problemLine({ ...root, because: null }) };
    });
}

/** Returns the subject that explains all symptoms of another; undefined where one of them has no cause elsewhere. */
function causeOf(own: readonly Symptom[], all: readonly Symptom[]): string | undefined {
  const roots = own.map((symptom) => rootOf(symptom, all).subject);
  return own.some(({ subject }) => roots.includes(subject)) ? undefined : roots[0];
}

/** Returns the root cause of a symptom. */
function rootOf(symptom: Symptom, all: readonly Symptom[]): Symptom {
  const seen = new Set<Symptom>();
  for (let at: Symptom | undefined = symptom; at !== undefined; ) {
    seen.add(at);
    const next: Symptom | undefined = at.causes
      .map((cause) => all.find((other) => other.id === cause && !seen.has(other)))
      .find((other) => other !== undefined);
    if (next === undefined) return at;
    at = next;
  }
  return symptom;
}
