import { parentParamsBaseFee } from '../rules/base-fee/parent-params.ts';
import { version0ExtraData } from '../rules/extra-data/version-0.ts';
import { ecotone } from './ecotone.ts';
import { defineFork } from './fork.ts';
import { granite } from './granite.ts';

/** Specification: holocene. Strict batch ordering, EIP-1559 parameters in the header. */
export const holocene = defineFork({
  name: 'holocene',
  follows: 'granite',
  rules: {
    extraData: version0ExtraData,
    baseFee: parentParamsBaseFee,
    channels: { ...granite.rules.channels, stages: 'assembler' },
    attributes: { ...ecotone.rules.attributes, eip1559Params: true, depositsOnlyOnInvalid: true },
  },
});
