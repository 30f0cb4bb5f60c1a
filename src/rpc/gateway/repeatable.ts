import { jsonField } from '../json-object.ts';
/**
 * Tells whether a body can be sent twice: a JSON-RPC message whose every method only reads. Other bodies cannot.
 */
export function isRepeatable(body: Buffer, isRead: (method: string) => boolean): boolean {
  try {
    const requests: unknown[] = [JSON.parse(body.toString('utf8'))].flat();
    return requests.length > 0 && requests.every((request) => isRead(methodOf(request)));
  } catch {
    return false;
  }
}

function methodOf(request: unknown): string {
  const method = jsonField(request, 'method');
  return typeof method === 'string' ? method : '';
}
