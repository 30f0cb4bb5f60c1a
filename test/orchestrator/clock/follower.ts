import { supervisedChannel } from '../../../src/system/channel/supervised-channel.ts';

// A process that follows the clock of a file under a task's name, and is always done at once.
const [, , file = '', task = ''] = process.argv;
supervisedChannel(file, task).report(() => ({ kind: 'poster' }));
setInterval(() => {}, 1000);
