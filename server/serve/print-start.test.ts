import { doesNotMatch, match } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startText } from './print-start.ts'

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
  baseUrl: demo.base_url,
  dashboardUrl: demo.dashboard_url,
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
})
