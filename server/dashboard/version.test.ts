import { deepEqual, doesNotThrow, equal, match, notEqual, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../lib/errors.ts'
import { requireVersion, versionOf } from './version.ts'

test('a version stays while every member does, and changes with any of them (DSH-4)', () => {
  const settings = { name: 'Shop', phone: null, emails: ['a@shop.example'] }
  match(versionOf(settings), /^[0-9a-f]{16}$/)
  equal(versionOf({ ...settings }), versionOf(settings))
  for (const change of [{ name: 'Shop 2' }, { phone: '' }, { emails: [] }]) {
    notEqual(versionOf({ ...settings, ...change }), versionOf(settings))
  }
})

test('a stale version is a conflict that brings the current object (DSH-4)', () => {
  const current = { name: 'Shop', version: versionOf({ name: 'Shop' }) }
  doesNotThrow(() => requireVersion(current.version, current))
  throws(
    () => requireVersion(versionOf({ name: 'Old' }), current),
    (error) => {
      equal(error instanceof ApiError && error.code, 'conflict')
      deepEqual((error as ApiError).detail.extra, { current_version: current.version, current })
      return true
    },
  )
})
