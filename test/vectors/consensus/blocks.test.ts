import { runBlocks } from './blocks.ts';
import { consensusSuites } from './suites.ts';

consensusSuites('blocks', 'blocks', runBlocks);
