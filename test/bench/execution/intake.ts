import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JWT, temporaryFolder } from '../../nodes/execution/support/nodes.ts';
import { libraryBlock } from './bare.ts';
import { writeChain } from './reading-chain.ts';
import { anvilNode, ourNode, type ReadNode } from './reading-node.ts';
import { processorTimeOf } from './rounds.ts';
import { hex, Sender, workloadAlloc } from './workload.ts';

/** Requests that are sent together. */
const BATCH = 50;

const KINDS = [
  ['transfers', (sender: Sender, at: number) => sender.transfer(at)],
  ['token transfers', (sender: Sender, at: number) => sender.token(at)],
] as const;

/**
 * Measures transactions per second from eth_sendRawTransaction until all are in blocks.
 * The comparison is the library's bare run of the same transactions.
 */
export async function intake(count: number): Promise<void> {
  console.log(
    `\n${count} transactions from eth_sendRawTransaction, ${BATCH} requests at once, until all are in blocks`,
  );
  for (const [name, make] of KINDS) {
    const sender = new Sender();
    const raw = Array.from({ length: count }, (_, at) => make(sender, 0x3000000 + at));
    const library = await libraryBlock(workloadAlloc());
    const bare = count / ((await processorTimeOf(() => library.run(raw.map(library.decode)))) / 1000);
    const ours = await onOurs(raw);
    const anvil = await sent(await anvilNode(0, 0, new Sender()), raw);
    console.log(
      `${name.padEnd(18)} ours ${ours.toFixed(0)}/s, the bare library ${bare.toFixed(0)}/s, anvil ` +
        `${anvil.toFixed(0)}/s; ours/library ${(ours / bare).toFixed(2)}, goal 0.6`,
    );
  }
}

async function onOurs(raw: readonly Uint8Array[]): Promise<number> {
  const folder = temporaryFolder();
  try {
    writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
    await writeChain(folder, join(folder, 'data'), 0, new Sender());
    return await sent(await ourNode(folder), raw);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends transactions while blocks are made. Returns transactions per second. */
async function sent(opened: ReadNode, raw: readonly Uint8Array[]): Promise<number> {
  await using node = opened;
  const start = performance.now();
  let left = raw.length;
  const sending = (async () => {
    for (let at = 0; at < raw.length; at += BATCH)
      await Promise.all(raw.slice(at, at + BATCH).map((one) => node.rpc.call('eth_sendRawTransaction', [hex(one)])));
  })();
  while (left > 0) left -= await node.makeBlock().then(({ transactions }) => transactions);
  await sending;
  return raw.length / ((performance.now() - start) / 1000);
}
