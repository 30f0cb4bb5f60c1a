import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { joinsSchema } from '../../../../src/orchestrator/attach/schema.ts';
import { faultDocument } from '../../../../src/orchestrator/faults/schema.ts';
import { readScenario } from '../../../../src/orchestrator/scenario/read/read.ts';
import { renderProblems } from '../../../../src/orchestrator/spec/text/problem.ts';
import { loadTemplate } from '../../../../src/orchestrator/template/load.ts';
import { blocksOf, commandsOf, PAGES } from '../../../writing/blocks.ts';
import { parse, template } from '../../package.ts';

/** Pages whose YAML is no spec, each with the test that reads it. */
const OTHERS: Readonly<Record<string, string>> = {
  'docs/scenarios.md': 'test/orchestrator/scenario/steps.test.ts',
  'docs/how-to/ci.md': 'test/writing/snippets.test.ts',
  'docs/how-to/attach.md': 'test/orchestrator/attach/read-file.test.ts',
};
/** YAML of other programs, and a comment for editors. */
const FOREIGN = /^(?:global:|# yaml-language-server[^\n]*\n$)/;

const snippets = PAGES.filter((page) => !Object.hasOwn(OTHERS, page))
  .flatMap((page) => blocksOf(page))
  .filter(({ kind, text }) => kind === 'yaml' || (kind === 'indented' && /^(?:time|batcher): \{/.test(text)))
  .filter(({ text }) => !FOREIGN.test(text))
  // Alternatives stand one a line.
  .flatMap(({ kind, page, line, text }) =>
    (kind === 'indented' ? text.split('\n').filter((each) => each.trim() !== '') : [text]).map((part) => {
      return { place: `${page}:${line}`, text: part };
    }),
  );

const indent = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by);

/** Puts a part of a spec where it belongs. */
function whole(text: string): string {
  if (/^(?:nodes|batcher|proposer|bundles):/m.test(text)) return `chains:\n  main:\n${indent(text, '    ')}`;
  if (/^(?:el|cl):/m.test(text))
    return `chains:\n  main:\n    nodes:\n      sequencer:\n        role: sequencer\n${indent(text, '        ')}`;
  return text;
}

describe('the YAML of README and docs', () => {
  it.each(snippets)(
    'of $place is a spec, a scenario, a template, a document of faults or a file of nodes that join',
    ({ text }) => {
      if (/^kind: /m.test(text)) {
        const loaded = loadTemplate('mine', { name: 'mine.yaml', text });
        expect(loaded.ok ? '' : renderProblems(loaded.problems)).toBe('');
        return;
      }
      if (/ join: /.test(text)) {
        expect(joinsSchema.safeParse(parseYaml(text)).error?.issues ?? []).toEqual([]);
        return;
      }
      if (/^partitions:/m.test(text)) {
        expect(faultDocument.safeParse(parseYaml(text)).error?.issues ?? []).toEqual([]);
        return;
      }
      if (/^steps:/m.test(text)) {
        expect(renderProblems(readScenario({ name: 'docs.yaml', text }, 'docs').problems)).toBe('');
        return;
      }
      // A client of the reader's own is a binary.
      const outcome = parse(whole(text), { loadClient: () => template('op-geth') });
      expect(outcome.ok ? '' : renderProblems(outcome.problems)).toBe('');
    },
  );

  it('is found', () => {
    expect(snippets.length).toBeGreaterThan(18);
    expect(PAGES.flatMap((page) => blocksOf(page)).filter((block) => commandsOf(block).length > 0)).not.toEqual([]);
  });

  it('parses if it is JSON', () => {
    const blocks = PAGES.flatMap((page) => blocksOf(page)).filter(({ kind }) => kind === 'json');
    expect(blocks.length).toBeGreaterThan(0);
    for (const { text } of blocks) expect(() => JSON.parse(text.replaceAll('…', ''))).not.toThrow();
  });
});
