// Starts Chromium for all drivers together, prints where it listens, and ends
// it when standard input ends: with the tests, however those end.
import { chromium } from 'playwright-core';

const root = process.getuid?.() === 0; // Chromium's own sandbox refuses root
const args = ['--disable-gpu', '--in-process-gpu']; // a quarter less CPU time
const server = await chromium.launchServer({ executablePath: process.env.CHROMIUM, host: '127.0.0.1', args: root ? [...args, '--no-sandbox'] : args });
console.log(server.wsEndpoint());
process.stdin.resume();
process.stdin.on('end', () => server.close());
