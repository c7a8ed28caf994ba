import { deepEqual } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { PLACEMENT, type Placement } from './placement.ts'

interface Key {
  table: string
  name: string
  columns: string[]
}

interface ForeignKey extends Key {
  parent: string
  parentColumns: string[]
}

let database: TestDatabase
let client: pg.Client
before(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
after(async () => {
  await client.end()
  await database.drop()
})

const placeOf = (table: string): Placement | undefined => PLACEMENT[table as keyof typeof PLACEMENT]
const columnOf = (table: string) => {
  const place = placeOf(table)
  return typeof place === 'object' ? place.by : null
}

describe('The placement of the tables', () => {
  test('lists exactly the existing tables', async () => {
    const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'")
    deepEqual(Object.keys(PLACEMENT).sort(), rows.map(({ tablename }) => tablename).sort())
  })

  test('distributes a table by a column that is never null', async () => {
    const { rows } = await client.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'public' and is_nullable = 'NO'`,
    )
    const required = new Set(rows.map(({ table, column }) => `${table} ${column}`))
    deepEqual(
      Object.keys(PLACEMENT).filter((table) => columnOf(table) && !required.has(`${table} ${columnOf(table)}`)),
      [],
    )
  })

  test('fits every primary key and unique index: each contains the distribution column', async () => {
    deepEqual(
      (await readKeys()).filter(({ table, columns }) => !fitsKey(table, columns)).map(({ name }) => name),
      [],
    )
  })

  test('fits every foreign key', async () => {
    deepEqual(
      (await readForeignKeys()).filter((key) => !fitsForeignKey(key)).map(({ name }) => name),
      [],
    )
  })

  describe('would refuse', () => {
    const keys: [what: string, table: keyof typeof PLACEMENT, columns: string[]][] = [
      ['a key of a business that leaves the business out', 'operation', ['id']],
      ['a unique hash in a table of businesses', 'checkout_session', ['token_hash']],
    ]
    for (const [what, table, columns] of keys) test(what, () => deepEqual(fitsKey(table, columns), false))

    const of = (table: string, columns: string[], parent: string, parentColumns: string[]) => ({
      name: '',
      ...{ table, columns, parent, parentColumns },
    })
    const foreign: [what: string, key: ForeignKey][] = [
      ['a reference to another business', of('price', ['product_id'], 'product', ['id'])],
      [
        'a reference between tables that lie apart',
        of('browser_token', ['business_id', 'customer_id'], 'customer', ['business_id', 'id']),
      ],
      [
        'a reference table that refers to a distributed one',
        of('api_key', ['business_id'], 'terminal', ['business_id']),
      ],
      [
        'a reference that names the business second',
        of('price', ['a', 'business_id'], 'product', ['business_id', 'id']),
      ],
    ]
    for (const [what, key] of foreign) test(what, () => deepEqual(fitsForeignKey(key), false))
  })
})

function fitsKey(table: string, columns: string[]): boolean {
  const column = columnOf(table)
  return column === null || columns.includes(column)
}

/** Whether a foreign key points to a reference table, or between two tables by their common distribution column. */
function fitsForeignKey({ table, columns, parent, parentColumns }: ForeignKey): boolean {
  if (placeOf(parent) === 'reference') return placeOf(table) !== 'local'
  const [child, other] = [columnOf(table), columnOf(parent)]
  if (child === null || other === null || child !== other || !columns.includes(child)) return false
  return columns.indexOf(child) === parentColumns.indexOf(other)
}

async function readKeys(): Promise<Key[]> {
  const { rows } = await client.query<Key>(
    `select t.relname as table, i.relname as name,
       array(select a.attname::text from unnest(x.indkey) with ordinality k(number, position)
         join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number order by k.position) as columns
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where x.indisunique and t.relnamespace = 'public'::regnamespace`,
  )
  return rows
}

async function readForeignKeys(): Promise<ForeignKey[]> {
  const names = (numbers: string, table: string) =>
    `array(select a.attname::text from unnest(${numbers}) with ordinality k(number, position)
       join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number order by k.position)`
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, confrelid::regclass::text as parent,
       ${names('conkey', 'conrelid')} as columns, ${names('confkey', 'confrelid')} as "parentColumns"
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  return rows
}
