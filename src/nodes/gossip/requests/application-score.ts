const COUNT_KINDS = ['validResponses', 'errorResponses', 'rejectedPayloads'] as const;

/**
 * Counts of a peer's answers to block requests (op-node, kona: `ReqRespScores`).
 * They decay, so that recent answers decide the score.
 */
export type ReqRespScores = Readonly<Record<(typeof COUNT_KINDS)[number], number>>;

/** The counts of a peer without answers. */
export const NO_REQ_RESP_SCORES: ReqRespScores = { validResponses: 0, errorResponses: 0, rejectedPayloads: 0 };

/** Cap of each count, and its weight in the score of the peer (op-node: `LightApplicationScoreParams`). */
const PARAMETERS: Readonly<Record<keyof ReqRespScores, { readonly most: number; readonly weight: number }>> = {
  validResponses: { most: 10, weight: 0.5 },
  errorResponses: { most: 9, weight: -1 },
  rejectedPayloads: { most: 20, weight: -20 },
};
/** Block times after which a count has decayed to zero. */
const DECAY_BLOCKS = 60;
const ZERO = 0.01;

/** The answers of all peers (op-node: `ApplicationScorer`). */
export interface ApplicationScorer {
  of(id: string): ReqRespScores;
  /** Returns the contribution of the answers to the gossip score of the peer (op-node: `ApplicationScore`). */
  score(id: string): number;
  count(id: string, kind: keyof ReqRespScores): void;
  /** Decays all counts (op-node: `decayConnectedPeerScores`). Called once a block time. */
  decay(): void;
  forget(id: string): void;
  entries(): readonly (readonly [id: string, scores: ReqRespScores])[];
}

/** Creates the counts from those of an earlier run. */
export function createApplicationScorer(counts: Iterable<readonly [string, ReqRespScores]> = []): ApplicationScorer {
  const book = new Map(counts);
  const of = (id: string) => book.get(id) ?? NO_REQ_RESP_SCORES;
  return {
    of,
    score: (id) => COUNT_KINDS.reduce((total, kind) => total + of(id)[kind] * PARAMETERS[kind].weight, 0),
    count(id, kind) {
      const before = of(id);
      book.set(id, { ...before, [kind]: Math.min(PARAMETERS[kind].most, before[kind] + 1) });
    },
    decay() {
      const factor = ZERO ** (1 / DECAY_BLOCKS);
      for (const [id, scores] of book) {
        const next = mapScores(scores, (count) => (count * factor < ZERO ? 0 : count * factor));
        if (COUNT_KINDS.every((kind) => next[kind] === 0)) book.delete(id);
        else book.set(id, next);
      }
    },
    forget: (id) => void book.delete(id),
    entries: () => [...book],
  };
}

function mapScores(scores: ReqRespScores, change: (count: number) => number): ReqRespScores {
  return {
    validResponses: change(scores.validResponses),
    errorResponses: change(scores.errorResponses),
    rejectedPayloads: change(scores.rejectedPayloads),
  };
}
