import type { AttributesRules } from './rules.ts';

/** Specification: derivation, Deriving Payload Attributes. */
export const bedrockAttributes: AttributesRules = {
  withdrawals: false,
  parentBeaconBlockRoot: false,
  eip1559Params: false,
  minBaseFee: false,
  depositsOnlyOnInvalid: false,
  scalarEncoding: 'overhead',
};

export const canyonAttributes: AttributesRules = { ...bedrockAttributes, withdrawals: true };

export const ecotoneAttributes: AttributesRules = {
  ...canyonAttributes,
  parentBeaconBlockRoot: true,
  scalarEncoding: 'packed',
};

export const holoceneAttributes: AttributesRules = {
  ...ecotoneAttributes,
  eip1559Params: true,
  depositsOnlyOnInvalid: true,
};

export const jovianAttributes: AttributesRules = { ...holoceneAttributes, minBaseFee: true };
