import { bedrock } from './bedrock.ts';
import { defineFork } from './fork.ts';

/** Specification: delta. Span batches; derivation only. */
export const delta = defineFork({
  name: 'delta',
  follows: 'canyon',
  genesisKey: null,
  rules: { batches: { ...bedrock.rules.batches, span: true } },
});
