import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { merchantOf, payBody } from '../support/merchant.ts'
import { exchange, type RawResponse } from '../support/raw-http.ts'
import { openService, type TestService } from '../support/service.ts'

// Requests that a proxy and the service could read differently: where one ends, and to which one a response belongs.

let service: TestService

before(async () => {
  service = await openService({ timeScale: 0.5 })
})
after(() => service.close())

/** Asserts a refusal by HTTP: closed, one response, in our envelope. */
function assertBroken(response: RawResponse, statuses: number[]): void {
  ok(statuses.includes(response.status), `${response.status} ${response.text}`)
  deepEqual([response.responses, response.closed], [1, true], response.text)
  const { ok: isOk, message, code, request_id: id } = JSON.parse(response.body)
  deepEqual([isOk, typeof message, typeof code], [false, 'string', 'string'])
  equal(response.headers['request-id'], id)
  equal(response.headers['cache-control'], 'no-store')
}

describe('A request that two readers could read differently is refused, and its connection closed (FLT-74)', () => {
  const hidden = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const post = (...headers: string[]) => `POST /api/oauth/token HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`
  const cases: Record<string, string> = {
    'Content-Length and Transfer-Encoding': `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`,
    'Transfer-Encoding and Content-Length': `${post('Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n${hidden}`,
    'two Content-Lengths': `${post('Content-Length: 0', `Content-Length: ${hidden.length}`)}${hidden}`,
    'two lengths in one header': `${post(`Content-Length: 0, ${hidden.length}`)}${hidden}`,
    'a length that is not a number': `${post('Content-Length: 1e1')}0123456789`,
    'a length with a sign': `${post('Content-Length: +5')}12345`,
    'a length below zero': `${post('Content-Length: -1')}${hidden}`,
    'an unknown transfer encoding': `${post('Transfer-Encoding: xchunked')}0\r\n\r\n${hidden}`,
    'chunked, and not last': `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n${hidden}`,
    'chunked in another word': `${post('Transfer-Encoding: \u000bchunked')}0\r\n\r\n${hidden}`,
    'a space before the colon': `${post('Transfer-Encoding : chunked')}0\r\n\r\n${hidden}`,
    'a folded header': `${post('Transfer-Encoding:\r\n chunked')}0\r\n\r\n${hidden}`,
    'lines that end in LF only': `POST /api/oauth/token HTTP/1.1\nHost: x\nContent-Length: 0\n\n${hidden}`,
    'a bare CR in a header': `${post('X: a\rTransfer-Encoding: chunked')}0\r\n\r\n${hidden}`,
    'NUL in a header': `${post('X: a\0b')}${hidden}`,
    'NUL in a name': `${post('X\0: a')}${hidden}`,
    'a chunk size that is not a number': `${post('Transfer-Encoding: chunked')}zz\r\n${hidden}`,
    'a chunk that is longer than it says': `${post('Transfer-Encoding: chunked', 'Content-Type: application/json')}1\r\nabc\r\n0\r\n\r\n`,
    'a chunk extension of 20 kB': `${post('Transfer-Encoding: chunked')}1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`,
    'an unknown version': 'GET /healthz HTTP/3.7\r\nHost: x\r\n\r\n',
    'an unknown method': 'HACK /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
    'no HTTP at all': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello TLS\r\n\r\n',
  }
  // llhttp accepts any list that ends in `chunked`; a proxy may not know the other words, or may not treat the last one
  // as decisive.
  const codings = [
    'identity, chunked',
    'gzip, chunked',
    'chunked, chunked',
    ', chunked',
    'chunked,',
    '"chunked"',
    'chunked;q=1',
    'chunked; foo',
    'identity',
    'gzip',
    'cow',
    'x chunked',
    'chunked\x0b',
    'chunked\x0c',
    'chun\tked',
    '\xa0chunked',
    '',
  ]
  for (const coding of codings) {
    for (const name of ['Transfer-Encoding', 'transfer-encoding']) {
      cases[`${name}: ${JSON.stringify(coding)}`] = `${post(`${name}: ${coding}`)}0\r\n\r\n${hidden}`
    }
    cases[`Content-Length, and Transfer-Encoding: ${JSON.stringify(coding)}`] =
      `${post('Content-Length: 5', `Transfer-Encoding: ${coding}`)}0\r\n\r\n${hidden}`
    cases[`Transfer-Encoding: ${JSON.stringify(coding)} on a path that cannot be decoded`] =
      `POST /%zz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n${hidden}`
  }
  const more: Record<string, string> = {
    'Transfer-Encoding twice': `${post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`,
    'identity, then chunked': `${post('Transfer-Encoding: identity', 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`,
    'chunked, then identity': `${post('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n${hidden}`,
    'chunked in HTTP/1.0': `POST /api/oauth/token HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    'gzip, chunked on a GET': `GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${hidden}`,
    'gzip, chunked on an unknown path': `POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${hidden}`,
    'a chunk size with a sign': `${post('Transfer-Encoding: chunked')}+1\r\na\r\n0\r\n\r\n${hidden}`,
    'a chunk size in hexadecimal notation': `${post('Transfer-Encoding: chunked')}0x1\r\na\r\n0\r\n\r\n${hidden}`,
    'a chunk that ends in LF only': `${post('Transfer-Encoding: chunked')}1\na\n0\n\n${hidden}`,
    'a chunk size beyond 64 bits': `${post('Transfer-Encoding: chunked')}ffffffffffffffff1\r\na\r\n0\r\n\r\n${hidden}`,
    'two equal Content-Lengths': `${post('Content-Length: 0', 'Content-Length: 0')}${hidden}`,
    'two equal lengths in one header': `${post('Content-Length: 0, 0')}${hidden}`,
    'an empty Content-Length': `${post('Content-Length:')}${hidden}`,
    'two Hosts': `POST /api/oauth/token HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 0\r\n\r\n${hidden}`,
  }
  for (const [name, bytes] of Object.entries({ ...cases, ...more })) {
    test(name, async () => {
      assertBroken(await exchange(service.url, Buffer.from(bytes, 'latin1')), [400, 413])
      const onForm = await exchange(service.formUrl, Buffer.from(bytes, 'latin1'))
      // The form does not have this path: a body that is not read until then breaks after the 404, and gets no second
      // response.
      ok([400, 404, 413].includes(onForm.status), `${onForm.status} ${onForm.text}`)
      deepEqual([onForm.responses, onForm.closed || onForm.status === 404], [1, true], onForm.text)
    })
  }

  for (const coding of ['chunked', 'Chunked', 'CHUNKED', '  chunked', 'chunked  ']) {
    test(`${JSON.stringify(coding)} is read as chunked, and the request behind it is answered`, async () => {
      const token = await merchantOf(service).sessionToken()
      const path = `POST /api/checkout/${token}/customer HTTP/1.1\r\nHost: x\r\nContent-Type: application/json`
      const bytes = `${path}\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n${hidden}`
      const response = await exchange(service.url, bytes, { waitMs: 500, responses: 2 })
      deepEqual([response.status, response.responses], [422, 2], response.text)
    })
  }
})

test('what is broken behind a request is refused after the response to that request, never in its place', async () => {
  const token = await merchantOf(service).sessionToken()
  const body = JSON.stringify(payBody())
  const head = `POST /api/checkout/${token}/pay HTTP/1.1\r\nHost: x\r\nContent-Type: application/json`
  const bytes = `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}BROKEN\r\n\r\n`
  const { text, closed } = await exchange(service.url, bytes, { waitMs: 5_000, responses: 2 })
  deepEqual(text.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 200', 'HTTP/1.1 400'])
  match(text, /"code":"AA"/)
  equal(closed, true)
})

test('requests that are sent without waiting are answered in their order, each as itself', async () => {
  const requests = ['/healthz', '/nowhere', '/healthz', '/readyz'].map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`,
  )
  const { text } = await exchange(service.url, requests.join(''), { waitMs: 2_000, responses: 4 })
  deepEqual(
    text.match(/HTTP\/1\.1 \d{3}/g),
    [200, 404, 200, 503].map((status) => `HTTP/1.1 ${status}`),
  )
})
