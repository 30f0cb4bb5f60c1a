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
  const problems = [...Map.groupBy(symptoms, ({ subject }) => subject)].map(([subject, group]) => ({
    subject,
    what: [...new Set(group.map(({ what }) => what))].join('; '),
    since: Math.min(...group.map(({ since }) => since)),
    because: group.find(({ because }) => because !== undefined)?.because,
    otherwise: group.find(({ otherwise }) => otherwise !== undefined)?.otherwise,
    cause: causeOf(group, symptoms),
  }));
  return problems
    .toSorted((a, b) => Number(a.cause !== undefined) - Number(b.cause !== undefined) || a.since - b.since)
    .map(({ subject, what, since, because, otherwise, cause }): Problem => {
      const root = problems.find((other) => other.subject === cause);
      const reason = () => because ?? complaint(subject, since) ?? otherwise ?? null;
      return { subject, what, since, because: root === undefined ? reason() : problemLine({ ...root, because: null }) };
    });
}

/** Returns the subject that explains all symptoms of another; undefined if one of them has no cause elsewhere. */
function causeOf(group: readonly Symptom[], all: readonly Symptom[]): string | undefined {
  const roots = group.map((symptom) => rootOf(symptom, all).subject);
  return group.some(({ subject }) => roots.includes(subject)) ? undefined : roots[0];
}

/** Returns the root cause of a symptom. */
function rootOf(symptom: Symptom, all: readonly Symptom[]): Symptom {
  const chain = new Set<Symptom>();
  for (let at: Symptom | undefined = symptom; at !== undefined; ) {
    chain.add(at);
    const next: Symptom | undefined = at.causes
      .map((cause) => all.find((other) => other.id === cause && !chain.has(other)))
      .find((other) => other !== undefined);
    if (next === undefined) return at;
    at = next;
  }
  return symptom;
}
