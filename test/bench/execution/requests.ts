import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { bytesToHex, quantity } from '../../../src/protocol/hex.ts';
import { ACCOUNTS } from '../../nodes/execution/support/accounts.ts';
import { LOGS, TRACED } from './chain-files.ts';
import type { Client, Serving } from './clients.ts';
import { TOKEN } from './workload.ts';

/** Requests under way at a time. */
const AT_ONCE = 8;

interface Row {
  readonly name: string;
  readonly method: string;
  readonly params: readonly unknown[];
}

const FROM = ACCOUNTS[0]?.address.toLowerCase();
/** A transfer of one token to an account that holds none. */
const TRANSFER = { from: FROM, to: bytesToHex(TOKEN), data: `0x${'3'.padStart(64, '0')}${'1'.padStart(64, '0')}` };
const FULL_BLOCK = quantity(Math.ceil(LOGS / TRACED) + 1);

const ROWS: readonly Row[] = [
  { name: 'eth_getBalance', method: 'eth_getBalance', params: [FROM, 'latest'] },
  { name: 'eth_call of a token transfer', method: 'eth_call', params: [TRANSFER, 'latest'] },
  { name: 'eth_estimateGas of a token transfer', method: 'eth_estimateGas', params: [TRANSFER] },
  {
    name: `debug_traceBlockByNumber, ${TRACED} token transfers`,
    method: 'debug_traceBlockByNumber',
    params: ['0x2', { tracer: 'callTracer' }],
  },
  { name: 'a full block of 1,428 transactions', method: 'eth_getBlockByNumber', params: [FULL_BLOCK, true] },
  { name: 'receipts of 1,428 transactions', method: 'eth_getBlockReceipts', params: [FULL_BLOCK] },
  {
    name: 'eth_getLogs over 4,000 logs',
    method: 'eth_getLogs',
    params: [{ fromBlock: '0x1', toBlock: FULL_BLOCK, address: bytesToHex(TOKEN) }],
  },
];

/** Measures requests per second of each client, and its resident memory after them. */
export async function requests(
  folder: string,
  genesis: string,
  file: string,
  clients: readonly Client[],
  seconds: number,
): Promise<void> {
  console.log(`\nrequests per second, ${AT_ONCE} at a time, ${seconds} s each (processor time of the server)`);
  await using nodes = new AsyncDisposableStack();
  const opened: Serving[] = [];
  for (const client of clients) {
    const datadir = join(folder, `requests-${client.name}`);
    await client.init(datadir, genesis);
    await client.importFile(datadir, file);
    opened.push(nodes.use(await client.serve(datadir)));
  }
  for (const row of ROWS) {
    const rates: number[] = [];
    const cells: string[] = [];
    for (const [at, server] of opened.entries()) {
      await answered(server.url, row, seconds / 4);
      const [began, used] = [performance.now(), server.processor()];
      const count = await answered(server.url, row, seconds);
      const rate = count / ((performance.now() - began) / 1000);
      rates.push(rate);
      const each = ((server.processor() - used) * 1000) / count;
      cells.push(`${clients[at]?.name} ${rate.toFixed(0).padStart(6)}/s (${each.toFixed(each < 10 ? 2 : 0)} ms)`);
    }
    const [ours = Number.NaN, theirs] = rates;
    const ratio = theirs === undefined ? '' : `  ${(ours / theirs).toFixed(2)} ×`;
    console.log(`  ${row.name.padEnd(46)} ${cells.join('  ')}${ratio}`);
  }
  const memory = clients.map(({ name }, at) => `${name} ${((opened[at]?.memory() ?? 0) / 1e6).toFixed(0)} MB`);
  console.log(`  ${'resident memory after them'.padEnd(46)} ${memory.join('  ')}`);
}

/** Counts the answers of some seconds, one request after another on each of eight connections. */
async function answered(url: string, { method, params }: Row, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const began = performance.now();
  let count = 0;
  const one = async () => {
    do {
      const answer = await send(url, agent, body, count === 0);
      if (answer.startsWith('{"jsonrpc":"2.0","id":1,"error"')) throw new Error(`${method}: ${answer}`);
      count++;
    } while (performance.now() - began < seconds * 1000);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  agent.destroy();
  return count;
}

/** Sends a request. Its answer is kept only if it `isRead`, as reading takes time from the server's processor. */
function send(url: string, agent: Agent, body: string, isRead: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      if (isRead)
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
      else response.resume();
      response.on('end', () => resolve(text)).on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
}
