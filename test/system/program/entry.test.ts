import { expect, it } from 'vitest';
import { builtFile } from '../../../src/system/program/entry.ts';

it('a file of the build that is missing is named, with what writes it', () => {
  const expected = { code: 'build', hint: expect.stringContaining('make build') };
  expect(() => builtFile('evm', 'absent.wasm')).toThrow(expect.objectContaining(expected));
  expect(() => builtFile('evm', 'absent.wasm')).toThrow(
    /cannot read .*dist\/evm\/absent\.wasm, a file of this package/,
  );
});
