import { describe, expect, it } from 'vitest';
import {
  compareVersions,
  formatVersion,
  outdatedBy,
  SUPPORTED,
} from '../../../../src/nodes/rollup/metrics/protocol-version.ts';
import type { Hex } from '../../../../src/protocol/types.ts';

const word = (number: number) => number.toString(16).padStart(8, '0');
const version = (major: number, minor = 0, patch = 0, prerelease = 0, build = '00'.repeat(8)): Hex =>
  `0x${'00'.repeat(8)}${build}${word(major)}${word(minor)}${word(patch)}${word(prerelease)}`;

describe('protocol versions', () => {
  it.each([
    [version(9), version(10), -4],
    [version(9, 1), version(9, 2), -3],
    [version(9, 1, 1), version(9, 1, 2), -2],
    [version(9, 0, 0, 1), version(9, 0, 0, 2), -1],
    [version(9), version(9), 0],
    [version(10), version(9, 9, 9), 4],
    [version(9), version(9, 0, 0, 0, `01${'00'.repeat(7)}`), 101],
    [version(9), `0x01${'00'.repeat(31)}` as Hex, 100],
    [version(9), version(0), 102],
  ])('%s against %s is %i', (local, other, order) => {
    expect(compareVersions(local, other)).toBe(order);
  });

  it('report by which step this node is behind', () => {
    expect(formatVersion(SUPPORTED)).toBe('v9.0.0');
    expect(formatVersion(version(1, 2, 3, 4))).toBe('v1.2.3-4');
    expect([version(10), version(9, 1), version(9, 0, 1), version(9), version(8)].map(outdatedBy)).toEqual([
      'major',
      'minor',
      'patch',
      undefined,
      undefined,
    ]);
  });
});
