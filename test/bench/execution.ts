/**
 * `make bench-execution`: what our executor does beside the EVM library on the same machine at the same moment, how long two nodes take for full
 * blocks, and whether a chain's growth slows it. ROUNDS (default 5), SECONDS (default 10), BLOCKS (default 2000; 100000 is the full run), NEW (default 10:
 * accounts, slots and logs that each of them adds).
 */
import { prepareCrypto } from '../../src/nodes/execution/evm/crypto.ts';
import { growth } from './execution/growth.ts';
import { twoNodes } from './execution/nodes.ts';
import { speed } from './execution/speed.ts';

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const parts = (process.env['PARTS'] ?? 'speed,nodes,growth').split(',');

await prepareCrypto();
if (parts.includes('speed')) await speed(number('ROUNDS', 5));
if (parts.includes('nodes')) await twoNodes(number('SECONDS', 10));
if (parts.includes('growth')) await growth(number('BLOCKS', 2000), number('NEW', 10));
