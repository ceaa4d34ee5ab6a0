// How three services speak: the Messages API of Anthropic, the Responses API of
// OpenAI, and generateContent of Google. A dialect has
//
//	path		what a request for the model goes to
//	streams(path, body)	is a stream asked for?
//	events(reply, body)	the stream, a list of [event name, data]
//	whole(reply, body)	the same as one document
//	error(status, kind, message)	the body of a failure
//	limit(kind, ends)	{headers, body} of a usage limit that ends then, in Unix seconds
let ids = 0;

function id(prefix) {
	return `${prefix}_${String(++ids).padStart(8, '0')}`;
}

const TOKENS = { input: 100, output: 20 };

// --- Messages ----------------------------------------------------------------

function blocks(reply) {
	const text = reply.text === undefined ? [] : [{ type: 'text', text: reply.text }];

	return text.concat((reply.tools ?? []).map((t) => ({ type: 'tool_use', id: id('toolu'), name: t.name, input: t.input })));
}

function message(reply, body, content) {
	return {
		id: id('msg'), type: 'message', role: 'assistant', model: body.model, content,
		stop_reason: reply.tools ? 'tool_use' : 'end_turn', stop_sequence: null,
		usage: { input_tokens: TOKENS.input, output_tokens: TOKENS.output, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
	};
}

function blockEvents(block, index) {
	const empty = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
	const delta = block.type === 'text' ? { type: 'text_delta', text: block.text }
		: { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };

	return [
		['content_block_start', { type: 'content_block_start', index, content_block: empty }],
		['content_block_delta', { type: 'content_block_delta', index, delta }],
		['content_block_stop', { type: 'content_block_stop', index }],
	];
}

const messages = {
	path: /\/v1\/messages$/,
	streams: (path, body) => body.stream === true,
	whole: (reply, body) => message(reply, body, blocks(reply)),
	events(reply, body) {
		const whole = message(reply, body, []);

		return [
			['message_start', { type: 'message_start', message: { ...whole, stop_reason: null } }],
			...blocks(reply).flatMap(blockEvents),
			['message_delta', {
				type: 'message_delta', delta: { stop_reason: whole.stop_reason, stop_sequence: null },
				usage: { output_tokens: TOKENS.output },
			}],
			['message_stop', { type: 'message_stop' }],
		];
	},
	error: (status, kind, text) => ({
		type: 'error',
		error: { type: kind ?? { 401: 'authentication_error', 429: 'rate_limit_error', 529: 'overloaded_error' }[status] ?? 'api_error', message: text },
	}),
	limit: (kind, ends) => ({
		headers: {
			'anthropic-ratelimit-unified-status': 'rejected',
			'anthropic-ratelimit-unified-reset': String(ends),
			'anthropic-ratelimit-unified-representative-claim': kind,
		},
		body: messages.error(429, undefined, 'This request would exceed your account\'s rate limit.'),
	}),
};

// --- Responses ---------------------------------------------------------------

function items(reply) {
	const said = reply.text === undefined ? [] : [{
		type: 'message', id: id('msg'), role: 'assistant', status: 'completed',
		content: [{ type: 'output_text', text: reply.text, annotations: [] }],
	}];

	return said.concat((reply.tools ?? []).map((t) => ({
		type: 'function_call', id: id('fc'), call_id: id('call'), name: t.name, arguments: JSON.stringify(t.input), status: 'completed',
	})));
}

function response(body, output) {
	return {
		id: id('resp'), object: 'response', status: 'completed', model: body.model, output,
		usage: {
			input_tokens: TOKENS.input, input_tokens_details: { cached_tokens: 0 }, output_tokens: TOKENS.output,
			output_tokens_details: { reasoning_tokens: 0 }, total_tokens: TOKENS.input + TOKENS.output,
		},
	};
}

const responses = {
	path: /\/responses$/,
	streams: (path, body) => body.stream === true,
	whole: (reply, body) => response(body, items(reply)),
	events(reply, body) {
		const output = items(reply);
		const whole = response(body, output);
		const list = [
			{ type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
			...output.flatMap((item, i) => [
				{ type: 'response.output_item.added', output_index: i, item },
				{ type: 'response.output_item.done', output_index: i, item },
			]),
			{ type: 'response.completed', response: whole },
		];

		return list.map((data) => [data.type, data]);
	},
	error: (status, kind, text) => ({ error: { type: kind ?? 'server_error', code: kind ?? null, message: text } }),
	limit: (kind, ends) => ({
		body: { error: { type: 'usage_limit_reached', message: 'The usage limit has been reached', plan_type: 'plus', resets_at: ends } },
	}),
};

// --- generateContent ---------------------------------------------------------

function candidate(parts, last) {
	return {
		candidates: [{ index: 0, content: { role: 'model', parts }, ...(last ? { finishReason: 'STOP' } : {}) }],
		usageMetadata: {
			promptTokenCount: TOKENS.input, candidatesTokenCount: TOKENS.output, totalTokenCount: TOKENS.input + TOKENS.output,
		},
	};
}

function parts(reply) {
	const text = reply.text === undefined ? [] : [{ text: reply.text }];

	return text.concat((reply.tools ?? []).map((t) => ({ functionCall: { name: t.name, args: t.input } })));
}

const content = {
	path: /:(stream)?[gG]enerateContent$/,
	streams: (path) => path.endsWith(':streamGenerateContent'),
	whole: (reply) => candidate(parts(reply), true),
	events(reply) {
		const list = parts(reply).map((part) => [undefined, candidate([part], false)]);

		return [...list, [undefined, candidate([{ text: '' }], true)]];
	},
	error: (status, kind, text) => ({
		error: { code: status, message: text, status: kind ?? { 401: 'UNAUTHENTICATED', 429: 'RESOURCE_EXHAUSTED' }[status] ?? 'INTERNAL' },
	}),
	limit() {
		const { error } = content.error(429, undefined, 'You exceeded your current quota.');
		const violations = [{ quotaMetric: 'requests', quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }];

		return { body: { error: { ...error, details: [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations }] } } };
	},
};

export function dialectFor(path) {
	return [messages, responses, content].find((dialect) => dialect.path.test(path));
}
