import { doesNotMatch, equal, match, rejects } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { payerOf } from '../../test/support/merchant.ts'
import { openService } from '../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { startText } from './print-start.ts'
import { serve } from './serve.ts'

const demo = {
  base_url: 'http://localhost:4000',
  dashboard_url: 'http://localhost:4001',
  business_id: 'b-1',
  client_id: 'c-1',
  client_secret: 'rc_cs_secret',
  access_token: 'rc_at_secret',
  refresh_token: 'rc_rt_secret',
  username: 'owner@shop.example',
  password: 'password-secret',
  redirect_url: 'https://shop.example',
  api_key: 'rc_sk_stg_secret',
  webhook_secret: null,
}
const START = {
  mailboxLink: 'http://localhost:4001/mailbox?key=secret',
  environment: 'staging' as const,
  baseUrl: demo.base_url,
  dashboardUrl: demo.dashboard_url,
  dashboardOrigin: demo.dashboard_url,
  entry: null,
  operationsHost: '127.0.0.1',
  operationsPort: 4003,
  demoFile: 'data/demo.json',
}

describe('what a start prints', () => {
  test('in a terminal: commands with the demo credentials, to paste', () => {
    const text = startText({ ...START, demo, isTerminal: true })
    match(text, /Rialto is ready\.[\s\S]*data\/demo\.json[\s\S]*Bearer rc_at_secret[\s\S]*Bearer rc_sk_stg_secret/)
  })

  test('anywhere else: where the credentials are, and none of them', () => {
    const text = startText({ ...START, demo, isTerminal: false })
    match(text, /Rialto is ready\.[\s\S]*data\/demo\.json/)
    doesNotMatch(text, /secret|rc_/)
  })

  test('without a demo business: where everything is', () => {
    doesNotMatch(startText({ ...START, demo: null, isTerminal: true }), /demo/i)
  })

  test('a link into the dashboard, in a terminal; anywhere else the command that prints one', () => {
    const link = 'http://localhost:4001/dashboard/set-up#secret'
    for (const purpose of ['sign_in', 'set_up'] as const) {
      for (const some of [demo, null]) {
        const entry = { purpose, link, minutes: 10, command: 'npm run dashboard -- link' }
        const text = (isTerminal: boolean) => startText({ ...START, entry, demo: some, isTerminal })
        match(
          text(true),
          /^ {2}Dashboard {5}http:\/\/localhost:4001\/dashboard$[\s\S]*^ {2}\S+\/dashboard\/set-up#secret$/m,
        )
        match(text(false), /npm run dashboard -- link/)
        doesNotMatch(text(false), /#secret/)
      }
    }
  })

  test('LTR-56: the mailbox, in staging alone, and its key on a terminal alone', () => {
    const text = (environment: 'staging' | 'production', isTerminal = false) =>
      startText({ ...START, environment, demo: null, isTerminal })
    match(text('staging'), /^ {2}Mailbox {7}http:\/\/localhost:4001\/mailbox .*npm run -s dashboard -- mailbox/m)
    doesNotMatch(text('staging'), /secret/)
    match(text('staging', true), /^ {2}Mailbox {7}http:\/\/localhost:4001\/mailbox\?key=secret /m)
    doesNotMatch(text('production', true), /mailbox/i)
  })

  test('DSH-19: in production, once, that the dashboard has no host of its own', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'rialto-no-start-'))
    // The start ends at the lock of the directory, after its warnings.
    mkdirSync(join(dataDir, 'rialto.lock'))
    const warnings = async (environment: 'staging' | 'production', merchantDashboardUrl: string | null) => {
      const lines: string[] = []
      const log = pino({}, { write: (line: string) => void lines.push(line) })
      const config = { ...readConfig({}), environment, merchantDashboardUrl, dataDir }
      await rejects(serve(config, log, { isTerminal: false, print() {} }), /EISDIR/)
      return lines.filter((line) => line.includes('MERCHANT_DASHBOARD_URL is not set')).length
    }
    try {
      equal(await warnings('production', null), 1)
      equal(await warnings('production', 'https://dash.example'), 0)
      equal(await warnings('staging', null), 0)
    } finally {
      rmSync(dataDir, { recursive: true })
    }
  })

  test('commands that a shell runs: a session, its page, and after a payment its details', async () => {
    await using service = await openService()
    const { url: baseUrl, formUrl: dashboardUrl, demo } = service
    const text = startText({ ...START, baseUrl, dashboardUrl, demo, isTerminal: true })
    const [create = '', open = '', details = '', account = ''] = text
      .split('\n')
      .filter((line) => /^(TOKEN|curl)/.test(line))

    const [printed = '', token = '', opened] = await shell(create, 'echo "$TOKEN"', open)
    const session = JSON.parse(printed).checkout_session
    equal(token, session.token)
    equal(opened, `200 ${session.checkout_url}`)
    equal((await payerOf(service).pay(token)).body.result?.code, 'AA')

    const [read = ''] = await shell(`TOKEN=${token}`, details)
    const { session_status, payment_status } = JSON.parse(read).checkout_session
    equal(`${session_status} ${payment_status}`, 'COMPLETED PAID')
    const [merchant = ''] = await shell(account)
    equal(JSON.parse(merchant).data.business_id, demo.business_id)
  })
})

/** Runs pasted lines. `/dev/stderr` must be a pipe, because a socket of Node cannot be opened by that name. */
async function shell(...lines: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `{ ${lines.join('; echo;')}; } 2>&1 | cat`])
  return stdout.split('\n').filter(Boolean)
}
