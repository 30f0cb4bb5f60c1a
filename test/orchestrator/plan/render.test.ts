import { describe, expect, it } from 'vitest';
import type { FileContent } from '../../../src/orchestrator/plan/plan.ts';
import { renderContent } from '../../../src/orchestrator/plan/render.ts';
import { l1Genesis } from '../../../src/protocol/genesis/index.ts';
import { contracts, planOf } from './planned.ts';

const plan = planOf('name: demo');
const contentOf = (kind: FileContent['kind']) => plan.files.find(({ content }) => content.kind === kind)!.content;
const inputs = { contracts, bundle: (fork: string) => `{"bundle":"${fork}"}` };

describe('a planned file', () => {
  it('of text is its text', () => {
    expect(renderContent({ kind: 'text', text: ' a\n' }, inputs)).toBe(' a\n');
  });

  it('of an upgrade bundle is the bundle of its fork', () => {
    expect(renderContent({ kind: 'upgrade-bundle', fork: 'jovian' }, inputs)).toBe('{"bundle":"jovian"}');
  });

  it('of the genesis of L1 is one line of JSON', () => {
    const content = contentOf('l1-genesis');
    if (content.kind !== 'l1-genesis') throw new Error('the plan has no genesis of L1');
    const text = renderContent(content, inputs);
    expect(text.endsWith('}\n')).toBe(true);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(l1Genesis(content.inputs, contracts))));
  });

  it('of the genesis of L2 takes its accounts from the cache if there is one', () => {
    const content = contentOf('l2-genesis');
    const parsed = JSON.parse(renderContent(content, inputs));
    expect(Object.keys(parsed.alloc).length).toBeGreaterThan(2000);
    const cached = JSON.parse(renderContent(content, { ...inputs, alloc: () => '{"0xab":{"balance":"0x1"}}' }));
    expect(cached).toEqual({ ...parsed, alloc: { '0xab': { balance: '0x1' } } });
  });

  it('without keys is another file without them', () => {
    const keys = ['bundle'];
    const of = { kind: 'upgrade-bundle', fork: 'jovian' } as const;
    expect(JSON.parse(renderContent({ kind: 'without', of, keys }, inputs))).toEqual({});
    const file = { kind: 'without', of: { kind: 'file', path: '/own.json' }, keys: ['a'] } as const;
    const read = (path: string) => JSON.stringify({ a: 1, path });
    expect(JSON.parse(renderContent(file, { ...inputs, read }))).toEqual({ path: '/own.json' });
    expect(() => renderContent(file, inputs)).toThrow('/own.json');
  });
});
