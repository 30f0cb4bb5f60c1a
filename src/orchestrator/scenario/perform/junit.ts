import type { ScenarioResult } from '../result.ts';
import type { StepResult } from '../step.ts';
import { failureLines } from './lines.ts';

/** Attributes of an element. */
type Attributes = Readonly<Record<string, string | number>>;

/**
 * Formats the outcome of a scenario as JUnit XML: a suite with a test case for each step. A step that fails is a
 * failure, and so is a network that cannot be torn down. A run that fails without a failure is an error: its network
 * did not become ready.
 */
export function junitXml({ name, passed, seconds, steps, teardown }: ScenarioResult): string {
  const count = (status: StepResult['status']) => steps.filter((step) => step.status === status).length;
  const failures = count('failed') + (teardown === undefined ? 0 : 1);
  const hasError = !passed && failures === 0;
  const message = 'the network did not become ready; no step ran';
  const error = element('error', { message, type: 'network' });
  const start = element('testcase', { name: 'start of the network', classname: name, time: seconds }, error);
  const end =
    teardown === undefined
      ? []
      : [
          element(
            'testcase',
            { name: 'end of the network', classname: name, time: 0 },
            element('failure', { message: teardown, type: 'network' }),
          ),
        ];
  const cases = [...(hasError ? [start] : []), ...steps.map((step) => testCase(name, step)), ...end];
  const counts = { tests: cases.length, failures, errors: hasError ? 1 : 0, skipped: count('skipped') };
  const suite = { name, ...counts, time: seconds };
  const suites = element('testsuites', suite, element('testsuite', suite, ...cases));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites}\n`;
}

function testCase(suite: string, result: StepResult): string {
  const { number, step, status, seconds, evidence } = result;
  const message = { message: String(evidence['error']), type: 'step' };
  return element(
    'testcase',
    { name: `${number} ${step}`, classname: suite, time: seconds },
    ...(status === 'failed' ? [element('failure', message, escaped(failureLines(result).join('\n')))] : []),
    ...(status === 'skipped' ? [element('skipped', {})] : []),
    element('system-out', {}, escaped(JSON.stringify(evidence, null, 2))),
  );
}

/** Writes an element. Its content is XML. */
function element(tag: string, attributes: Attributes, ...content: readonly string[]): string {
  const pairs = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value), /[\t\n\r]/g)}"`);
  const start = `<${tag}${pairs.join('')}`;
  return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${tag}>`;
}

/** Escapes text. Replaces characters that XML cannot hold. `also`: further characters to escape, as code points. */
function escaped(text: string, also: RegExp = /\r/g): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '·')
    .replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
    .replace(also, (character) => `&#${character.charCodeAt(0)};`);
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
