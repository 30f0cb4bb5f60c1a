import { expect, it } from 'vitest';
import { plainProgress } from '../../../src/orchestrator/terminal/progress.ts';

it('lines of a start break between words on a terminal, and a command to paste does not', () => {
  const lines: string[] = [];
  const progress = plainProgress({
    ...{ stdout: () => undefined, stderr: (text) => lines.push(...text.split('\n')), env: {}, cwd: '/', isTty: false },
    columns: () => 24,
  });
  progress.tell({ event: 'notice', text: 'the port 8545 is taken by another program' });
  progress.tell({ event: 'manual', task: 'main/late/el', command: 'node client.js --port 8545 --data here' });
  expect(lines).toEqual([
    ...['the port 8545 is taken', '  by another program', ''],
    ...['start it yourself: main/late/el', '  node client.js --port 8545 --data here', ''],
  ]);
});
