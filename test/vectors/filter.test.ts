import { expect, it } from 'vitest';
import { filterOf } from './filter.ts';

const path = 'BlockchainTests/ValidBlocks/bcExample/shanghaiExample.json';
const name = 'tests/cancun/eip4844_blobs/test_blob.py::test_valid[fork_Cancun-blockchain_test]';

it.each([
  ['bcExample', path, true],
  ['bcexample', path, false],
  ['ValidBlocks/*Example.json', path, true],
  ['ValidBlocks/?cExample/', path, true],
  ['ValidBlocks/?xample', path, false],
  ['[fork_Cancun-', name, true],
  ['test_blob.py::*[fork_Cancun', name, true],
  ['test_blob_py', name, false],
  ['a*b', 'a\nb', true],
])('FILTER=%s of %s matches: %s', (filter, text, matches) => {
  expect(filterOf(filter)(text)).toBe(matches);
});
