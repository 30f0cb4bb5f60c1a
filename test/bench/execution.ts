/**
 * Measures the execution client (`make bench-execution`).
 * The parts are: our executor beside the EVM library, imports of whole chains and requests (beside op-geth if OP_GETH
 * is its path), two nodes with full blocks, a growing chain, reads during building, the transactions per second that
 * come in, and the Engine API's latency while reads run.
 * ROUNDS (default 5), SECONDS (default 10), BLOCKS (default 2000; 100000 is the full run), NEW (default 10: accounts,
 * slots and logs that each block adds), READ_BLOCKS (default 10000), SENT (default 4000), ENGINE_ROUNDS (default 20),
 * ENGINE_BLOCKS (default 2000), LOADS (names of loads, default all).
 * All parts take 20 minutes on two idle cores, most of them `reading` (half as long with SECONDS=4).
 */
import { prepareCrypto } from '../../src/nodes/execution/evm/crypto.ts';
import { besideOpGeth } from './execution/beside-op-geth.ts';
import { engineCalls } from './execution/engine-calls.ts';
import { growth } from './execution/growth.ts';
import { intake } from './execution/intake.ts';
import { twoNodes } from './execution/nodes.ts';
import { reading } from './execution/reading.ts';
import { speed } from './execution/speed.ts';
import { turns } from './execution/turns.ts';

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const parts = (process.env['PARTS'] ?? 'speed,imports,requests,nodes,growth,turns,reading,intake,engine').split(',');

await prepareCrypto();
if (parts.includes('speed')) await speed(number('ROUNDS', 5));
if (parts.includes('imports') || parts.includes('requests'))
  await besideOpGeth(parts, process.env['OP_GETH'], number('ROUNDS', 5), number('SECONDS', 10));
if (parts.includes('nodes')) await twoNodes(number('SECONDS', 10));
if (parts.includes('growth')) await growth(number('BLOCKS', 2000), number('NEW', 10));
if (parts.includes('turns')) await turns();
if (parts.includes('reading')) await reading(number('SECONDS', 10), number('READ_BLOCKS', 10_000));
if (parts.includes('engine')) await engineCalls(number('ENGINE_ROUNDS', 20), number('ENGINE_BLOCKS', 2000));
if (parts.includes('intake')) await intake(number('SENT', 4000));
