import { posterCommand } from '../../input/poster-command.ts';

export const command = posterCommand('proposer', 'start', "start a chain's proposer again");
