import { createPipeline } from '../../../../src/protocol/derivation/pipeline/pipeline.ts';
import { findSyncStart } from '../../../../src/protocol/derivation/pipeline/sync-start.ts';
import type { L1Chain, Rollup } from '../../../../src/protocol/derivation/ports.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { decompress } from '../scripted/compression.ts';
import { modelEngine } from './engine.ts';

/** More steps than any history of these tests takes: derivation stalls. */
const STALLED = 50_000;

/** A verifier over the real pipeline, which goes on over L1 reorganisations. */
export interface Verifier {
  /** Reads L1 to its end; the safe chain that is derived. */
  follow(): Promise<readonly Hex[]>;
}

/** At genesis; `refused`: transactions that make a block invalid. */
export async function startVerifier(rollup: Rollup, l1: L1Chain, refused: ReadonlySet<Hex>): Promise<Verifier> {
  const engine = modelEngine(rollup, refused);
  const genesis = engine.head();
  const pipeline = createPipeline(rollup, { l1, l2: engine, decompress });
  let safe = genesis;
  let pending = genesis;
  await pipeline.reset(genesis);

  async function reset(): Promise<void> {
    const heads = { unsafe: engine.head(), safe, finalized: genesis };
    safe = (await findSyncStart(rollup, l1, engine, heads)).safe;
    pending = safe;
    engine.rewind(safe.number);
    await pipeline.reset(safe);
  }

  return {
    async follow() {
      for (let step = 0; step < STALLED; step++) {
        const outcome = await pipeline.step(pending);
        if (outcome.kind === 'more' || outcome.kind === 'advanced-origin') continue;
        if (outcome.kind === 'eof') return engine.hashes().slice(0, safe.number + 1);
        if (outcome.kind === 'reset') {
          await reset();
          continue;
        }
        if (outcome.kind !== 'attributes') throw outcome.error;
        let derived = outcome.attributes;
        let block = engine.build(derived.parent, derived.attributes);
        if (block === null) {
          const instead = pipeline.payloadInvalid(derived);
          if (instead.kind === 'fatal') throw instead.error;
          if (instead.kind === 'dropped') {
            pending = safe;
            engine.rewind(safe.number);
            continue;
          }
          derived = instead.attributes;
          block = engine.build(derived.parent, derived.attributes)!;
        }
        pending = block;
        if (derived.concluding) safe = block;
      }
      throw new Error('derivation stalls');
    },
  };
}
