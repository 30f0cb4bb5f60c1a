import { holoceneAttributes } from '../parts/attributes.ts';
import { holoceneBaseFee } from '../parts/base-fee/parent-params.ts';
import { holoceneChannels } from '../parts/channels.ts';
import { holoceneExtraData } from '../parts/extra-data/version-0.ts';
import { defineFork } from './fork.ts';

/** Specification: holocene. Strict batch ordering, EIP-1559 parameters in the header. */
export const holocene = defineFork({
  name: 'holocene',
  parts: {
    extraData: holoceneExtraData,
    baseFee: holoceneBaseFee,
    channels: holoceneChannels,
    attributes: holoceneAttributes,
  },
});
