import { describe, expect, it } from 'vitest';
import { type DropReason, dropReasonMessage } from '../../../../src/nodes/gossip/message/drop-reason.ts';
import { ProtocolError } from '../../../../src/protocol/errors.ts';

const error = new ProtocolError('payload-invalid', 'drop', 'no base fee', { field: 'baseFeePerGas' });

describe('the reason of a gossip verdict', () => {
  it.each<[DropReason, string]>([
    [{ kind: 'size', bytes: 65 }, 'message of 65 bytes'],
    [{ kind: 'signer', signer: '0x01', expected: '0x02' }, 'signed by 0x01, expected 0x02'],
    [{ kind: 'future', timestamp: 20n, lead: 6, validFrom: 15_000 }, 'block of time 20, 6 s ahead'],
    [{ kind: 'past', timestamp: 20n, age: 61 }, 'block of time 20, 61 s old'],
    [{ kind: 'blob gas used', blobGasUsed: undefined }, 'blobGasUsed is undefined, expected 0'],
    [{ kind: 'too many blocks', height: 7, limit: 5 }, 'more than 5 different blocks of height 7'],
    [{ kind: 'malformed', error }, 'no base fee'],
    [{ kind: 'snappy' }, 'no snappy block'],
    [{ kind: 'signature' }, 'the signature is malformed'],
    [{ kind: 'signer unknown' }, 'the unsafe block signer is not known yet'],
    [{ kind: 'excess blob gas', excessBlobGas: 1n }, 'excessBlobGas is 1, expected 0'],
    [{ kind: 'block hash', hash: '0x01', blockHash: '0x02' }, 'the fields hash to 0x01, the block says 0x02'],
    [{ kind: 'seen' }, 'already seen'],
    [{ kind: 'suspended' }, 'the network goes back to an earlier moment'],
  ])('has a text for the log: $0.kind', (reason, message) => {
    expect(dropReasonMessage(reason)).toBe(message);
  });
});
