import { ProtocolError } from '../../errors.ts';
import { bytesToHex } from '../../hex.ts';
import type { L1AttributesCodec, L1BlockInfo } from '../rules.ts';
import { bedrockL1Attributes } from './abi.ts';
import { ecotoneL1Attributes, isthmusL1Attributes, jovianL1Attributes } from './packed.ts';

const CODECS: readonly L1AttributesCodec[] = [
  jovianL1Attributes,
  isthmusL1Attributes,
  ecotoneL1Attributes,
  bedrockL1Attributes,
];

/** Decodes L1-attributes calldata by its selector. @throws ProtocolError l1-attributes-malformed */
export function decodeL1Attributes(calldata: Uint8Array): L1BlockInfo {
  const selector = bytesToHex(calldata.subarray(0, 4));
  const codec = CODECS.find((candidate) => candidate.selector === selector);
  if (codec === undefined) {
    throw new ProtocolError('l1-attributes-malformed', 'drop', `no version of L1 attributes has selector ${selector}`, {
      length: calldata.length,
    });
  }
  return codec.decode(calldata);
}
