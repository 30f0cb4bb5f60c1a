import type { Hex } from '../../../protocol/types.ts';

/** A version of the OP Stack's protocol (op-geth: `ProtocolVersion`; specification: superchain upgrades). */
interface ProtocolVersion {
  readonly build: string;
  /** Major, minor, patch, pre-release. */
  readonly numbers: readonly [number, number, number, number];
}

/** The protocol version that this node implements (op-node: `OPStackSupport`). */
export const SUPPORTED: Hex = `0x${'00'.repeat(16)}${'00000009'}${'00'.repeat(12)}`;

const LEVELS = ['major', 'minor', 'patch', 'prerelease'] as const;
/** The first version step that this node lacks. */
export type OutdatedLevel = (typeof LEVELS)[number];

/** Decodes a version (op-geth: `ProtocolVersion.Parse`); undefined for an unknown version type. */
function parse(version: Hex): ProtocolVersion | undefined {
  const bytes = Buffer.from(version.slice(2).padStart(64, '0'), 'hex');
  if (bytes[0] !== 0) return undefined;
  return {
    build: bytes.subarray(8, 16).toString('hex'),
    numbers: [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes.readUInt32BE(24), bytes.readUInt32BE(28)],
  };
}

/** Tells whether L1 signals no version. */
function isEmpty(version: Hex): boolean {
  return /^0x0*$/.test(version);
}

/**
 * Compares two versions with the numbers of op-node's metric (op-geth: `ProtocolVersion.Compare`).
 * 0: equal. −4 to −1: `local` lacks a major, minor, patch or pre-release step. 1 to 4: it is ahead by that step.
 * 100 and more: the two cannot be compared.
 */
export function compareVersions(local: Hex, other: Hex): number {
  if (isEmpty(local) || isEmpty(other)) return 102;
  const [left, right] = [parse(local), parse(other)];
  if (!left || !right) return local === other ? 0 : 100;
  if (left.build !== right.build) return 101;
  const at = left.numbers.findIndex((number, index) => number !== right.numbers[index]);
  if (at < 0) return 0;
  const step = 4 - at;
  return (left.numbers[at] ?? 0) < (right.numbers[at] ?? 0) ? -step : step;
}

/** Returns the first step by which this node is behind a required version; undefined if it is not. */
export function outdatedBy(required: Hex): OutdatedLevel | undefined {
  const order = compareVersions(SUPPORTED, required);
  return order < 0 ? LEVELS[order + 4] : undefined;
}

/** Formats a version (op-geth: `ProtocolVersion.String`): `v9.0.0`, `v1.2.3-4`. */
export function formatVersion(version: Hex): string {
  const parsed = parse(version);
  if (!parsed) return `v0.0.0-unknown.${version}`;
  const [major, minor, patch, prerelease] = parsed.numbers;
  const build = /^0*$/.test(parsed.build) ? '' : `+0x${parsed.build}`;
  return `v${major}.${minor}.${patch}${prerelease === 0 ? '' : `-${prerelease}`}${build}`;
}
