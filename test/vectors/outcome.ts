/** The test's chain is not one that this program runs. The message is the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** Our outcome and the published one differ. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/** How one case ended. */
export type Outcome =
  | { readonly state: 'passed' }
  | { readonly state: 'failed'; readonly problem: string }
  | { readonly state: 'not applicable'; readonly reason: string };

/** Runs the check of a case and returns how it ended. */
export async function outcomeOf(check: () => void | Promise<void>): Promise<Outcome> {
  try {
    await check();
    return { state: 'passed' };
  } catch (error) {
    const { message, stack } = error as Error;
    if (error instanceof NotApplicable) return { state: 'not applicable', reason: message };
    return { state: 'failed', problem: error instanceof Disagreement ? message : (stack ?? message) };
  }
}
