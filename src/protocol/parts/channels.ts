import type { ChannelRules } from './rules.ts';

/** Specification: derivation, Channel Bank. */
export const bedrockChannels: ChannelRules = {
  stages: 'bank',
  timeout: (config) => config.channel_timeout,
  maxRlpBytes: 10_000_000,
  maxBankBytes: 100_000_000,
  readAnyReady: false,
  brotli: false,
};

export const canyonChannels: ChannelRules = { ...bedrockChannels, readAnyReady: true };

export const fjordChannels: ChannelRules = {
  ...canyonChannels,
  maxRlpBytes: 100_000_000,
  maxBankBytes: 1_000_000_000,
  brotli: true,
};

export const graniteChannels: ChannelRules = { ...fjordChannels, timeout: () => 50 };

export const holoceneChannels: ChannelRules = { ...graniteChannels, stages: 'assembler' };
