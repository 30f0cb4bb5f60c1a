import type { Logger } from '../../system/program/log.ts';
import type { L1Backend } from '../txmgr/l1-backend.ts';
import { cheaperDaType, type DaType, type DataAvailabilityType } from './options/da-type.ts';

/** The settings that decide what carries a channel. */
interface DaTypeSettings {
  readonly type: DataAvailabilityType;
  readonly maxTxSize: number;
  readonly targetNumFrames: number;
}

/** Chooses the DA type of a channel, by L1's fees if the setting is `auto` (op-batcher: `DynamicEthChannelConfig`). */
export class DaTypeChoice {
  /** The setting, which an admin method may change. */
  setting: DataAvailabilityType;
  readonly #l1: Pick<L1Backend, 'gasPrices'>;
  readonly #settings: DaTypeSettings;
  readonly #log: Logger;
  #cheaper: DaType = 'blobs';

  constructor(l1: Pick<L1Backend, 'gasPrices'>, settings: DaTypeSettings, log: Logger) {
    this.setting = settings.type;
    this.#l1 = l1;
    this.#settings = settings;
    this.#log = log;
  }

  /** Returns the DA type of the next channel. If L1 does not answer, the last choice stays. */
  async next(): Promise<DaType> {
    if (this.setting !== 'auto') return this.setting;
    try {
      const { maxTxSize, targetNumFrames } = this.#settings;
      const type = cheaperDaType(await this.#l1.gasPrices(), maxTxSize, targetNumFrames);
      if (type !== this.#cheaper) this.#log.info('The cheaper carrier changed', { carrier: type });
      this.#cheaper = type;
    } catch (error) {
      this.#log.warn('L1 does not tell its fees, the carrier stays', { carrier: this.#cheaper, error });
    }
    return this.#cheaper;
  }
}
