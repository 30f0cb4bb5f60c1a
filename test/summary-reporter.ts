import { existsSync, readFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { failedNetworks } from './e2e/support/failed-networks.ts';

/** Failed tests that are named at the end. The first of a file often explains the rest. */
const NAMED = 12;
/** Characters of one message. */
const MAX_MESSAGE_CHARS = 160;

/**
 * Ends a run with `N passed, N failed` alone on a line, counted from the runner's own results. Before it stand the
 * failed tests and how their networks ended: the end of its output is often all that a machine of CI keeps.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const failed: string[] = [];
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed' || state === 'skipped') counts[state]++;
        if (state === 'failed') failed.push(`${module.relativeModuleId} > ${test.fullName}: ${firstLine(test)}`);
      }
      if (module.state() === 'failed' && [...module.children.allTests('failed')].length === 0) counts.failed++;
    }
    counts.failed += errors.length;
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    if (failed.length > NAMED) failed.splice(NAMED, failed.length, `and ${failed.length - NAMED} more`);
    if (failed.length > 0) console.log(`\n${failed.join('\n')}`);
    if (existsSync(failedNetworks())) console.log(readFileSync(failedNetworks(), 'utf8').trimEnd());
    console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
  }
}

function firstLine(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  return (error?.message ?? '').split('\n', 1)[0]!.slice(0, MAX_MESSAGE_CHARS);
}
