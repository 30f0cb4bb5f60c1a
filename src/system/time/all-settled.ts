/**
 * Resolves when all work is done. Where some fails, it rejects with the first failure of the list, and not before the
 * rest has ended: what follows does not run beside it.
 */
export async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(work);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
