import * as z from 'zod';
import { lowerHex } from '../../../protocol/hex.ts';
import { param } from '../../../rpc/method.ts';

/** A 32-byte hash, in lower case. */
export const hashParam = param.hash.transform(lowerHex);

/** An object whose fields the decoders of the protocol check. */
export const objectParam = z.record(z.string(), z.unknown());
