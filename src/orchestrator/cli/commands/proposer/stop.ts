import { posterCommand } from '../../families/poster-command.ts';

export const command = posterCommand('proposer', 'stop', "stop a chain's proposer: no output is proposed to L1");
