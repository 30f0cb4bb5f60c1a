import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { hkdf } from '../../system/crypto/hkdf.ts';
import { privateFolder, publishExclusive, readText, remove } from '../../system/files/folder.ts';
import { portIsFree } from '../../system/net/ports.ts';
import { type HiddenPlace, hiddenPlace } from '../plan/hidden.ts';
import { HOST } from '../plan/reach.ts';
import type { Spec } from '../spec/schema/types.ts';

/** Returns the address for L1 behind its gate. Without other loopback addresses (macOS), only the port is hidden. */
export async function findHiddenPlace(home: string, spec: Spec): Promise<HiddenPlace> {
  const place = hiddenPlace(secretOf(home), spec, hkdf);
  return (await portIsFree(place.host, 0)) ? place : { ...place, host: HOST };
}

/** Returns the 32 random bytes of the folder of all devnets. Makes them if they are absent or damaged. */
function secretOf(home: string): Uint8Array {
  const path = join(home, '.secret');
  const readSecret = () => /^[0-9a-f]{64}$/.exec(readText(path) ?? '')?.[0];
  for (;;) {
    const text = readSecret();
    if (text !== undefined) return Buffer.from(text, 'hex');
    privateFolder(home);
    const secret = randomBytes(32).toString('hex');
    if (publishExclusive(path, secret)) return Buffer.from(secret, 'hex');
    // Another command published its own, or the file is damaged.
    if (readSecret() === undefined) remove(path);
  }
}
