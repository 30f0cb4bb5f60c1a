import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STEPS } from '../../../../src/orchestrator/scenario/read/step-kinds.ts';
import { RECEIPT_VALUES } from '../../../../src/orchestrator/scenario/receipts.ts';
import { root } from '../../package.ts';

const page = readFileSync(join(root, 'docs', 'scenarios.md'), 'utf8');

/** Lists the values that the page names for `as` in the section of a step. */
function documentedOf(step: string): readonly string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${step}\n`)) ?? '';
  return [...section.matchAll(/\bfor\s+`as`:(.*?)\.\s/gs)].flatMap(([, values = '']) => [
    ...[...values.matchAll(/`(\w+)`/g)].map(([, word = '']) => word).filter((word) => word !== 'send'),
    ...(/those\s+of\s+`send`|a\s+receipt/.test(values) ? RECEIPT_VALUES : []),
  ]);
}

const NAMED = STEPS.filter(({ gives }) => gives.length > 0);

it.each(NAMED)('the step $name gives the values that its page names for references', ({ name, gives }) => {
  const documented = documentedOf(name);
  if (name !== 'l1') expect(documented.length).toBeGreaterThan(0);
  expect(gives).toEqual(expect.arrayContaining([...documented]));
});

it('the steps that the page names values of are those that give some', () => {
  const ofPage = STEPS.filter(({ name }) => documentedOf(name).length > 0).map(({ name }) => name);
  expect([...ofPage, 'l1'].sort()).toEqual(NAMED.map(({ name }) => name).sort());
});

it('the step l1 gives what its page says of a reorganisation', () => {
  expect(STEPS.find(({ name }) => name === 'l1')?.gives).toEqual(
    expect.arrayContaining(['common', 'from', 'to', 'sent']),
  );
});

it('the values of a receipt are those that the page names', () => {
  expect([...RECEIPT_VALUES].sort()).toEqual([...new Set([...documentedOf('send'), ...documentedOf('deploy')])].sort());
});
