import { getJunitXml } from 'junit-xml';
import type { ScenarioResult } from './result.ts';

/** Formats the outcome of a scenario as JUnit XML: a suite with a test case for each step. */
export function junitXml({ name, seconds, steps }: ScenarioResult): string {
  return getJunitXml({
    name,
    time: seconds,
    suites: [
      {
        name,
        time: seconds,
        testCases: steps.map(({ step, status, seconds: time, evidence }, index) => ({
          name: clean(`${index + 1} ${step}`),
          classname: name,
          time,
          skipped: status === 'skipped',
          ...(status === 'failed' ? { failures: [{ message: clean(String(evidence['error'])), type: 'step' }] } : {}),
          systemOut: [clean(JSON.stringify(evidence, null, 2))],
        })),
      },
    ],
  });
}

/** Removes characters that XML cannot hold. */
function clean(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '·');
}
