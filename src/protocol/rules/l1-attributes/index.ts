import { ProtocolError } from '../../errors.ts';
import { bytesToHex } from '../../hex.ts';
import type { L1AttributesCodec, L1BlockInfo } from '../rules.ts';
import { abiSystemL1Attributes } from './abi.ts';
import { packedL1Attributes, packedL1AttributesWithDaFootprint, packedL1AttributesWithOperatorFee } from './packed.ts';

const CODECS: readonly L1AttributesCodec[] = [
  packedL1AttributesWithDaFootprint,
  packedL1AttributesWithOperatorFee,
  packedL1Attributes,
  abiSystemL1Attributes,
];

/**
 * Decodes L1-attributes calldata by its selector (op-node: `L1BlockInfoFromBytes`, kona:
 * `L1BlockInfoTx::decode_calldata`).
 * @throws ProtocolError l1-attributes-malformed
 */
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
