import { expect, it } from 'vitest';
import type { PlannedFile } from '../../../src/orchestrator/plan/plan.ts';
import { secretFiles } from '../../../src/orchestrator/plan/secret-files.ts';

it('a secret is mapped only to the file that holds only this secret', () => {
  const file = (path: string, secret: boolean, content: object): PlannedFile =>
    ({ path, mode: 0o600, secret, content }) as PlannedFile;
  const files = [
    file('/jwt.hex', true, { kind: 'text', text: '0x5a\n' }),
    file('/open.txt', false, { kind: 'text', text: 'open' }),
    file('/made.json', true, { kind: 'genesis', text: '0x5b' }),
  ];
  expect([...secretFiles(files)]).toEqual([['0x5a', '/jwt.hex']]);
});
