import { afterEach, describe, expect, it, vi } from 'vitest';
import { main as conductor } from '../../../src/nodes/conductor/main.ts';
import { main as daServer } from '../../../src/nodes/da-server/main.ts';
import { main as signer } from '../../../src/nodes/signer/main.ts';

const PROGRAMS = [
  { name: 'devnet-conductor', main: conductor, flag: '--datadir' },
  { name: 'devnet-da-server', main: daServer, flag: '--datadir' },
  { name: 'devnet-signer', main: signer, flag: '--private-key-file' },
];

describe.each(PROGRAMS)('the server $name', ({ name, main, flag }) => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    { of: 'an operand', argv: ['word'], problem: 'word' },
    { of: 'no option that it needs', argv: [], problem: `${flag} is missing` },
  ])('refuses $of and says where its options are', async ({ argv, problem }) => {
    const lines = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await main(argv, {})).toBe(2);
    const text = lines.mock.calls.map(([line]) => String(line)).join('');
    expect(text).toContain(`${name}: ${problem}`);
    expect(text).toContain(`${name} --help lists the options`);
  });
});
