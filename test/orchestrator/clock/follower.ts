import { networkClock } from '../../../src/system/time/network-clock.ts';

// A process that follows the clock of a file under a task's name, and is always done at once.
const [, , file = '', task = ''] = process.argv;
networkClock(file, task).report(() => ({ kind: 'poster' }));
setInterval(() => {}, 1000);
