import { EXIT, Failure } from '../../system/failure.ts';
import { writeAtomic } from '../../system/files/atomic-write.ts';
import { readText } from '../../system/files/folder.ts';

/** The unit that a volume belongs to, and the network that its data are of. */
export interface VolumeOwner {
  readonly devnet: string;
  readonly unit: string;
  /** Unix seconds. */
  readonly genesisTime: number;
}

/**
 * Claims a volume for a unit at its first start.
 * @throws Failure `unit` (exit 4) if it holds the data of another unit or network
 */
export function claimVolume(path: string, owner: VolumeOwner): void {
  const claim = JSON.stringify(owner);
  const text = readText(path)?.trim();
  if (text === claim) return;
  if (text !== undefined)
    throw new Failure('unit', `the volume holds the data of ${text.slice(0, 200)}, expected those of ${claim}`, {
      exit: EXIT.lacking,
      hint: 'remove the volume, or bring back that of L1 which the data belong to',
    });
  writeAtomic(path, `${claim}\n`, 0o600);
}
