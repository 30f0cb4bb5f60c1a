import { turns } from './mutex.ts';

/** The steps by which the owner of the clock takes all programs of a network back to one moment. */
export const POINT_STEPS = ['remember', 'suspend', 'goBack', 'resume', 'forget'] as const;

export type PointStep = (typeof POINT_STEPS)[number];

/** An order for a moment of the whole network. */
export type PointOrder = { readonly action: 'take' } | { readonly action: 'revert'; readonly number: number };

/**
 * Moments of a program that it can go back to without a restart. Each has a number. A step rejects where it fails.
 * The owner of the clock asks all programs for a step before it asks any for the next one.
 */
export interface Points {
  /** Remembers the present state. The clock stands, and every program is done with its time. */
  remember(point: number): Promise<void>;
  /** Ends all work, so that nothing of the present state reaches another program later. */
  suspend(point: number): Promise<void>;
  /** Puts the state of the point in place. The program stays suspended. Later points are forgotten. */
  goBack(point: number): Promise<void>;
  /** Goes on with the state in place. Without effect on a program that is not suspended. */
  resume(point: number): Promise<void>;
  /** Forgets the point. */
  forget(point: number): Promise<void>;
}

/** The parts of a program that make its points. */
export interface PointParts<State> {
  remember(): State | Promise<State>;
  /** Ends all work. Called once before `resume`. */
  suspend(): void | Promise<void>;
  restore(state: State): void | Promise<void>;
  resume(): void | Promise<void>;
}

/** Creates the points of a program, which hold their states in memory. */
export function pointsOf<State>(parts: PointParts<State>): Points {
  /** In the order in which they were remembered. */
  const states = new Map<number, State>();
  let isSuspended = false;
  /** Steps run one after the other: a program may still suspend its work when it is asked to resume. */
  const turn = turns();
  const inTurn = (step: (point: number) => Promise<void>) => (point: number) => turn(() => step(point));

  function known(point: number): State {
    for (const [each, state] of states) if (each === point) return state;
    throw new Error(`it does not know point ${point}: it was started, or went back to an earlier one, after it`);
  }

  async function resume(): Promise<void> {
    if (!isSuspended) return;
    isSuspended = false;
    await parts.resume();
  }

  return {
    remember: inTurn(async (point) => {
      const state = await parts.remember();
      states.delete(point);
      states.set(point, state);
    }),
    suspend: inTurn(async (point) => {
      known(point);
      if (isSuspended) throw new Error('it is suspended already');
      isSuspended = true;
      await parts.suspend();
    }),
    goBack: inTurn(async (point) => {
      const state = known(point);
      if (!isSuspended) throw new Error('it is not suspended');
      const order = [...states.keys()];
      for (const later of order.slice(order.indexOf(point) + 1)) states.delete(later);
      await parts.restore(state);
    }),
    resume: inTurn(resume),
    forget: inTurn(async (point) => void states.delete(point)),
  };
}
