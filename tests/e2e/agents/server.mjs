// A model service for tests: answers what a scenario says, in the dialect in
// which it is asked (dialects.mjs).
//
//	node server.mjs SCENARIO FOLDER
//
// Listens on 127.0.0.1 and writes its port into FOLDER/port. SCENARIO is a JSON
// array with a reply for each request for the model, in their order; the last
// one is given again where there are more requests. Request N is kept in
// FOLDER/N.json: {"path", "headers", "body"}; all other requests get a 404.
//
// A reply is what the model says and which tools it calls:
//
//	{"text": "...", "tools": [{"name": "Bash", "input": {...}}]}
//
// or, in place of it or with it, a fault:
//
//	"status": 429	that status, with "headers" and the error's "kind" and "message"
//	"limit": {"kind": "five_hour", "in": 5}
//			429 as a subscriber gets it from that service; the limit ends that
//			many seconds after it was first told. Later requests go on with the
//			next reply only then.
//	"fault": "refuse"	closes the connection before the answer
//		 "drop"		breaks the connection off in the middle of the stream
//		 "cut"		ends the stream in the middle, in good order
//		 "malformed"	one line of the stream is no JSON
//		 "error"	an error event in the middle of the stream, where there are such
//		 "hang"		never answers
//		 "stall"	stops in the middle of the stream, and never goes on
//
// "times": N gives a reply N times.
// "for": TEXT	only for a request that has TEXT in it: of several agents side by
//		side each gets its own replies in their order
//
// It ends itself after ten minutes, whatever became of the test.
import { createServer } from 'node:http';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dialectFor } from './dialects.mjs';

const [scenarioFile, folder] = process.argv.slice(2);
const scenario = JSON.parse(readFileSync(scenarioFile, 'utf8')).flatMap((r) => Array(r.times ?? 1).fill(r));
const limits = new Map(); // reply: Unix seconds at which its limit ends
const given = new Set();
let requests = 0;

function save(name, text) {
	writeFileSync(`${folder}/${name}.new`, text);
	renameSync(`${folder}/${name}.new`, `${folder}/${name}`);
}

function now() {
	return Date.now() / 1000;
}

// The reply that is due to a request with that text.
function take(text) {
	const mine = scenario.map((reply, n) => [reply, n]).filter(([reply]) => text.includes(reply.for ?? ''));
	const [reply, n] = mine.find(([, n]) => !given.has(n)) ?? mine.at(-1) ?? [{ status: 500, message: 'no reply is for this request' }];

	if (reply.limit) {
		if (!limits.has(reply))
			limits.set(reply, Math.ceil(now() + reply.limit.in));
		if (now() < limits.get(reply))
			return reply;
		given.add(n);
		return take(text);
	}
	given.add(n);
	return reply;
}

function fail(res, status, headers, body) {
	res.writeHead(status, { 'content-type': 'application/json', ...headers });
	res.end(JSON.stringify(body));
}

function limited(res, dialect, reply) {
	const ends = limits.get(reply);
	const { headers, body } = dialect.limit(reply.limit.kind, ends);

	fail(res, 429, { 'retry-after': String(Math.max(1, Math.ceil(ends - now()))), ...headers }, body);
}

function stream(res, dialect, reply, body) {
	const lines = dialect.events(reply, body).map(([event, data]) =>
		`${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
	const half = Math.ceil(lines.length / 2);

	res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
	switch (reply.fault) {
	case undefined:
		res.end(lines.join(''));
		break;
	case 'malformed':
		lines.splice(half, 0, lines[half].replace(/data: .*/, 'data: {"this is'));
		res.end(lines.join(''));
		break;
	case 'cut':
		res.end(lines.slice(0, half).join(''));
		break;
	case 'drop':
		res.write(lines.slice(0, half).join(''), () => setTimeout(() => res.destroy(), 50));
		break;
	case 'error':
		lines.splice(half, lines.length, `event: error\ndata: ${JSON.stringify(dialect.error(529, undefined, 'invented by a test'))}\n\n`);
		res.end(lines.join(''));
		break;
	case 'stall':
		res.write(lines.slice(0, half).join(''));
		break;
	default:
		throw new Error(`unknown fault '${reply.fault}'`);
	}
}

function answer(res, dialect, path, body) {
	const reply = take(JSON.stringify(body));

	if (reply.fault === 'hang')
		return;
	if (reply.fault === 'refuse')
		res.destroy();
	else if (reply.limit)
		limited(res, dialect, reply);
	else if (reply.status)
		fail(res, reply.status, reply.headers, dialect.error(reply.status, reply.kind, reply.message ?? 'invented by a test'));
	else if (dialect.streams(path, body))
		stream(res, dialect, reply, body);
	else
		res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(dialect.whole(reply, body)));
}

const server = createServer((req, res) => {
	const parts = [];

	req.on('data', (part) => parts.push(part));
	req.on('end', () => {
		const path = req.url.split('?')[0];
		const dialect = req.method === 'POST' ? dialectFor(path) : undefined;

		if (!dialect) {
			res.writeHead(404).end();
			return;
		}
		const body = JSON.parse(Buffer.concat(parts).toString('utf8'));
		save(`${++requests}.json`, JSON.stringify({ path: req.url, headers: req.headers, body }, null, '\t'));
		answer(res, dialect, path, body);
	});
});

setTimeout(() => process.exit(1), 600_000);
server.listen(0, '127.0.0.1', () => save('port', `${server.address().port}\n`));
