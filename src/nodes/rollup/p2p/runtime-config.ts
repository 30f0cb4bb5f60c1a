import type { Hex } from '../../../protocol/types.ts';
import type { Logger } from '../../../system/program/log.ts';
import { backoff } from '../../../system/time/backoff.ts';
import { pause } from '../../../system/time/pause.ts';
import type { L1Client } from '../l1/client.ts';

/**
 * Slot of the unsafe block signer in L1's SystemConfig contract: keccak-256 of `systemconfig.unsafeblocksigner`.
 * Counterpart in op-node: `UnsafeBlockSignerAddressSystemConfigStorageSlot`.
 */
const SIGNER_SLOT: Hex = '0x65a7ed542fb37fe237fdfbdd70b31598523fe5b32879e307bae27a0bd9581c08';

/** Configuration on L1 that takes effect without a restart (op-node: `RuntimeConfig`). */
export interface RuntimeConfig {
  /** Returns the signer (op-node: `P2PSequencerAddress`); undefined until L1 has answered once. */
  unsafeBlockSigner(): Hex | undefined;
  /** Resolves with the first answer. */
  readonly firstLoad: Promise<void>;
  /** Reads the configuration again (op-node: `RuntimeConfig.Load`). */
  reload(): Promise<void>;
}

/**
 * Reads the configuration at the L1 head, and again at an interval, until aborted (op-node: `initRuntimeConfig`).
 * `intervalMs`: 0 or less reads it once.
 */
export function runtimeConfig(
  client: L1Client,
  systemConfig: Hex,
  intervalMs: number,
  log: Logger,
  signal: AbortSignal,
): RuntimeConfig {
  let signer: Hex | undefined;
  let resolveFirstLoad: () => void = () => {};
  const firstLoad = new Promise<void>((resolve) => {
    resolveFirstLoad = resolve;
  });

  async function reload(): Promise<void> {
    const word = await client.storageAt(systemConfig, SIGNER_SLOT, 'latest');
    const address: Hex = `0x${word.slice(2).padStart(64, '0').slice(24).toLowerCase()}`;
    if (address === signer) return;
    signer = address;
    resolveFirstLoad();
    log.info('unsafe block signer', { address });
  }

  async function run(): Promise<void> {
    const pauses = backoff(20, 50);
    while (!signal.aborted && signer === undefined) {
      await reload().catch((error: unknown) => log.debug('cannot read the unsafe block signer yet', { error }));
      if (signer === undefined) await pause(pauses.next(), signal);
    }
    while (intervalMs > 0) {
      await pause(Math.max(intervalMs, 100), signal);
      if (signal.aborted) return;
      await reload().catch((error: unknown) => {
        // A stop closes the client under the request.
        if (!signal.aborted) log.warn('cannot read the unsafe block signer', { error });
      });
    }
  }

  void run();
  return { unsafeBlockSigner: () => signer, firstLoad: firstLoad, reload };
}
