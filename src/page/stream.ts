/**
 * Opens the stream of the server before the page's own script is read, so that the first picture comes meanwhile.
 * The page takes it over with what has come.
 */
const source = new EventSource('/api/stream');
const early: string[] = [];
source.onmessage = ({ data }) => void early.push(String(data));
Object.assign(window, { stream: { source, early } });
