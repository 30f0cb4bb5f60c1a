import { posterCommand } from '../../families/poster-command.ts';

export const command = posterCommand('proposer', 'start', "start a chain's proposer again");
