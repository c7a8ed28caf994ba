import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { BrandingChange, LettersChange, LimitsChange, SettingsChange } from '../../contract/dashboard/settings-api.ts'
import { nodesOf, product, stringsOf } from './tree.ts'

/** Files that only store, check, show or describe a setting. */
const KEEPS =
  /^server\/(businesses|dashboard\/settings|demo|config|db)\b|^server\/access\/members\/limits|command|openapi|-example/

/** Columns whose names differ from their settings. */
const COLUMNS: Record<string, string> = { surcharge_rate: 'surcharge_rate_bp' }

/** Settings that the dashboard's pages only enter in their forms. */
const ENTERED = ['default_tax_rate']

const inCamelCase = (name: string) => name.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase())

test('every setting of the dashboard is read by what it is about', () => {
  const schemas = [SettingsChange, LettersChange, BrandingChange, LimitsChange]
  const settings = schemas.flatMap(({ properties }) => Object.keys(properties)).filter((name) => name !== 'version')
  const readers = product.filter((file) => file.startsWith('server/') && !KEEPS.test(file))
  const identifiers = new Set(readers.flatMap((file) => nodesOf(file).map(({ node }) => node.name)))
  const sql = readers.flatMap((file) => stringsOf(file).map(({ value }) => value)).join('\n')
  const pages = product.filter((file) => /^dashboard\/areas\/(?!settings)/.test(file))
  const entered = new Set(pages.flatMap((file) => nodesOf(file).map(({ node }) => node.name)))
  const unread = settings
    .filter((name) => !(ENTERED.includes(name) && entered.has(name)))
    .map((name) => COLUMNS[name] ?? name)
    .filter((name) => !identifiers.has(inCamelCase(name)) && !new RegExp(`\\b${name}\\b`).test(sql))
  deepEqual(unread, [])
})
