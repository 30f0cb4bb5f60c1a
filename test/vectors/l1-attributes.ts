import { bytesToHex, hexToBytes } from '../../src/protocol/hex.ts';
import { abiSystemL1Attributes } from '../../src/protocol/rules/l1-attributes/abi.ts';
import {
  packedL1Attributes,
  packedL1AttributesWithDaFootprint,
  packedL1AttributesWithOperatorFee,
} from '../../src/protocol/rules/l1-attributes/packed.ts';
import type { Hex } from '../../src/protocol/types.ts';
import { same, type VectorKind } from './kind.ts';

const CODECS = [
  abiSystemL1Attributes,
  packedL1Attributes,
  packedL1AttributesWithOperatorFee,
  packedL1AttributesWithDaFootprint,
];
const CALLDATA = new RegExp(
  `"(?:0x)?((?:${CODECS.map(({ selector }) => selector.slice(2)).join('|')})[0-9a-f]{200,})"`,
  'gi',
);

/** Calldata of L1-attributes deposits in sources: read and written again to the same bytes. */
export const l1Attributes: VectorKind = {
  name: 'L1 attributes calldata',
  files: /\.(rs|go)$/,
  cases(path, text) {
    return [...text.matchAll(CALLDATA)].map(([, digits]) => {
      const published: Hex = `0x${digits!.toLowerCase()}`;
      const codec = CODECS.find(({ selector }) => published.startsWith(selector))!;
      return {
        name: `${path} ${codec.selector}`,
        check: () => same('calldata', bytesToHex(codec.encode(codec.decode(hexToBytes(published)))), published),
      };
    });
  },
};
