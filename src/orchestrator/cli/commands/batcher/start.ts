import { posterCommand } from '../../families/poster-command.ts';

export const command = posterCommand('batcher', 'start', "start a chain's batcher again: it posts what has waited");
