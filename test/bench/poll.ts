/** Asks every 5 ms until the answer is yes. @throws Error after half a minute */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`${what} did not happen within 30 s`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A JSON-RPC call; rejects where nobody answers. */
export async function ask(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(1000),
  });
  return ((await response.json()) as { result?: unknown }).result;
}
