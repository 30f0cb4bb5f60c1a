/**
 * Waits until all promises are settled. Rejects with the reason of the first that was rejected, in the order of the
 * list. Unlike with `Promise.all`, nothing that follows a rejection runs beside the others.
 */
export async function allSettledOrThrow(promises: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(promises);
  const rejection = results.find((result) => result.status === 'rejected');
  if (rejection !== undefined) throw rejection.reason;
}
